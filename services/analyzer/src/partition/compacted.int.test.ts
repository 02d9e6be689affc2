import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { FindingsTable } from '@ovn-steward/client';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { decodeFinding, encodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { asResolved } from '@ovn-steward/judgement/engine/lifecycle';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { FINDINGS, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { readPublished } from './published';

const SAMPLE = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
) as Finding;
const PARTITION = partitionOf(SAMPLE.cluster, PARTITIONS);
const SEGMENT_MS = 200;
/** As our topic, but compacted as soon as a segment is closed. */
const CONFIG = {
  'cleanup.policy': 'compact',
  'segment.ms': String(SEGMENT_MS),
  'min.cleanable.dirty.ratio': '0.001',
  'min.compaction.lag.ms': '0',
  'max.compaction.lag.ms': '1000',
  'delete.retention.ms': '60000',
};

describeWith(kafka, 'with a compacted topic, an older revision sent again', () => {
  let brokers: KafkaCluster;
  let log: Log;
  beforeEach(async () => {
    brokers = await startKafka({ properties: { 'log.cleaner.backoff.ms': '100' } });
    const client = new Kafka({ brokers: [...brokers.bootstrap], logLevel: logLevel.NOTHING });
    const admin = client.admin();
    await admin.connect();
    const configEntries = Object.entries(CONFIG).map(([name, value]) => ({ name, value }));
    await admin.createTopics({
      topics: [{ topic: FINDINGS, numPartitions: PARTITIONS, replicationFactor: 1, configEntries }],
    });
    await admin.disconnect();
    log = openKafkaLog({ brokers: brokers.bootstrap, clientId: 'test', replicationFactor: 1 });
  });
  afterEach(async () => {
    await log?.close();
    await brokers?.stop();
  });

  const send = (id: string, revision: number) =>
    log.append(FINDINGS, PARTITION, [
      {
        ...encodeFinding({ ...SAMPLE, id, revision }, { analyzer: 'test', changes: '0' }),
        timestamp: Date.now(),
      },
    ]);
  const records = async (): Promise<readonly LogRecord[]> => {
    const all: LogRecord[] = [];
    const { high } = await log.watermarks(FINDINGS, PARTITION);
    for (let from = 0n; from < high;) {
      const { records, next } = await log.read(FINDINGS, PARTITION, from, 1000);
      all.push(...records);
      from = next;
    }
    return all;
  };
  const revisionsIn = async (id: string): Promise<number[]> =>
    (await records())
      .filter(({ key }) => key === id)
      .map(({ value }) =>
        value === null ? 0 : (JSON.parse(String(value)) as { data: Finding }).data.revision,
      );
  /**
   * Closes segments by records of another key until the broker has left one record of the finding.
   */
  const compacted = async (id: string): Promise<void> => {
    for (let tries = 0; (await revisionsIn(id)).length > 1; tries += 1) {
      if (tries > 150) throw new Error(`not compacted: ${(await revisionsIn(id)).join()}`);
      await sleep(SEGMENT_MS * 2);
      await send('another', tries + 1);
    }
  };
  const readAll = async (): Promise<FindingsTable<Finding, LogRecord>> => {
    const table = new FindingsTable<Finding, LogRecord>(decodeFinding);
    for (const it of await records()) table.take(PARTITION, it);
    return table;
  };
  const revisionIn = (table: FindingsTable<Finding, LogRecord>, id: string) =>
    table.findings().find((it) => it.id === id)?.revision;

  test('is all that compaction leaves, until the analyzer that has the partition sends the newest again', async () => {
    for (const revision of [1, 3, 2]) await send('f', revision);
    const follower = await readAll();
    const { overtaken } = await readPublished(log, PARTITION);
    expect(overtaken.map(({ id }) => id)).toEqual(['f']);

    await compacted('f');
    expect(await revisionsIn('f')).toEqual([2]);
    expect(revisionIn(await readAll(), 'f')).toBe(2); // an earlier moment of it
    for (const it of await records()) follower.take(PARTITION, it);
    expect(revisionIn(follower, 'f')).toBe(3); // who saw the newest keeps it

    for (const { id, value } of overtaken)
      await log.append(FINDINGS, PARTITION, [{ key: id, value, timestamp: Date.now() }]);
    await compacted('f');
    expect(await revisionsIn('f')).toEqual([3]);
    expect(revisionIn(await readAll(), 'f')).toBe(3);
  }, 180_000);

  test('lets a revision be used again where the memory of the analyzer is lost as well: then a table is built anew', async () => {
    for (const revision of [1, 3, 2]) await send('f', revision);
    const follower = await readAll();
    await compacted('f'); // nobody had the partition, who would have sent 3 again
    const known = (await readPublished(log, PARTITION)).findings.find(({ id }) => id === 'f')!;
    const again = asResolved(known, new Date().toISOString());
    expect([known.revision, again.revision]).toEqual([2, 3]);
    await log.append(FINDINGS, PARTITION, [
      { ...encodeFinding(again, { analyzer: 'test', changes: '0' }), timestamp: Date.now() },
    ]);
    const stateIn = (table: FindingsTable<Finding, LogRecord>) =>
      table.findings().find(({ id }) => id === 'f')?.state;
    for (const it of await records()) follower.take(PARTITION, it);
    expect([stateIn(follower), stateIn(await readAll())]).toEqual(['confirmed', 'resolved']);
  }, 180_000);

  test('does no harm where the newest was sent again behind it before compaction', async () => {
    for (const revision of [1, 3, 2, 3]) await send('f', revision);
    expect((await readPublished(log, PARTITION)).overtaken).toEqual([]);
    await compacted('f');
    expect(await revisionsIn('f')).toEqual([3]);
  }, 180_000);

  test('behind a tombstone brings the finding back, and the analyzer that has the partition takes it up, to resolve it', async () => {
    await send('f', 3);
    await log.append(FINDINGS, PARTITION, [{ key: 'f', value: null, timestamp: Date.now() }]);
    await send('f', 2);
    await compacted('f');
    expect(await revisionsIn('f')).toEqual([2]);
    expect(revisionIn(await readAll(), 'f')).toBe(2);
    const { findings } = await readPublished(log, PARTITION);
    expect(findings.find(({ id }) => id === 'f')).toMatchObject({ revision: 2 });
  }, 180_000);
});
