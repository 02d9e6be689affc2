import { attributesOf } from './cloudevents';
import type { SinkType } from './sink';

/**
 * A CloudEvent in binary mode: the attributes as headers, the notification as the body (CloudEvents
 * HTTP Protocol Binding 1.0.2, section 3.1).
 */
export const cloudeventsBinary: SinkType = {
  path: '',
  headers: (notification) => ({
    'content-type': 'application/json',
    ...Object.fromEntries(
      Object.entries(attributesOf(notification)).map(([name, value]) => [
        `ce-${name}`,
        inHeader(value),
      ]),
    ),
  }),
  body: (notification) => notification,
  actionsBody: (notification) => notification,
};

/** What a header cannot hold is percent-encoded, and so is the percent sign (section 3.1.3.2). */
const inHeader = (text: string): string => text.replace(/[^!-~]|["%]/gu, encodeURIComponent);
