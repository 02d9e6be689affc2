import { type NotifierEvent, type NotifierReading, openNotifier } from '@ovn-steward/notifier';
import type { Log } from '@ovn-steward/shared/log/log';
import type { Settings } from '@ovn-steward/shared/settings/settings';

export interface NotifyOptions {
  readonly settings: Settings;
  /** The embedded log, which this process has. */
  readonly log: Log;
  /** Must not throw. */
  readonly onEvent: (event: NotifierEvent) => void;
  /**
   * Called with what the notifier shows of itself, and at its end that there is nothing more to be
   * read.
   */
  readonly onReading: (reading: NotifierReading | undefined) => void;
  /** Called with failures, one sentence each. Must not throw. */
  readonly onTrouble: (message: string) => void;
}

/**
 * The notifier beside an analyzer in one process, until the signal fires. A sink that is down
 * delays nobody.
 * @throws Failure that trying again cannot mend.
 */
export async function notify(options: NotifyOptions, signal: AbortSignal): Promise<void> {
  const { onEvent, onReading, onTrouble } = options;
  const notifier = openNotifier({
    ...options,
    clock: () => new Date(), // people wait by their own clock, also beside a recording's
    onEvent: (event) => {
      onEvent(event);
      const trouble = troubleIn(event);
      if (trouble !== undefined) onTrouble(trouble);
    },
  });
  try {
    onReading(notifier);
    await notifier.run(signal);
  } finally {
    onReading(undefined);
    notifier.close();
  }
}

function troubleIn(event: NotifierEvent): string | undefined {
  switch (event.type) {
    case 'failed':
      return `sink ${event.sink}: ${event.why}; trying again in ${event.retryInMs} ms`;
    case 'read-failed':
      return `${event.error}; trying again in ${event.retryInMs} ms`;
    case 'unreadable':
      return `record ${event.offset} of the findings was skipped: ${event.why}`;
    default:
      return undefined;
  }
}
