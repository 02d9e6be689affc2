import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { EXAMPLES, type Language, LANGUAGES, type Program } from './consumers/languages';
import { Member } from './consumers/member';
import { findingsStream } from './consumers/stream';
import { hasTable, isCaughtUp, query } from './consumers/table';
import { randomOf } from './support/random';
import { STEWARD } from './support/steward';

const CLUSTERS = ['berlin-1', 'oslo', 'lab'];
const KILLS = 10;
/**
 * Records sent one after the other, and how many may wait for the quickest reader before no more are
 * sent.
 */
const AT_ONCE = 20;
const MOST_WAITING = 400;
const SEED = Number(process.env['STEWARD_TEST_SEED'] ?? 17);

let brokers: KafkaCluster;
let log: Log;
let folder: string;
/** Records on the topic. */
let total = 0;

/** What `steward findings` says of all clusters. */
function reported(): string[] {
  const brokersText = brokers.bootstrap.join(',');
  const lines = CLUSTERS.flatMap((cluster) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [STEWARD, 'findings', '--kafka-brokers', brokersText, '--cluster', cluster, '-o', 'ndjson'],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' } },
    );
    if (status !== 2) throw new Error(`steward findings ended with ${status}: ${stderr}`);
    return stdout.split('\n').filter((it) => it !== '');
  });
  return lines
    .map((it) => JSON.parse(it) as Record<string, string>)
    .map(({ id, revision, state }) => `${id} ${revision} ${state}`)
    .sort();
}

const databaseOf = (language: string): string => join(folder, `${language}.db`);

const kept = (database: string): string[] =>
  query<{ id: string; revision: number; state: string }>(
    database,
    'SELECT id, revision, state FROM open_finding',
  )
    .map((it) => `${it.id} ${it.revision} ${it.state}`)
    .sort();

/**
 * How a member was killed: how many records it and the other had read by then, since it was started
 * and in all, and how many were waiting.
 */
interface Kill {
  readonly since: number;
  readonly read: number;
  readonly waiting: number;
}

/** How many records the table has taken, of a topic whose offsets begin with 0. */
const readIn = (database: string): number =>
  hasTable(database, 'position')
    ? (query<{ read: number | null }>(database, 'SELECT sum(next) AS read FROM position')[0]!
        .read ?? 0)
    : 0;

/** What becomes of each language's consumer. */
const outcomes = new Map<string, ReturnType<typeof killedAtRandom>>();
/** The databases of those that are still to be killed. */
const reading = new Set<string>();

/**
 * Sends findings, never far ahead of whoever reads them quickest, until nobody is to be killed any
 * more. The others read on while one waits for the session of its dead to end.
 */
async function send(random: () => number): Promise<void> {
  const stream = findingsStream(CLUSTERS, random);
  while (reading.size > 0) {
    if (total - Math.max(...[...reading].map(readIn)) < MOST_WAITING)
      for (let count = 0; count < AT_ONCE; count++) {
        const { partition, ...record } = stream.next().value;
        await log.append(FINDINGS, partition, [{ ...record, timestamp: Date.now() }]);
        total++;
      }
    await sleep(10);
  }
}

/** Waits until so many records were read since then; throws where nobody is left to read them. */
async function untilRead(database: string, count: number, members: readonly Member[]) {
  while (readIn(database) < count) {
    const ended = members.find((it) => !it.isRunning && it.errors !== '');
    if (ended !== undefined) throw new Error(`it ended: ${ended.errors}`);
    await sleep(2);
  }
}

/**
 * Members of a group are killed in the middle of reading, and started again; ends when one that is
 * left has read all that was sent meanwhile.
 */
async function killedAtRandom({ name }: Language, program: Program, sent: () => Promise<void>) {
  const database = databaseOf(name);
  const env = {
    BROKERS: brokers.bootstrap.join(','),
    DATABASE: database,
    GROUP: `my-tool-${name}`,
    SCHEMA: join(EXAMPLES, 'schema.sql'),
    SESSION_TIMEOUT_MS: '6000',
  };
  const members = [new Member(program, env), new Member(program, env)];
  const random = randomOf(SEED);
  const kills: Kill[] = [];
  try {
    for (let count = 0; count < KILLS; count++) {
      const since = readIn(database);
      for (const it of members) if (!it.isRunning) it.start();
      await untilRead(database, since + 20 + Math.floor(random() * 180), members);
      await members[random() < 0.5 ? 0 : 1]!.kill();
      const read = readIn(database);
      kills.push({ since: read - since, read, waiting: total - read });
    }
    reading.delete(database);
    await sent();
    for (const it of members) if (!it.isRunning) it.start();
    await members[1]!.kill();
    while (!(await isCaughtUp(database, log, FINDINGS, CLUSTERS))) {
      if (!members[0]!.isRunning) throw new Error(`it ended: ${members[0]!.errors}`);
      await sleep(200);
    }
    return { database, kills };
  } finally {
    reading.delete(database);
    for (const it of members) await it.kill();
  }
}

describeWith(kafka, 'on Kafka', () => {
  let sending: Promise<void>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-consumers-'));
    brokers = await startKafka({ properties: { 'group.initial.rebalance.delay.ms': '0' } });
    log = openKafkaLog({
      brokers: brokers.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
    });
    await log.ensureTopics(TOPICS);
    // All at once: most of it is waiting for sessions of the dead to end.
    const here = LANGUAGES.filter((it) => it.fixture.missing() === undefined);
    const programs = here.map((it) => [it, it.build()] as const);
    for (const { name } of here) reading.add(databaseOf(name));
    sending = send(randomOf(SEED + 1));
    sending.catch(() => undefined); // said by who waits for it
    for (const [language, program] of programs) {
      const outcome = killedAtRandom(language, program, () => sending);
      outcome.catch(() => undefined); // said by its test
      outcomes.set(language.name, outcome);
    }
  }, 600_000);
  afterAll(async () => {
    reading.clear();
    await Promise.allSettled([sending, ...outcomes.values()]);
    await log?.close();
    await brokers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const language of LANGUAGES)
    describeWith(language.fixture, `the consumer in ${language.name}`, () => {
      it(`ends with what steward findings says, killed at random (seed ${SEED})`, async () => {
        const { database, kills } = await outcomes.get(language.name)!;
        for (const it of kills) expect(it.since).toBeGreaterThanOrEqual(20);
        expect(kills.some((it) => it.waiting > 0)).toBe(true);
        const open = kept(database);
        expect(open.length).toBeGreaterThan(20);
        expect(open).toEqual(reported());
        expect(query(database, 'SELECT * FROM poison').length).toBeGreaterThan(5);
      }, 600_000);

      it('begins again where it was away for longer than tombstones are kept', async () => {
        const database = databaseOf(language.name);
        const opened = openSqliteDatabase(database);
        opened.exec('UPDATE position SET at = at - 31 * 86400');
        opened.exec(
          "INSERT INTO finding VALUES ('buried meanwhile', (SELECT topic_partition FROM position), 1, 'confirmed', '{}')",
        );
        opened.close();
        const env = {
          BROKERS: brokers.bootstrap.join(','),
          DATABASE: database,
          GROUP: `again-${language.name}`,
          SCHEMA: join(EXAMPLES, 'schema.sql'),
        };
        const member = new Member(language.build(), env);
        member.start();
        try {
          const buried = "SELECT id FROM finding WHERE id = 'buried meanwhile'";
          while (
            query(database, buried).length > 0 ||
            !(await isCaughtUp(database, log, FINDINGS, CLUSTERS))
          ) {
            if (!member.isRunning) throw new Error(`it ended: ${member.errors}`);
            await sleep(200);
          }
          expect(kept(database)).toEqual(reported());
        } finally {
          await member.kill();
        }
      }, 300_000);
    });
});
