import { post } from '../send/post';
import type { OpenSender } from '../send/sender';
import { bodyOf, type SinkType } from './sink';

/** A sink that gets one POST for each notification. */
export const overHttp =
  (type: SinkType): OpenSender =>
  (settings) => ({
    ...(type.againEveryMs !== undefined && { againEveryMs: type.againEveryMs }),
    send: (message, signal) =>
      post(settings, type.path, {
        id: message.notification.id,
        body: bodyOf(type, message),
        headers: type.headers?.(message.notification) ?? {},
        signal,
      }),
    close: () => Promise.resolve(),
  });
