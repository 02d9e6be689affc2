import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import type { Message } from '../send/sender';

/** What one type of sink is sent as the body of a request, or the value of a record. */
export interface Document {
  /** The body about findings, JSON. */
  body(notification: Notification): unknown;
  /** The body about actions, JSON; missing where the settings allow none (`about`). */
  actionsBody?(notification: ActionsNotification): unknown;
  /**
   * Headers beside those every sink gets; they may replace `content-type`. Over HTTP values are
   * ASCII.
   */
  headers?(notification: Notification | ActionsNotification): Readonly<Record<string, string>>;
}

/** What one type of sink is sent over HTTP. */
export interface SinkType extends Document {
  /** Appended to the URL of the settings; empty where that is the whole address. */
  readonly path: string;
  /** The sink forgets what it is not sent again for longer, in milliseconds. */
  readonly againEveryMs?: number;
}

/**
 * What a notification is in such a document.
 * @throws Error about actions for a type that takes none, which the settings refuse.
 */
export function bodyOf({ body, actionsBody }: Document, message: Message): unknown {
  if (message.about === 'findings') return body(message.notification);
  if (actionsBody === undefined) throw new Error('this type of sink takes no actions');
  return actionsBody(message.notification);
}
