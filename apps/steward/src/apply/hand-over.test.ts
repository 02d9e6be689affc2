import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { moveInbox, openInbox, type Plan } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { type Channel, channelOf } from '../inputs/decisions';
import { handOver } from './hand-over';

const CLUSTER = 'berlin-1';
const PLAN = {
  id: 'f'.repeat(64),
  cluster: CLUSTER,
  entries: [{ id: 'a' }, { id: 'b' }],
} as unknown as Plan;

let folder: string;
let log: SqliteLog;
let channel: Channel;
let stop: AbortController;
let moving: Promise<unknown>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steward-hand-over-'));
  writeFileSync(join(folder, 'cluster'), `${CLUSTER}\n`);
  writeFileSync(join(folder, 'steward.yaml'), '{}');
  log = openSqliteLog({ file: join(folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  channel = await channelOf({ stateDir: folder, config: join(folder, 'steward.yaml'), by: 'anna' });
  stop = new AbortController();
  const inbox = openInbox(folder);
  moving = moveInbox({ inbox, log, partition: channel.partition, signal: stop.signal }).finally(
    () => inbox.close(),
  );
});

afterEach(async () => {
  stop.abort();
  await moving;
  await log.close();
  rmSync(folder, { recursive: true });
});

const action = (id: string, more: Partial<ActionRecord>): ActionRecord => ({
  version: 1,
  id,
  cluster: CLUSTER,
  revision: 1,
  rule: 'r',
  finding: { id: 'f', revision: 2 },
  action: 'delete-acl',
  target: { source: 'ovn-nb', kind: 'ACL', name: '', uid: id },
  state: 'deferred',
  code: 'plan-stale',
  reason: 'It moved.',
  mode: 'enforce',
  plan: PLAN.id,
  approvedBy: 'anna',
  proof: [],
  owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: [] },
  scope: { vpc: null, subnet: null },
  undo: null,
  executor: 'e',
  at: '2026-05-04T10:00:00.000Z',
  claimedAt: null,
  endedAt: null,
  ...more,
});
const decide = (...actions: readonly ActionRecord[]): Promise<unknown> =>
  log.append(
    ACTIONS,
    channel.partition,
    actions.map((it) => ({ key: it.id, value: JSON.stringify(it), timestamp: Date.now() })),
  );
const decisions = async (): Promise<readonly string[]> =>
  (await log.read(CONTROL, channel.partition, 0n, 100)).records.map(
    ({ value }) => (JSON.parse(value!.toString()) as { type: string }).type,
  );
/** An executor that decides that, once it hears of the plan. */
async function executor(...actions: readonly ActionRecord[]): Promise<void> {
  while ((await decisions()).length === 0) await sleep(20);
  await decide(...actions);
}

test('a plan that is refused as a whole is not waited for, and is withdrawn', async () => {
  await decide(
    action('a', { code: 'approval', state: 'proposed', plan: null }),
    action('b', { code: 'plan-stale' }),
  );
  const heard: string[] = [];
  const [decided] = await Promise.all([
    handOver({
      plan: PLAN,
      channel,
      overCeilings: false,
      wait: true,
      signal: new AbortController().signal,
      onAction: (it) => heard.push(`${it.id} ${it.revision} ${it.code}`),
    }),
    executor(action('a', { revision: 2 }), action('b', { revision: 2, reason: 'It moved again.' })),
  ]);
  expect(decided.map(({ revision, code }) => `${revision} ${code}`)).toEqual([
    '2 plan-stale',
    '2 plan-stale',
  ]);
  expect(heard).toEqual(['a 2 plan-stale', 'b 2 plan-stale']);
  expect(await decisions()).toEqual(['plan', 'withdraw']);
});

test('what an earlier attempt was refused for says nothing of this one', async () => {
  await decide(action('a', {}), action('b', {}));
  const stopped = new AbortController();
  const following = handOver({
    plan: PLAN,
    channel,
    overCeilings: false,
    wait: true,
    signal: stopped.signal,
    onAction: () => undefined,
  });
  await executor(action('a', { revision: 2, state: 'refused', code: 'gone' }));
  expect(await Promise.race([following.then(() => 'ended'), sleep(1500, 'goes on')])).toBe(
    'goes on',
  );
  await decide(action('b', { revision: 2, state: 'refused', code: 'gone' }));
  expect((await following).map(({ code }) => code)).toEqual(['gone', 'gone']);
  expect(await decisions()).toEqual(['plan']);
});

test.each([
  ['not under this plan', null],
  ['under this plan, by an executor that may run no more', PLAN.id],
])('what was recorded before, %s, does not show that somebody took it up', async (_, plan) => {
  await decide(action('a', { code: 'held', plan }), action('b', { code: 'held', plan }));
  await expect(
    handOver({
      plan: PLAN,
      channel,
      overCeilings: false,
      wait: false,
      signal: new AbortController().signal,
      onAction: () => undefined,
      takenUpMs: 1000,
    }),
  ).rejects.toThrow(/^No executor of the pipeline on .* took the plan up/);
  expect(await decisions()).toEqual(['plan', 'withdraw']);
});
