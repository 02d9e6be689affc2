import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { EXAMPLES, LANGUAGES } from './consumers/languages';
import { Member } from './consumers/member';
import { isCaughtUp, query } from './consumers/table';
import { STEWARD } from './support/steward';

const TOPIC = 'findings-test';
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

describeWith(kafka, 'the recorded stream on Kafka', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-stream-'));
    brokers = await startKafka({ properties: { 'group.initial.rebalance.delay.ms': '0' } });
    log = openKafkaLog({ brokers: brokers.bootstrap, clientId: 'test', replicationFactor: 1 });
    expect(replayTo(TOPIC)).toMatchObject({ status: 0, stderr: '' });
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
        const database = join(folder, `${language.name}.db`);
        const member = new Member(language.build(), {
          BROKERS: brokers.bootstrap.join(','),
          DATABASE: database,
          GROUP: `check-${language.name}`,
          TOPIC,
          SCHEMA: join(EXAMPLES, 'schema.sql'),
        });
        member.start();
        try {
          while (!(await isCaughtUp(database, log, TOPIC, CLUSTERS))) {
            if (!member.isRunning) throw new Error(`it ended: ${member.errors}`);
            await sleep(200);
          }
        } finally {
          await member.kill();
        }
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
    });
});
