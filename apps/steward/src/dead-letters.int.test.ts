import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadLetterOf } from '@ovn-steward/contracts/dead-letters/dead-letter-of';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, DEAD_LETTER, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { steward } from './testing/cli';

const MIB = 1_048_576;
const PARTITION = partitionOf('default', PARTITIONS);
const now = new Date();
const record = (key: string, value: Buffer | null): NewRecord => ({
  key,
  value,
  headers: { of: key },
  timestamp: now.getTime(),
});

describeWith(kafka, 'dead letters on Kafka', () => {
  let cluster: KafkaCluster;
  let log: Log;
  let folder = '';
  const letters = (...args: string[]) =>
    steward(['dead-letters', ...args, '--kafka-brokers', cluster.bootstrap.join(',')]);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-letters-'));
    cluster = await startKafka();
    log = openKafkaLog({ brokers: cluster.bootstrap, clientId: 'test', replicationFactor: 1 });
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  test('where the topics are not there yet it says so, and makes none', async () => {
    const absent = await letters();
    expect([absent.code, absent.stdout]).toEqual([1, '']);
    expect(absent.stderr).toMatch(/^steward: .*steward\.dead-letter\.v1.*\n$/);
    await expect(log.watermarks(DEAD_LETTER, 0)).rejects.toMatchObject({
      code: 'log-topic-unknown',
    });
  });

  test('real bytes come back as they were', async () => {
    await log.ensureTopics(TOPICS);
    const poison = [
      record('default/ovn-nb/ACL/half', Buffer.from('{"type":"pu')),
      record('default/ovn-nb/ACL/later', Buffer.from('{"version":2}')),
      record('default/ovn-nb/ACL/\u001b[31m', Buffer.from([0, 255, 254, 27, 91])),
      record('default/ovn-nb/ACL/gone', null),
      record('default/ovn-nb/Address_Set/large', Buffer.alloc(7 * MIB, 3)),
    ];
    const firsts: bigint[] = [];
    for (const it of poison) firsts.push((await log.append(CHANGES, PARTITION, [it])).first);
    for (const offset of firsts) {
      const [read] = (await log.read(CHANGES, PARTITION, offset, 1)).records;
      await log.append(DEAD_LETTER, PARTITION, [
        deadLetterOf({
          topic: CHANGES,
          partition: PARTITION,
          record: read!,
          by: 'analyzer',
          at: now,
          why: 'It could not be read.',
        }),
      ]);
    }
    const tooLarge = {
      ...record('default/ovn-nb/Address_Set/too-large', Buffer.alloc(10 * MIB, 4)),
      id: 'change',
    };
    await log.append(DEAD_LETTER, PARTITION, [
      deadLetterOf({
        topic: CHANGES,
        partition: PARTITION,
        record: tooLarge,
        by: 'collector',
        at: now,
        why: 'It is too large.',
      }),
    ]);

    const listed = await letters();
    expect([listed.code, listed.stderr]).toEqual([2, '']);
    expect(listed.stdout).toContain('6 dead letters.');
    expect(listed.stdout).toMatch(/10485760 bytes[^]*cannot be replayed: it weighs/);

    const sent = await letters('replay', '--all', '--yes');
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect(sent.stdout).toMatch(
      /^Replayed:\n(?: {2}steward.*\n){5}Left as they are:\n {2}steward\.changes\.v1\/7\/change: it weighs/,
    );
    for (const [at, original] of poison.entries()) {
      const offset = BigInt(/at offset (\d+)/.exec(sent.stdout.split('\n')[at + 1]!)![1]!);
      const { value, ...rest } = (await log.read(CHANGES, PARTITION, offset, 1)).records[0]!;
      expect(rest).toMatchObject({
        offset,
        key: original.key,
        headers: { of: original.key, 'replay-of': `${CHANGES}/${PARTITION}/${firsts[at]}` },
      });
      expect(value?.toString('base64')).toBe((original.value as Buffer | null)?.toString('base64'));
    }
    expect((await letters('replay', '--all', '--yes')).stdout).toMatch(/^Nothing to replay/);
  });

  test('brokers are also taken from the settings, and a silent one is said to be silent', async () => {
    const file = join(folder, 'steward.yaml');
    writeFileSync(file, JSON.stringify({ kafka: { brokers: cluster.bootstrap } }));
    expect((await steward(['dead-letters', '--config', file, '--output', 'json'])).code).toBe(2);
    const silent = await steward(['dead-letters', '--kafka-brokers', '127.0.0.1:1']);
    expect([silent.code, silent.stdout]).toEqual([1, '']);
    expect(silent.stderr).toMatch(/^steward: Looking for topic .*brokers.*\n$/);
  });
});
