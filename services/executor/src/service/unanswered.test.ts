import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { ControlEntry } from '@ovn-steward/contracts/control/read-control';
import { NOTHING_DECIDED } from '../control/control-state';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { controlKey } from '@ovn-steward/contracts/control/control';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { catchUpLedger } from '../ledger/catch-up';
import { Ledger } from '../ledger/ledger';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { action } from '../testing/actions';
import { decision } from '../testing/controls';
import { CLUSTER, NOW, PARTITION } from '../testing/findings';
import { unansweredIn } from './unanswered';
import { foldControls } from '../control/fold-controls';

const clock = (): Date => NOW;

/** The ledger of an executor that read these actions in the log, unsigned. */
async function ledgerOf(
  required: 'unsigned' | 'embedded',
  ...actions: ActionRecord[]
): Promise<Ledger> {
  const bare = openSqliteLog({ file: ':memory:', now: () => NOW.getTime() });
  await bare.ensureTopics(TOPICS);
  await bare.append(
    ACTIONS,
    PARTITION,
    actions.map((it) => ({ key: it.id, value: JSON.stringify(it), timestamp: NOW.getTime() })),
  );
  const ledger = new Ledger(openStateFile(':memory:'));
  const log =
    required === 'embedded' ? bare : signedLog(bare, { required: false, now: () => NOW.getTime() });
  const signal = new AbortController().signal;
  await catchUpLedger({
    log,
    ledger,
    clock,
    partition: PARTITION,
    signal,
    onRefused: () => undefined,
  });
  await bare.close();
  return ledger;
}

const decided = (...reported: Parameters<typeof decision>[0][]) =>
  foldControls(
    NOTHING_DECIDED,
    CLUSTER,
    reported.map(decision).map((control): ControlEntry => ({
      key: controlKey(control),
      read: { control },
    })),
  );

const done = action('p', { state: 'done', code: 'removed', plan: 'plan-7' });
const claimed = action('q');

test.each(['unsigned', 'embedded'] as const)(
  'an undo and a give-up of what nobody signed wait, and are listed: %s',
  async (log) => {
    const ledger = await ledgerOf(log, done, claimed);
    const state = decided(
      { type: 'undo', of: done.id, at: '2026-01-02T00:00:00Z' },
      {
        type: 'give-up',
        of: claimed.id,
        claimedAt: claimed.claimedAt!,
        reason: 'stuck',
        at: '2026-01-01T00:00:00Z',
      },
    );
    const proven = log === 'embedded';
    expect(unansweredIn(state, ledger)).toEqual(
      proven
        ? []
        : [
            expect.objectContaining({ request: 'give-up', action: claimed.id, by: 'anna' }),
            expect.objectContaining({
              request: 'undo',
              action: done.id,
              at: '2026-01-02T00:00:00Z',
              target: 'Logical_Switch_Port p',
              executor: 'executor-a',
              why: expect.stringMatching(/is not signed.* Give every executor .* a key/),
            }),
          ],
    );
  },
);

test('of a plan each action waits by itself', async () => {
  const ledger = await ledgerOf('unsigned', done);
  const state = decided({ type: 'undo', of: 'plan-7' });
  expect(unansweredIn(state, ledger).map((it) => it.action)).toEqual([done.id]);
});

test('nothing waits where there is nothing to put back or to end', async () => {
  const undone = action('p', { state: 'undone' });
  const ledger = await ledgerOf('unsigned', undone, claimed);
  const state = decided(
    { type: 'undo', of: undone.id },
    { type: 'undo', of: 'unknown' },
    { type: 'give-up', of: claimed.id, claimedAt: 'another claim', reason: 'stuck' },
  );
  expect(unansweredIn(state, ledger)).toEqual([]);
});
