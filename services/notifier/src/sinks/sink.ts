import type { Notification } from '@ovn-steward/contracts/notifications/notification';

/** How one type of sink is told. */
export interface SinkType {
  /** Appended to the URL of the settings; empty where that is the whole address. */
  readonly path: string;
  /** The body, JSON. */
  body(notification: Notification): unknown;
  /** Headers beside those every sink gets; they may replace `content-type`. Values are ASCII. */
  headers?(notification: Notification): Readonly<Record<string, string>>;
  /** The sink forgets what it is not told again for longer, in milliseconds. */
  readonly againEveryMs?: number;
}
