import { Failure } from '@ovn-steward/shared/errors';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { WriteFault } from '@ovn-steward/ovsdb/testing/memory-database';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import type { Systems } from '@ovn-steward/systems/systems';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { recordedSystems } from '../testing/recorded-systems';
import { commentOfRecord } from './effect-comment';
import { putBack } from './put-back';
import type { ClusterWork } from './work';

const never = new AbortController().signal;

let systems: Systems;
let northbound: MemoryNorthbound;
let group: Proposal;
let executor: Scene;
let removed: ActionRecord;
/** What was done, in its order. */
let steps: string[];
beforeEach(async () => {
  const recorded = await recordedSystems('leaky');
  systems = recorded;
  northbound = recorded.northbound;
  group = (await recordedProposals('leaky')).find(({ rule }) => rule === 'orphaned-port-group')!;
  executor = scene(recorded, () => [group], OPEN_LIMITS);
  await executor.turns(1);
  removed = executor.actions()[0]!;
  expect(removed).toMatchObject({ state: 'done' });
  steps = [];
  onWrite(() => undefined);
});
afterEach(() => executor.close());

/** What happens when a write arrives. */
function onWrite(fault: () => WriteFault): void {
  northbound.database.fault = () => {
    steps.push('write');
    return fault();
  };
}
const isThere = (): boolean =>
  [...northbound.database.rows('Port_Group').values()].some(
    (row) => (row as Record<string, unknown>)['name'] === group.subject.name,
  );
const how = (more: Partial<Parameters<typeof putBack>[4]> = {}): Parameters<typeof putBack>[4] => ({
  unsure: false,
  held: async () => void steps.push('hold asked'),
  sending: async () => void steps.push('recorded'),
  ...more,
});
const back = (
  more: Partial<Parameters<typeof putBack>[4]> = {},
  check: () => Promise<void> = async () => undefined,
): ReturnType<typeof putBack> =>
  putBack(
    removed,
    commentOfRecord(removed),
    {
      systems,
      belonging: { check },
      fence: async () => void steps.push('fence'),
    } as unknown as ClusterWork,
    never,
    how(more),
  );

test('it is recorded, then the right to act and holds are asked, then it is written once', async () => {
  expect(await back()).toMatchObject({ is: 'back' });
  expect(steps).toEqual(['recorded', 'fence', 'hold asked', 'write']);
  expect(isThere()).toBe(true);
});

test('what is there again is back, and nothing is written', async () => {
  await back();
  steps = [];
  expect(await back()).toMatchObject({ is: 'back' });
  expect(steps).toEqual([]);
});

test.each([true, false])(
  'a hold keeps it, whether an attempt was cut off (%s) or not',
  async (unsure) => {
    expect(await back({ unsure, held: async () => 'berta holds it' })).toEqual({
      is: 'held',
      reason: 'berta holds it',
      unsure,
    });
    expect(steps).not.toContain('write');
    expect(isThere()).toBe(false);
  },
);

test('a hold that comes while it is tried again keeps it; the first attempt may have arrived', async () => {
  onWrite(() => 'lose-request');
  let requested = 0;
  expect(
    await back({ held: async () => (++requested === 2 ? 'berta holds it' : undefined) }),
  ).toEqual({
    is: 'held',
    reason: 'berta holds it',
    unsure: true,
  });
  expect(isThere()).toBe(false);
});

test('in another cluster nothing is written, nor is it said to be back', async () => {
  const other = new Failure('other-cluster', 'others answer');
  await expect(back({}, () => Promise.reject(other))).rejects.toBe(other);
  expect(steps).toEqual([]);
  await back();
  await expect(back({}, () => Promise.reject(other))).rejects.toBe(other);
});

test('without an answer it is looked for, and written again where it is not there', async () => {
  let writes = 0;
  onWrite(() => (++writes === 1 ? 'lose-request' : undefined));
  expect(await back()).toMatchObject({ is: 'back' });
  expect([writes, steps.filter((step) => step === 'recorded')]).toEqual([2, ['recorded']]);
});

test('after three attempts without an answer it may have arrived', async () => {
  onWrite(() => 'lose-request');
  expect(await back()).toMatchObject({
    is: 'impossible',
    unsure: true,
    reason: expect.stringContaining('tried 3 times'),
  });
  expect(steps.filter((step) => step === 'write')).toHaveLength(3);
});

test.each([true, false])(
  'of what cannot be put back it stays known whether an attempt was cut off: %s',
  async (unsure) => {
    removed = { ...removed, undo: null };
    expect(await back({ unsure })).toMatchObject({ is: 'impossible', unsure });
    expect(steps).toEqual([]);
  },
);
