import { pause } from '@ovn-steward/shared/pause';
import { messageOf, retryOf } from '@ovn-steward/shared/errors';
import { retrying } from '@ovn-steward/shared/retrying';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { KafkaLogEvent } from '@ovn-steward/shared/log/kafka-log';
import type { KafkaTls } from '@ovn-steward/shared/log/kafka-options';
import { kafkaLogOptions } from '@ovn-steward/shared/settings/kafka-settings';
import type { Log } from '@ovn-steward/shared/log/log';
import { CHANGES, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Logger } from '../log/logger';
import type { Lack } from '../work/lack';
import type { Shell } from '../work/service';
import { LOG_METRICS } from './log-metrics';
import { reportLostPositions } from './report-lost-positions';

const EVENTS: readonly KafkaLogEvent['type'][] = [
  'producer-replaced',
  'admin-replaced',
  'consumer-restarted',
  'partitions-assigned',
  'partitions-revoked',
];

/** How often the log is probed. */
const PROBE_INTERVAL_MS = 5000;
const RETRY_MS = 1000;
const MOST_RETRY_MS = 15_000;

export interface ServiceLog {
  readonly log: Log;
  /** Why the log is of no use now, if so. */
  missing(): readonly Lack[];
  /**
   * Settles once all topics are there and as they should be; while the brokers are not, it tries
   * again with a growing wait. From then on it probes the log now and then, until the signal fires.
   *
   * @throws Failure `log-topic-drift` and others that trying again cannot mend. When the signal
   *   fired first: an AbortError.
   */
  ensure(signal: AbortSignal): Promise<void>;
}

/**
 * The log of a service on Kafka, by the settings. Connects when first used.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function openServiceLog({
  settings,
  meter,
  logger,
}: Pick<Shell, 'settings' | 'meter' | 'logger'>): ServiceLog {
  const { tls, ...options } = kafkaLogOptions(settings.kafka);
  if (options.sasl) logger.conceal(options.sasl.password);
  for (const type of EVENTS) meter.inc(LOG_METRICS.events, { type }, 0);
  const log = openKafkaLog({
    ...options,
    ...(tls && { tls: concealed(tls, logger) }),
    onEvent({ type, ...event }) {
      meter.inc(LOG_METRICS.events, { type });
      logger[type.startsWith('partitions') ? 'info' : 'warn'](type, event);
    },
  });
  return watched(log, { meter, logger });
}

/** The key of our certificate is a secret, the next one as well. */
const concealed = (tls: () => KafkaTls, logger: Pick<Logger, 'conceal'>) => (): KafkaTls => {
  const current = tls();
  if (current.key) logger.conceal(current.key);
  return current;
};

/** A log of which is known whether it answers, and which of our positions it lost. */
export function watched(
  watchedLog: Log,
  { meter, logger }: Pick<Shell, 'meter' | 'logger'>,
  timing = { askEveryMs: PROBE_INTERVAL_MS, retryMs: RETRY_MS },
): ServiceLog {
  const log = reportLostPositions(watchedLog, (lost) => {
    meter.inc(LOG_METRICS.positionsLost, { topic: lost.topic });
    logger.warn('position lost', { ...lost });
  });
  const { missing, onAnswer } = reachability({ meter, logger });
  return {
    log,
    missing,
    async ensure(signal) {
      const ensured = async (): Promise<void> => {
        try {
          for (const note of await log.ensureTopics(TOPICS)) logger.warn(note);
        } catch (error) {
          if (!signal.aborted) onAnswer(error);
          throw error;
        }
      };
      await retrying(
        ensured,
        {
          isFinal: (error) => !signal.aborted && retryOf(error, 'later') === 'never',
          onRetry: () => undefined,
          backOff: (attempt) => Math.min(timing.retryMs * 2 ** (attempt - 1), MOST_RETRY_MS),
        },
        signal,
      );
      signal.throwIfAborted();
      onAnswer();
      void probe(log, onAnswer, timing.askEveryMs, signal);
    },
  };
}

/** Whether the log answers, from the last that was heard of it. */
function reachability({ meter, logger }: Pick<Shell, 'meter' | 'logger'>): {
  missing(): readonly Lack[];
  onAnswer(error?: unknown): void;
} {
  let trouble: string | undefined = 'it was not asked yet';
  meter.set(LOG_METRICS.reachable, {}, 0);
  return {
    missing: () => (trouble === undefined ? [] : [{ what: 'log', detail: trouble }]),
    onAnswer(error) {
      const before = trouble;
      trouble = error === undefined ? undefined : messageOf(error);
      meter.set(LOG_METRICS.reachable, {}, error === undefined ? 1 : 0);
      if (error !== undefined && trouble !== before)
        logger.warn('the log cannot be used', { error });
      if (error === undefined && before !== undefined) logger.info('the log can be used');
    },
  };
}

async function probe(
  log: Log,
  onAnswer: (error?: unknown) => void,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (signal.aborted) return;
    await log.watermarks(CHANGES, 0).then(
      () => {
        if (!signal.aborted) onAnswer();
      },
      (error: unknown) => {
        if (!signal.aborted) onAnswer(error);
      },
    );
  }
}
