import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { action } from '../testing/actions';
import { decision } from '../testing/controls';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { contentOf } from '@ovn-steward/systems/testing/recorded-northbound';
import { recordedSystems } from '../testing/recorded-systems';

const LOST = new Failure('source-unreachable', 'no answer');

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let finding: Proposal;
let proposals: Proposal[];
let executor: Scene;
/** Whether whoever asks for the right to act fails, once it is claimed. */
let fails: boolean;
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finding = (await recordedProposals('leaky')).find((each) => each.rule === 'orphaned-port-group')!;
  proposals = [finding];
  fails = true;
  executor = scene({ northbound, kubernetes }, () => proposals, OPEN_LIMITS, {
    fence: () => (fails ? Promise.reject(LOST) : Promise.resolve()),
  });
  // Claimed, and not settled.
  await executor.turns(1);
  proposals = [];
  fails = false;
});
afterEach(() => executor.close());

const claim = (): ActionRecord => executor.actions()[0]!;
const isThere = (): boolean => northbound.database.rows('Port_Group').has(finding.subject.uid);
/** By somebody else. */
const takeAway = (): void =>
  void northbound.database.transact(
    [operation.remove('Port_Group', [['_uuid', '==', ['uuid', finding.subject.uid]]])],
    () => false,
  );
const givenUp = (more: object = {}) =>
  decision({
    type: 'give-up',
    cluster: RECORDED_CLUSTER,
    of: claim().id,
    claimedAt: claim().claimedAt!,
    reason: 'the table is gone',
    ...more,
  });
const wantedBack = (at: Date = new Date()) =>
  decision({ type: 'undo', cluster: RECORDED_CLUSTER, of: claim().id, at: at.toISOString() });

test('a claim that was given up ends as failed, under whose word it was, and nothing is written anywhere', async () => {
  expect(claim()).toMatchObject({ state: 'claimed', unsettled: { failures: 1, why: 'no answer' } });
  const before = contentOf(northbound);
  const undo = claim().undo;
  await executor.decide(givenUp());
  await executor.turns(2);
  expect(claim()).toMatchObject({
    state: 'failed',
    code: 'given-up',
    reason: 'anna gave it up (the table is gone): it is not known whether it was removed',
    undo,
  });
  expect(claim()).not.toHaveProperty('unsettled');
  expect(contentOf(northbound)).toEqual(before);
  expect(executor.ledger.open(RECORDED_CLUSTER)).toEqual([]);
});

test.each<[title: string, more: object]>([
  ['another claim of the same action', { claimedAt: '2020-01-01T00:00:00.000Z' }],
  ['other living systems', { identity: { northbound: 'nb:other', kubernetes: 'other' } }],
  ['another cluster', { cluster: 'another' }],
  ['another action', { of: 'nobody knows this one' }],
])('a word about %s ends nothing', async (_, more) => {
  await executor.decide(givenUp(more));
  await executor.turns(1);
  // Settled as any other: it is there, and nothing was sent.
  expect(claim()).toMatchObject({ state: 'deferred', code: 'unsent' });
});

test('what is settled stays as it ended, whatever is said of its claim', async () => {
  const late = givenUp();
  await executor.turns(1);
  proposals = [finding];
  await executor.turns(1);
  const done = claim();
  expect(done.state).toBe('done');
  await executor.decide(late, givenUp());
  await executor.turns(2);
  expect(claim()).toEqual(done);
});

test('what turns out to be gone can be put back', async () => {
  await executor.decide(givenUp());
  await executor.turns(1);
  takeAway();
  await executor.decide(wantedBack());
  await executor.turns(1);
  expect([claim().state, isThere()]).toEqual(['undone', true]);
});

test('of what is there nothing is put back, which is said; later it may be asked for again', async () => {
  await executor.decide(givenUp());
  await executor.turns(1);
  const before = contentOf(northbound);
  await executor.decide(wantedBack());
  await executor.turns(2);
  expect(claim()).toMatchObject({
    state: 'failed',
    code: 'undo-impossible',
    reason: 'it was given up, and anna wanted it back: it is there, and nothing was written',
  });
  expect(contentOf(northbound)).toEqual(before);
  takeAway();
  await executor.turns(1);
  expect(isThere()).toBe(false);
  await executor.decide(wantedBack(new Date(Date.now() + 1000)));
  await executor.turns(1);
  expect([claim().state, isThere()]).toEqual(['undone', true]);
});

test('a hold on undo leaves it given up', async () => {
  await executor.decide(
    givenUp(),
    decision({
      type: 'hold',
      cluster: RECORDED_CLUSTER,
      scope: {},
      reason: 'maintenance',
      until: null,
    }),
  );
  await executor.turns(1);
  takeAway();
  await executor.decide(wantedBack());
  await executor.turns(1);
  expect(claim()).toMatchObject({ state: 'failed', code: 'undo-held' });
  await executor.decide(decision({ type: 'resume', cluster: RECORDED_CLUSTER, scope: {} }));
  await executor.turns(1);
  expect([claim().state, isThere()]).toEqual(['undone', true]);
});

test('a claim of other living systems is not ended by a word that names none', async () => {
  const foreign = { northbound: 'nb:other', kubernetes: 'other' };
  executor.ledger.write([{ ...claim(), revision: claim().revision + 1, identity: foreign }]);
  await executor.decide(givenUp());
  await executor.turns(2);
  expect(claim()).toMatchObject({ state: 'claimed', identity: foreign });
  expect(executor.events).toContainEqual(
    expect.objectContaining({ type: 'other-cluster', what: 'give-up' }),
  );
});

test('of an object whose deletion was not begun it is said that nothing was sent', async () => {
  const target = { source: 'kubernetes', kind: 'IP', name: 'nobody', uid: 'u' } as const;
  const unsent = action('ip', { cluster: RECORDED_CLUSTER, target });
  executor.ledger.write([unsent]);
  await executor.decide(givenUp({ of: unsent.id, claimedAt: unsent.claimedAt! }));
  await executor.turns(1);
  expect(executor.ledger.get(unsent.id)).toMatchObject({
    code: 'given-up',
    reason: 'anna gave it up (the table is gone): nothing was sent under it',
  });
});
