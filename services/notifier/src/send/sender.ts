import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import type { Settings } from '@ovn-steward/shared/settings/settings';

/**
 * How a sending ended. `requests`: how many it took, if not one; the limit per minute counts them.
 */
export type Outcome = { readonly requests?: number } & (
  | { readonly delivered: true }
  /** `ofSink`: others would not be taken either. `retryAfterMs`: what the sink asked for. */
  | {
      readonly delivered: false;
      readonly ofSink: boolean;
      readonly why: string;
      readonly retryAfterMs?: number;
    }
);

/** One notification, about findings or about actions. */
export type Message =
  | {
      readonly about: 'findings';
      readonly notification: Notification;
      /** What the sink was sent about the group before. */
      readonly before: Notification | undefined;
    }
  | { readonly about: 'actions'; readonly notification: ActionsNotification };

/** Sends to one sink of the settings. */
export interface Sender {
  /** The sink forgets what it is not sent again for longer, in milliseconds. */
  readonly againEveryMs?: number;
  /** It takes only what is about this cluster. Undefined: all clusters. */
  readonly cluster?: string;
  /** Never throws. */
  send(message: Message, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** What a sender needs besides the settings of its sink. */
export type CommonSettings = Pick<Settings, 'cluster' | 'kafka'>;

/** Opens the sender of a sink. @throws Failure for settings that name nothing usable. */
export type OpenSender = (sink: SinkSettings, common: CommonSettings) => Sender;
