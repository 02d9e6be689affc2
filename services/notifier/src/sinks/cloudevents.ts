import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import type { SinkType } from './sink';

/**
 * The attributes of a notification as a CloudEvent, but for its content type. Sent again it has the
 * same `id`.
 */
export const attributesOf = (it: Notification | ActionsNotification) => ({
  specversion: '1.0',
  id: it.id,
  source: `urn:ovn-steward:notifier:${encodeURIComponent(it.cluster)}`,
  type: `dev.ovn-steward.${documentOf(it)}.v1`,
  subject: it.group,
  time: it.at,
  dataschema: `https://ovn-steward.dev/schemas/${documentOf(it)}.v1.schema.json`,
});

const documentOf = (it: Notification | ActionsNotification): string =>
  'about' in it ? 'actions-notification' : 'notification';

const structured = (it: Notification | ActionsNotification): object => ({
  ...attributesOf(it),
  datacontenttype: 'application/json',
  data: it,
});

/** A CloudEvent in structured mode: attributes and notification in one body. */
export const cloudevents: SinkType = {
  path: '',
  headers: () => ({ 'content-type': 'application/cloudevents+json' }),
  body: structured,
  actionsBody: structured,
};
