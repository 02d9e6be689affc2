import { type ActionRecord, ActionState } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, CONTROL, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { signedLog, type SignedLogOptions } from '@ovn-steward/shared/signing/signed-log';
import { trusting } from '@ovn-steward/shared/signing/testing/keys';
import type { Proposal } from '../findings/proposal';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision, controlEntry } from '../testing/controls';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER as CLUSTER } from '../testing/recorded-engine';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import { EXECUTOR } from '../testing/signing';

const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const NO_KEYS: SignedLogOptions = { required: false };
const KEYS: SignedLogOptions = {
  key: EXECUTOR.key,
  trusted: () => trusting(EXECUTOR),
  required: false,
};
let bare: Log;
let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: readonly Proposal[];

beforeEach(async () => {
  bare = openSqliteLog({ file: ':memory:' });
  await bare.ensureTopics(TOPICS);
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  proposals = (await recordedProposals('leaky'))
    .filter((it) => it.rule === 'orphaned-port-group')
    .slice(0, 1);
});
afterEach(async () => {
  await closeScenes();
  await bare.close();
});

/** An executor with a file of its own, on the one log. */
const executor = (signing: SignedLogOptions): Scene =>
  scene({ northbound, kubernetes }, () => proposals, OPEN_LIMITS, {
    log: signedLog(bare, signing),
  });
const report = async (control: object): Promise<void> => {
  const reported = decision({ cluster: CLUSTER, ...control } as unknown as Parameters<
    typeof decision
  >[0]) as Control;
  await bare.append(CONTROL, PARTITION, [{ ...controlEntry(reported), timestamp: Date.now() }]);
};
const forge = (...records: readonly ActionRecord[]) =>
  bare.append(
    ACTIONS,
    PARTITION,
    records.map((it) => ({ key: it.id, value: JSON.stringify(it), timestamp: Date.now() })),
  );
const isThere = (): boolean =>
  northbound.database.rows('Port_Group').has(proposals[0]!.subject.uid);
const unproven = (it: Scene): string[] =>
  it.events.flatMap((event) => (event.type === 'unproven' ? [event.what] : []));

/** Of the one removal of the first executor. */
async function removed(first: Scene): Promise<ActionRecord> {
  await first.turns(1);
  expect(isThere()).toBe(false);
  return first.actions().find(({ state }) => state === 'done')!;
}

test('what another executor did without a key is put back by that executor alone', async () => {
  const first = executor(NO_KEYS);
  const { id } = await removed(first);
  await report({ type: 'undo', of: id });
  const second = executor(NO_KEYS);
  const before = contentOf(northbound);
  await second.turns(2);
  expect([contentOf(northbound), unproven(second)]).toEqual([before, ['undo']]);
  expect(second.events).toContainEqual(
    expect.objectContaining({ why: expect.stringMatching(/Give every executor .* a key/) }),
  );
  await first.turns(1);
  expect([isThere(), first.ledger.get(id)?.state, unproven(first)]).toEqual([true, 'undone', []]);
});

test('what another executor signed is put back by any, also where signatures are not asked for', async () => {
  const { id } = await removed(executor(KEYS));
  await report({ type: 'undo', of: id });
  const second = executor(KEYS);
  await second.turns(1);
  expect([isThere(), second.ledger.get(id)?.state]).toEqual([true, 'undone']);
});

test.each(ActionState.options.filter((it) => it !== 'undone'))(
  'of a forged action, %s, nothing is settled, put back or ended, nor published',
  async (state) => {
    const done = await removed(executor(NO_KEYS));
    const forged = ['racing', 'putting-back', 'given-up', 'not-finished', 'sending', state].map(
      (code): ActionRecord => ({ ...done, id: `forged-${code}`, state, code, plan: 'forged' }),
    );
    await forge(...forged);
    for (const { id, claimedAt } of forged) {
      await report({ type: 'undo', of: id });
      await report({ type: 'give-up', of: id, claimedAt, reason: 'forged' });
    }
    await report({ type: 'undo', of: 'forged' });
    proposals = [];
    const before = contentOf(northbound);
    const second = executor(KEYS);
    await second.turns(2);
    expect(contentOf(northbound)).toEqual(before);
    for (const it of forged) expect(second.ledger.get(it.id)).toEqual(it);
    expect(second.ledger.unpublished()).toBe(0);
    if (state === 'claimed') expect(unproven(second)).toContain('give-up');
  },
);

test('a forged record over a removal of ours does not have it put back', async () => {
  const first = executor(NO_KEYS);
  const done = await removed(first);
  await forge({ ...done, revision: done.revision + 1, code: 'racing' });
  proposals = [];
  const before = contentOf(northbound);
  await first.turns(2);
  expect([contentOf(northbound), first.ledger.get(done.id)]).toEqual([before, done]);
});

test('nobody acts beside a claim nobody is proven to have made', async () => {
  const done = await removed(executor(NO_KEYS));
  // Before it was done, as far as the log and the systems show.
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  bare = openSqliteLog({ file: ':memory:' });
  await bare.ensureTopics(TOPICS);
  await forge({ ...done, revision: 2, state: 'claimed', code: 'claimed', endedAt: null });
  const second = executor(NO_KEYS);
  await second.turns(1);
  expect([
    northbound.database.rows('Port_Group').has(done.target.uid),
    second.actions().map(({ state }) => state),
    unproven(second),
  ]).toEqual([true, ['claimed'], ['claim']]);
});
