import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';

/** What one type of sink is sent over HTTP. */
export interface SinkType {
  /** Appended to the URL of the settings; empty where that is the whole address. */
  readonly path: string;
  /** The body about findings, JSON. */
  body(notification: Notification): unknown;
  /** The body about actions, JSON; missing where the settings allow none (`about`). */
  actionsBody?(notification: ActionsNotification): unknown;
  /** Headers beside those every sink gets; they may replace `content-type`. Values are ASCII. */
  headers?(notification: Notification | ActionsNotification): Readonly<Record<string, string>>;
  /** The sink forgets what it is not sent again for longer, in milliseconds. */
  readonly againEveryMs?: number;
}
