import { Failure } from '@ovn-steward/shared/errors';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { action } from '../testing/actions';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { retriesOf } from './retries';
import { settleAll } from './settle-all';
import type { ClusterWork } from './work';

const DIED = new Failure('log-partition-lost', 'killed');

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];
let executor: Scene;
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  proposals = await recordedProposals('leaky');
  executor = scene({ northbound, kubernetes }, () => proposals, OPEN_LIMITS);
});
afterEach(() => executor.close());

const first = (rule: string): Proposal => proposals.find((each) => each.rule === rule)!;
const states = (): Readonly<Record<string, string>> =>
  Object.fromEntries(executor.actions().map((each) => [each.rule, `${each.state} ${each.code}`]));
const unsettled = (): readonly string[] =>
  executor.events.flatMap((event) => (event.type === 'unsettled' ? [event.unsettled.id] : []));

/** A claim of somebody who died, on a thing that cannot be read. */
const stuck = (target: object): ReturnType<typeof action> => {
  const claim = action('stuck', { cluster: RECORDED_CLUSTER, rule: 'stuck' });
  const made = { ...claim, target: { ...claim.target, ...target } };
  executor.ledger.write([made]);
  return made;
};

test.each([
  ['a malformed uuid', { uid: 'no uuid at all' }],
  ['a table that is gone', { kind: 'No_Such_Table' }],
])('a claim on %s stays open, and everybody else goes on', async (_, target) => {
  const group = first('orphaned-port-group');
  proposals = [group];
  const { id } = stuck(target);
  await executor.turns(1);
  expect(states()).toEqual({
    stuck: expect.stringMatching(/^claimed /),
    'orphaned-port-group': 'done done',
  });
  expect(unsettled()).toEqual([id]);
});

test('where a deletion may not be called off, since patch is forbidden, its claim stays open and the others are settled', async () => {
  proposals = [first('leaked-ip')];
  kubernetes.fault = ({ verb }) => (verb === 'delete' ? DIED : undefined);
  await expect(executor.turns(1)).rejects.toBe(DIED);
  kubernetes.fault = undefined;
  kubernetes.forbidden.add('patch IP');
  proposals = [
    first('leaked-ip'),
    (await recordedProposals('leaky')).find((each) => each.rule === 'orphaned-port-group')!,
  ];
  await executor.turns(1);
  expect(states()).toEqual({
    'leaked-ip': 'claimed sending',
    'orphaned-port-group': 'done done',
  });
  expect(unsettled()).toHaveLength(1);
  kubernetes.forbidden.clear();
  await executor.turns(1);
  expect(executor.ledger.open(RECORDED_CLUSTER)).toEqual([]);
});

test('what everything fails with ends the turn', async () => {
  stuck({ uid: 'no uuid at all' });
  northbound.read = () => Promise.reject(DIED);
  await expect(executor.turns(1)).rejects.toBe(DIED);
});

describe('how long and for whom it goes on', () => {
  /** Claims of which each fails at once, and who was tried; `then` is called after each. */
  const settling = (then: () => void, signal: AbortSignal) => {
    const tried: string[] = [];
    const retries = retriesOf({
      clock: () => new Date(),
      steady: () => 0,
      onFailure: ({ id }) => {
        tried.push(id);
        then();
      },
    });
    const claims = ['a', 'b', 'c'].map((name) => action(name, { id: name }));
    const none: never[] = [];
    const begun = settleAll(
      { claims, races: none, terminating: none, withdrawn: none },
      {} as ClusterWork,
      { now: 0, finishWithinMs: 0 },
      retries,
      signal,
    );
    return { tried, begun };
  };

  test('after five seconds the rest waits for the next turn', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const { tried, begun } = settling(() => (now += 2501), new AbortController().signal);
      await begun;
      expect(tried).toEqual(['a', 'b']);
    } finally {
      clock.mockRestore();
    }
  });

  test('nothing more is begun once the signal fired', async () => {
    const stop = new AbortController();
    const reason = new Error('stop');
    const { tried, begun } = settling(() => stop.abort(reason), stop.signal);
    await expect(begun).rejects.toBe(reason);
    expect(tried).toEqual(['a']);
  });
});
