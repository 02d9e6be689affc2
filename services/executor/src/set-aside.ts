import type { DeadLetter } from '@ovn-steward/shared/events/dead-letter';
import type { LogBatch, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';

/** The record of the dead-letter topic for one that could not be read. Met again it has the same id, so that readers know it. */
export function setAside({ topic, partition }: Pick<LogBatch, 'topic' | 'partition'>, record: LogRecord, why: string, now: Date): NewRecord {
  const letter: DeadLetter = {
    version: 1,
    id: `${topic}/${partition}/${record.offset}`,
    topic,
    partition,
    offset: String(record.offset),
    key: record.key,
    headers: { ...record.headers },
    value: record.value === null ? null : record.value.toString('base64'),
    truncated: false,
    by: 'executor',
    at: now.toISOString(),
    why,
  };
  return { key: record.key, value: JSON.stringify(letter), timestamp: now.getTime() };
}
