import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { DEAD_LETTER } from '@ovn-steward/shared/log/topics';

export interface LostPosition {
  readonly topic: string;
  /** Which position, and why it is lost. */
  readonly detail: string;
}

/**
 * The log, with each Failure `log-position-lost` of a reading reported before it is thrown. A dead
 * letter that is no longer there is no position of a service.
 * @param onLost must not throw.
 */
export function reportLostPositions(log: Log, onLost: (lost: LostPosition) => void): Log {
  const reported = async <T>(topics: readonly string[], reading: Promise<T>): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof Failure && error.code === 'log-position-lost')
        for (const topic of topics) onLost({ topic, detail: messageOf(error) });
      throw error;
    }
  };
  return {
    ...log,
    read: (topic, partition, from, max) => {
      const reading = log.read(topic, partition, from, max);
      return topic === DEAD_LETTER ? reading : reported([topic], reading);
    },
    consume: (options) => reported(options.topics, log.consume(options)),
  };
}
