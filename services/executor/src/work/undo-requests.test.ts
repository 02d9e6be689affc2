import { operation } from '@ovn-steward/ovsdb';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { NOTHING_DECIDED } from '../control/control-state';
import { OPEN_LIMITS, recordedProposals, scene } from '../testing/acting';
import { action } from '../testing/actions';
import { decision } from '../testing/controls';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { retriesOf } from './retries';
import { undoWanted } from './undo-requests';

const never = new AbortController().signal;
const DONE = action('a', { state: 'done', code: 'done' });
const REQUEST = { id: 'request', by: 'anna', at: DONE.at };

let steps: string[];
let steady: number;
beforeEach(() => {
  steps = [];
  steady = 0;
});
const retries = () =>
  retriesOf({
    clock: () => new Date(),
    steady: () => steady,
    onFailure: ({ id, why }) => void steps.push(`${id} failed: ${why}`),
  });

/**
 * What is asked of the request about it; `says` is why it is not ours, and whether that is over.
 * Holds cannot be read.
 */
const wanted = (
  record: ActionRecord,
  tried: ReturnType<typeof retries>,
  says: { readonly foreign?: string; readonly over?: boolean } = {},
): ReturnType<typeof undoWanted> =>
  undoWanted(
    { ...NOTHING_DECIDED, undos: new Map([[record.id, REQUEST]]) },
    { get: () => record, ofPlan: () => [] },
    {
      unproven: { why: () => undefined },
      belonging: {
        refuses: () => undefined,
        foreign: () => says.foreign,
        isOver: () => says.over === true,
        refused: (what: string, id: string) => void steps.push(`${what} of ${id} refused`),
      },
      ledger: {
        goOn: (_: unknown, { code }: { code: string }) => void steps.push(`recorded ${code}`),
      },
      holds: { now: () => Promise.reject(new Error('not readable')) },
    } as unknown as Parameters<typeof undoWanted>[2],
    tried,
    never,
  );

test('what failed is tried again after its pause, and not before', async () => {
  const tried = retries();
  const failed = `${DONE.id} failed: not readable`;
  for (const [at, times] of [
    [0, 1],
    [499, 1],
    [500, 2],
  ] as const) {
    steady = at;
    expect(await wanted(DONE, tried)).toEqual([]);
    expect(steps).toEqual(Array(times).fill(failed));
  }
});

test('what is of other living systems is left to whoever acts there', async () => {
  expect(await wanted(DONE, retries(), { foreign: 'of another' })).toEqual([]);
  expect(steps).toEqual([`undo of ${DONE.id} refused`]);
});

test('unless a person said that it is over: then it is answered', async () => {
  expect(await wanted(DONE, retries(), { foreign: 'of another', over: true })).toEqual([REQUEST]);
  expect(steps).toEqual([`undo of ${DONE.id} refused`, 'recorded other-cluster']);
});

describe('what cannot be put back', () => {
  /**
   * A row that was removed, whose name another has by now; what stands of it before it is wanted
   * back, and after.
   */
  async function impossible(code: 'done' | 'undoing'): Promise<string> {
    const systems: { northbound: MemoryNorthbound } & Awaited<ReturnType<typeof recordedSystems>> =
      await recordedSystems('leaky');
    const group = (await recordedProposals('leaky')).find(
      (each) => each.rule === 'orphaned-port-group',
    )!;
    const executor = scene(systems, () => [], OPEN_LIMITS);
    try {
      const acted = scene(systems, () => [group], OPEN_LIMITS);
      await acted.turns(1);
      const [removed] = acted.actions() as [ActionRecord];
      await acted.close();
      executor.ledger.write([{ ...removed, code }]);
      systems.northbound.database.transact([
        operation.insert('Port_Group', { name: group.subject.name }),
      ]);
      await executor.decide(
        decision({ type: 'undo', of: removed.id, cluster: RECORDED_CLUSTER } as Control),
      );
      await executor.turns(1);
      const [record] = executor.actions();
      return `${record!.state} ${record!.code}`;
    } finally {
      await executor.close();
    }
  }

  test('is said to be so', async () =>
    expect(await impossible('done')).toBe('done undo-impossible'));

  test('may have been put back by an attempt that nobody heard of', async () =>
    expect(await impossible('undoing')).toBe('done undo-unclear'));
});

describe('an object that is there with the uid that it had', () => {
  /** What stands of its deletion, in which the ledger believes, after `decided`. */
  async function neverRemoved(decided: (id: string) => Control): Promise<ActionRecord> {
    const ip = (await recordedProposals('leaky')).find((each) => each.rule === 'leaked-ip')!;
    const acted = scene(await recordedSystems('leaky'), () => [ip], OPEN_LIMITS);
    await acted.turns(1);
    const [removed] = acted.actions() as [ActionRecord];
    await acted.close();
    // The same cluster, in which it was never deleted.
    const systems = await recordedSystems('leaky');
    const executor = scene(systems, () => [], OPEN_LIMITS);
    try {
      executor.ledger.write([{ ...removed, state: 'done', code: 'undoing' }]);
      await executor.decide(decided(removed.id));
      await executor.turns(1);
      expect(systems.kubernetes.objects('IP')).toContainEqual(
        expect.objectContaining({ metadata: expect.objectContaining({ uid: ip.subject.uid }) }),
      );
      return executor.actions()[0]!;
    } finally {
      await executor.close();
    }
  }

  test('was never removed, and is not reported as done', async () =>
    expect(
      await neverRemoved((of) =>
        decision({ type: 'undo', of, cluster: RECORDED_CLUSTER } as Control),
      ),
    ).toMatchObject({
      state: 'undone',
      code: 'undone',
      reason: expect.stringMatching(/^anna wanted it back: it is there with the uid that it had/),
    }));

  test('nor when the request was withdrawn', async () =>
    expect(
      await neverRemoved((of) =>
        decision({ type: 'withdraw', of: `undo/${of}`, cluster: RECORDED_CLUSTER } as Control),
      ),
    ).toMatchObject({
      state: 'undone',
      code: 'undone',
      reason: expect.stringMatching(/withdrawn, and .* it was never removed/),
    }));
});
