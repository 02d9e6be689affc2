import { post } from '../send/post';
import type { Message, OpenSender } from '../send/sender';
import type { SinkType } from './sink';

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
    close: () => undefined,
  });

function bodyOf({ body, actionsBody }: SinkType, message: Message): unknown {
  if (message.about === 'findings') return body(message.notification);
  if (actionsBody === undefined) throw new Error('this type of sink takes no actions');
  return actionsBody(message.notification);
}
