import { ascendingBy } from '@ovn-steward/shared/compare';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { encodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import type { FindingEvent } from '@ovn-steward/contracts/findings/finding-event';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { FINDINGS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { EXAMPLES, type Language, LANGUAGES } from './consumers/languages';
import { Member } from './consumers/member';
import { isCaughtUp, query } from './consumers/table';
import { STEWARD } from './support/steward';

const TOPIC = 'findings-test';
const GOLDEN_TOPIC = 'golden-test';
const CONTRACTS = join(__dirname, '../contracts');
/** Of the recorded stream. */
const CLUSTERS = ['berlin-1', 'malmo', 'oslo'];

let brokers: KafkaCluster;
let log: Log;
let folder: string;

const steward = (...args: string[]) => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    STEWARD_KAFKA__REPLICATION_FACTOR: '1',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [STEWARD, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
};

const replayTo = (topic: string) =>
  steward('stream', 'replay', '--kafka-brokers', brokers.bootstrap.join(','), '--topic', topic);

/** What the check says of these rows. */
function check(rows: readonly unknown[]) {
  const file = join(folder, 'table.json');
  writeFileSync(file, JSON.stringify(rows));
  return steward('stream', 'check', file);
}

/** The golden samples of findings, each under an id of its own, since versions share samples. */
const golden = [
  'examples',
  'later-versions',
  ...readdirSync(join(CONTRACTS, 'released')).flatMap((release) => [
    `released/${release}/examples`,
    `released/${release}/later-versions`,
  ]),
].flatMap((of) =>
  readdirSync(join(CONTRACTS, of))
    .filter((it) => it.startsWith('finding-event.v1.'))
    .map((file) => {
      const { data } = JSON.parse(readFileSync(join(CONTRACTS, of, file), 'utf8')) as FindingEvent;
      return { ...data, id: createHash('sha256').update(`${of}/${file}`).digest('hex') };
    }),
);
const byId = ascendingBy((it: Finding) => it.id);

async function sendGolden(): Promise<void> {
  const findings = TOPICS.find((it) => it.name === FINDINGS)!;
  await log.ensureTopics([{ ...findings, name: GOLDEN_TOPIC }]);
  for (const finding of golden) {
    const partition = partitionOf(finding.cluster, PARTITIONS);
    const record = encodeFinding(finding, { analyzer: 'a', changes: `${partition}/0-1` });
    await log.append(GOLDEN_TOPIC, partition, [{ ...record, timestamp: Date.now() }]);
  }
}

/** The database of a consumer that has read the whole topic. */
async function readBy(
  language: Language,
  topic: string,
  clusters: readonly string[],
): Promise<string> {
  const database = join(folder, `${language.name}-${topic}.db`);
  const member = new Member(language.build(), {
    BROKERS: brokers.bootstrap.join(','),
    DATABASE: database,
    GROUP: `${topic}-${language.name}`,
    TOPIC: topic,
    SCHEMA: join(EXAMPLES, 'schema.sql'),
  });
  member.start();
  try {
    while (!(await isCaughtUp(database, log, topic, clusters))) {
      if (!member.isRunning) throw new Error(`it ended: ${member.errors}`);
      await sleep(200);
    }
    return database;
  } finally {
    await member.kill();
  }
}

describeWith(kafka, 'the recorded stream on Kafka', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-stream-'));
    brokers = await startKafka({ properties: { 'group.initial.rebalance.delay.ms': '0' } });
    log = openKafkaLog({ brokers: brokers.bootstrap, clientId: 'test', replicationFactor: 1 });
    expect(replayTo(TOPIC)).toMatchObject({ status: 0, stderr: '' });
    expect(new Set(golden.map((it) => it.class as string))).toContain('excess');
    await sendGolden();
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await brokers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['steward.findings.v1', 'lab.steward.findings.v1'])(
    'is never written to %s, where it could be acted on',
    (topic) => {
      const { status, stderr } = replayTo(topic);
      expect(status).toBe(1);
      expect(stderr).toMatch(/Nothing was written/);
    },
  );

  for (const language of LANGUAGES)
    describeWith(language.fixture, `the consumer in ${language.name}`, () => {
      it('has the table that the check wants', async () => {
        const database = await readBy(language, TOPIC, CLUSTERS);
        const open = query<{ id: string }>(
          database,
          'SELECT id, revision, state FROM open_finding',
        );
        expect(check(open)).toMatchObject({
          status: 0,
          stdout: expect.stringMatching(/^The table is right/),
        });
        const all = query(database, 'SELECT id, revision, state FROM finding');
        expect(check(all).status).toBe(0);
        expect(check(open.slice(1))).toMatchObject({
          status: 2,
          stdout: expect.stringMatching(/^[^]*it is not in the table, and must be[^]*1 difference/),
        });
      }, 600_000);

      it('keeps every golden sample of every release whole, and those of later versions', async () => {
        const database = await readBy(language, GOLDEN_TOPIC, [
          ...new Set(golden.map((it) => it.cluster)),
        ]);
        const kept = query<{ document: string }>(database, 'SELECT document FROM finding');
        const documents = kept.map((it) => JSON.parse(it.document) as Finding);
        expect(documents.sort(byId)).toEqual(golden.sort(byId));
        expect(query(database, 'SELECT * FROM poison')).toEqual([]);
      }, 600_000);
    });
});
