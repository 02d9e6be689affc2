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
import { isCaughtUp, query } from './consumers/table';
import { randomOf } from './support/random';
import { STEWARD } from './support/steward';

const CLUSTERS = ['berlin-1', 'oslo', 'lab'];
const ROUNDS = 12;
const RECORDS_A_ROUND = 60;
const SEED = Number(process.env['STEWARD_TEST_SEED'] ?? 17);

let brokers: KafkaCluster;
let log: Log;
let folder: string;

/** What `steward findings` says of all clusters. */
function told(): string[] {
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

const kept = (database: string): string[] =>
  query<{ id: string; revision: number; state: string }>(
    database,
    'SELECT id, revision, state FROM open_finding',
  )
    .map((it) => `${it.id} ${it.revision} ${it.state}`)
    .sort();

/** Sends findings while members of the group are killed, join and leave; ends when one that is left has read them all. */
async function killedAtRandom({ name }: Language, program: Program): Promise<string> {
  const database = join(folder, `${name}.db`);
  const env = {
    BROKERS: brokers.bootstrap.join(','),
    DATABASE: database,
    GROUP: `my-tool-${name}`,
    SCHEMA: join(EXAMPLES, 'schema.sql'),
    SESSION_TIMEOUT_MS: '6000',
  };
  const members = [new Member(program, env), new Member(program, env)];
  const random = randomOf(SEED);
  const stream = findingsStream(CLUSTERS, random);
  members[0]!.start();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (let count = 0; count < RECORDS_A_ROUND; count++) {
        const { partition, ...record } = stream.next().value;
        await log.append(FINDINGS, partition, [{ ...record, timestamp: Date.now() }]);
      }
      const member = members[random() < 0.5 ? 0 : 1]!;
      if (member.isRunning) await member.kill();
      else member.start();
    }
    for (const it of members) if (!it.isRunning) it.start();
    await members[1]!.kill();
    while (!(await isCaughtUp(database, log, FINDINGS, CLUSTERS))) {
      if (!members[0]!.isRunning) throw new Error(`it ended: ${members[0]!.errors}`);
      await sleep(200);
    }
    return database;
  } finally {
    for (const it of members) await it.kill();
  }
}

describeWith(kafka, 'on Kafka', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-consumers-'));
    brokers = await startKafka({ properties: { 'group.initial.rebalance.delay.ms': '0' } });
    log = openKafkaLog({
      brokers: brokers.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
    });
    await log.ensureTopics(TOPICS);
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await brokers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const language of LANGUAGES)
    describeWith(language.fixture, `the consumer in ${language.name}`, () => {
      let program: Program;
      beforeAll(() => {
        program = language.build();
      }, 600_000);

      it(`ends with what steward findings says, killed at random (seed ${SEED})`, async () => {
        const database = await killedAtRandom(language, program);
        const open = kept(database);
        expect(open.length).toBeGreaterThan(20);
        expect(open).toEqual(told());
        expect(query(database, 'SELECT * FROM poison').length).toBeGreaterThan(5);
      }, 600_000);

      it('begins anew where it was away for longer than tombstones are kept', async () => {
        const database = join(folder, `${language.name}.db`);
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
        const member = new Member(program, env);
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
          expect(kept(database)).toEqual(told());
        } finally {
          await member.kill();
        }
      }, 300_000);
    });
});
