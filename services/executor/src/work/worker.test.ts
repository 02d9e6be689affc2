import type { Proposal } from '../findings/proposal';
import { closeScenes, OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { finishesDeletions } from '../testing/finishes-deletions';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedSystems } from '../testing/recorded-systems';
import { withWorker } from './act';

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proposals: Proposal[];
let now: number;

beforeEach(async () => {
  now = Date.parse('2026-05-04T10:59:50Z');
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  finishesDeletions(kubernetes);
  proposals = (await recordedProposals('leaky'))
    .filter((it) => it.rule === 'leaked-ip')
    .slice(0, 3);
  expect(proposals).toHaveLength(3);
});

afterEach(closeScenes);

const acting = (executor: object, onDone: () => void = () => undefined): Scene =>
  scene(
    { northbound, kubernetes },
    () => proposals,
    { ...OPEN_LIMITS, ...executor },
    {
      clock: () => new Date(now),
      onEvent: (event) =>
        void (event.type === 'action' && event.action.state === 'done' && onDone()),
    },
  );
const reported = (running: Scene): readonly string[] =>
  running
    .actions()
    .map(({ state, code }) => `${state} ${code}`)
    .sort();

describe('what was let through together', () => {
  test.each<[string, object, string]>([
    [
      'a freeze that begins',
      { freezes: ['2026-05-04T11:00Z/2026-05-05T00:00Z'] },
      'deferred freeze',
    ],
    ['a window that ends', { windows: ['Mon 08:00-11:00 UTC'] }, 'deferred window'],
  ])('is not done any more after %s', async (_, executor, stands) => {
    const running = acting(executor, () => (now += 15_000));
    await running.turns(1);
    expect(reported(running)).toEqual([stands, stands, 'done done']);
  });

  test('is not begun in a freeze that begins while it is decided', async () => {
    const get = kubernetes.get;
    kubernetes.get = async (kind, ...rest) => {
      const object = await get(kind, ...rest);
      // After the time was read, the Lease is read once more: some controller must finish it.
      if (kind === 'Lease') now += 6000;
      return object;
    };
    const running = acting({ freezes: ['2026-05-04T11:00Z/2026-05-05T00:00Z'] });
    await running.turns(2);
    expect(reported(running)).toEqual(['deferred freeze', 'deferred freeze', 'deferred freeze']);
  });

  test('nor when another kube-ovn-controller began to lead meanwhile', async () => {
    const led = (holderIdentity: string, at: number): void =>
      void kubernetes.put({
        kind: 'Lease',
        metadata: { namespace: 'kube-system', name: 'kube-ovn-controller' },
        spec: { holderIdentity, acquireTime: new Date(at).toISOString() },
      });
    led('one', now - 3_600_000);
    const running = acting({ yield: { afterLease: '10m' } }, () => led('another', (now += 3000)));
    await running.turns(1);
    expect(reported(running)).toEqual(['deferred yield', 'deferred yield', 'done done']);
  });

  test('is all done at a rate slower than a decision is good for, and no faster', async () => {
    const began = performance.now();
    const real = setInterval(() => (now += 100), 100);
    try {
      const running = acting({ rate: { perSecond: 0.4, burst: 1 } });
      await running.turns(1);
      expect(reported(running)).toEqual(['done done', 'done done', 'done done']);
      expect(performance.now() - began).toBeGreaterThan(4900);
    } finally {
      clearInterval(real);
    }
  });
});

test('a turn ends while the rate has no place: what is open is settled in the next', async () => {
  const running = acting({ rate: { perSecond: 0.001, burst: 1 } });
  await running.turns(0);
  await withWorker(running.options, new AbortController().signal, async (worker, signal) => {
    await worker.turn(signal);
    expect(await worker.turn(signal)).toBe(true); // more is to be done, once the rate has a place
  });
  expect(reported(running)).toEqual(['done done']);
});

test('what comes next is proven while the one before is carried out, and each goes in its turn', async () => {
  proposals = (await recordedProposals('leaky'))
    .filter((it) => it.rule === 'orphaned-port-group')
    .slice(0, 4);
  const uids = proposals.map((it) => it.subject.uid);
  const readFor = new Set<string>();
  const seen: number[] = [];
  const read = northbound.read;
  northbound.read = (operations, signal) => {
    const text = JSON.stringify(operations);
    for (const uid of uids) if (text.includes(uid)) readFor.add(uid);
    return read(operations, signal);
  };
  northbound.database.fault = () => void seen.push(readFor.size) as undefined;
  const running = acting({});
  // However slow this machine is, nothing takes long.
  const steady = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    await running.turns(1);
  } finally {
    steady.mockRestore();
  }
  expect(reported(running)).toEqual(Array(4).fill('done done'));
  // The first by itself, since nothing is known of the pace, and the others in one transaction.
  expect(seen).toEqual([1, 4]);
});
