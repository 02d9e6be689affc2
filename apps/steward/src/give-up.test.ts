import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInbox } from '@ovn-steward/executor';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { steward } from './testing/cli';

const sample = (name: string): ActionRecord =>
  ActionRecord.parse(
    JSON.parse(
      readFileSync(
        join(__dirname, '../../../contracts/examples', `action.v1.${name}.json`),
        'utf8',
      ),
    ),
  );
const CLAIMED = sample('claimed');
const DONE = sample('done');
const STUCK: ActionRecord = {
  ...CLAIMED,
  id: `57${CLAIMED.id.slice(2)}`,
  unsettled: {
    since: '2026-03-02T11:00:00.000Z',
    failures: 4,
    why: 'the table is gone',
    nextTryAt: '2026-03-02T11:00:08.000Z',
  },
};

let state: string;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), 'steward-give-up-'));
  writeFileSync(join(state, 'cluster'), `${CLAIMED.cluster}\n`);
  const log = openSqliteLog({ file: join(state, 'log.db') });
  await log.ensureTopics(TOPICS);
  await log.append(
    ACTIONS,
    partitionOf(CLAIMED.cluster, PARTITIONS),
    [CLAIMED, DONE, STUCK].map((action) => ({
      key: action.id,
      value: JSON.stringify(action),
      timestamp: Date.parse(action.at),
    })),
  );
  await log.close();
});
afterEach(() => rmSync(state, { recursive: true }));

const giveUp = (action: ActionRecord) =>
  steward(['give-up', action.id, '--reason', 'by hand', '--by', 'anna', '--state-dir', state]);
function waiting(): Control[] {
  const inbox = openInbox(state);
  try {
    return inbox.waiting().map((it) => JSON.parse(it.value) as Control);
  } finally {
    inbox.close();
  }
}

test('an action that is not settled is given up, and which claim of it is meant', async () => {
  const { code, stdout } = await giveUp(STUCK);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`Given up: ${STUCK.action} on Logical_Switch_Port web-0.shop`),
  ]);
  expect(waiting()).toMatchObject([
    {
      type: 'give-up',
      cluster: STUCK.cluster,
      by: 'anna',
      of: STUCK.id,
      claimedAt: STUCK.claimedAt,
      reason: 'by hand',
    },
  ]);
});

test.each([
  ['settled', DONE, /is done \(.*\): it is settled, and there is nothing to give up\./],
  ['being settled', CLAIMED, /no executor has failed to settle it so far: wait/],
])('what is %s is not, which is said', async (_, action, why) => {
  const { code, stderr } = await giveUp(action);
  expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  expect(waiting()).toEqual([]);
});
