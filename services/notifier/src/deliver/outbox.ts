import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import type { Message, Sender } from '../send/sender';

/** A sink by its name in the settings. */
export interface Sink {
  readonly name: string;
  readonly settings: SinkSettings;
}

/** What may have to be sent to one sink next. Times are milliseconds since 1970. */
export interface OutboxItem {
  readonly at: number;
  readonly failures: number;
  /**
   * What is sent, kept until an answer is known; undefined when there is nothing to send, which
   * settles it.
   */
  compose(now: Date): Message | undefined;
  /** The sink has it. */
  delivered(message: Message, at: number): void;
  /** It is tried again at `due`. */
  postponed(due: number): void;
}

/** What waits for the sinks, of one sort. */
export interface Outbox {
  next(sink: Sink, sender: Sender): OutboxItem | undefined;
}
