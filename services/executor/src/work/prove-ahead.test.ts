import { Failure } from '@ovn-steward/shared/errors';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import type { Proposal } from '../findings/proposal';
import { type Item, itemOf } from '../gate/item';
import { recordedProposals } from '../testing/acting';
import { recordedSystems } from '../testing/recorded-systems';
import { proofsAhead, togetherFrom } from './prove-ahead';
import type { ClusterWork } from './work';
import { recordedProver } from '../testing/recorded-prover';

const never = new AbortController().signal;
let all: readonly Proposal[];
beforeAll(async () => {
  all = await recordedProposals('leaky');
});

let northbound: MemoryNorthbound;
let kubernetes: MemoryKubernetes;
let proven: string[];
let states: Record<string, string>;
beforeEach(async () => {
  ({ northbound, kubernetes } = await recordedSystems('leaky'));
  proven = [];
  states = {};
});

const itemsOf = (action: string): Item[] =>
  all
    .filter(({ remedy }) => remedy.action === action)
    .map((finding) => itemOf(finding, 'enforce', undefined));
const groups = (): Item[] => itemsOf('delete-port-group');

function work(proofAgeMs = 60_000): ClusterWork {
  const prover = recordedProver({ northbound, kubernetes });
  return {
    systems: { northbound, kubernetes },
    proofAgeMs,
    doubtOf: () => undefined,
    ledger: {
      stateOf: (id: string) => (states[id] ? { state: states[id], code: 'claimed' } : undefined),
      fits: () => true,
    },
    prover: {
      ...prover,
      prove: (finding: Proposal, signal: AbortSignal) => {
        proven.push(finding.id);
        return prover.prove(finding, signal);
      },
    },
  } as unknown as ClusterWork;
}

test('each is proven once', async () => {
  const go = groups().slice(0, 3);
  const proofs = proofsAhead(go, work(), never);
  proofs.begin(1, 1);
  proofs.begin(0, 3);
  const made = await Promise.all([0, 1, 2].map((it) => proofs.take(it)));
  expect(made.map((it) => it !== undefined)).toEqual([true, true, true]);
  expect(proven).toHaveLength(3);
});

test('neither what is claimed, nor what is not so, nor what cannot be read has a proof', async () => {
  const [first, second] = groups() as [Item, Item];
  states[second.id] = 'claimed';
  const living = { ...first, finding: { ...first.finding, cluster: 'another' } };
  const proofs = proofsAhead([first, second, living], work(), never);
  proofs.begin(1, 2);
  expect(await Promise.all([proofs.take(1), proofs.take(2)])).toEqual([undefined, undefined]);

  northbound.read = () => Promise.reject(new Failure('source-unreachable', 'nobody answers'));
  const unread = proofsAhead([first, first], work(), never);
  unread.begin(1, 1);
  expect(await unread.take(1)).toBeUndefined();
});

test('a proof older than half of the age that a proof may have is recreated', async () => {
  const [first] = groups() as [Item];
  const proofs = proofsAhead([first, first, first], work(0), never);
  proofs.begin(1, 1);
  expect(await proofs.take(1)).toBeUndefined();
});

describe('what is carried out together', () => {
  const many = (count: number): Item[] =>
    Array.from({ length: count }, (_, nth) => {
      const [first] = groups() as [Item];
      const target = { ...first.finding.remedy.target, uid: `uid-${nth}` };
      return {
        ...first,
        finding: { ...first.finding, remedy: { ...first.finding.remedy, target } },
      };
    });

  test.each([
    [Infinity, 0],
    [1100, 0],
    [400, 2],
    [15, 64],
    [0, 64],
  ])('where one takes %d ms, it is %d', (paceMs, count) => {
    expect(togetherFrom(many(80), 0, paceMs)).toBe(count);
  });

  test('has the same action, and each another target', () => {
    const [other] = itemsOf('delete-address-set') as [Item];
    const [a, b, c] = many(3) as [Item, Item, Item];
    expect(togetherFrom([a, b, other, c], 0, 1)).toBe(2);
    expect(togetherFrom([a, b, a, c], 0, 1)).toBe(2);
    expect(togetherFrom([a, b, c], 1, 1)).toBe(2);
    expect(togetherFrom([a, b, c], 3, 1)).toBe(0);
  });

  test('are rows of the Northbound, and no objects of Kubernetes', () => {
    expect(togetherFrom(itemsOf('delete-ip'), 0, 1)).toBe(0);
  });
});

test('ended, nothing waits for what is still under way', async () => {
  const [first] = groups() as [Item];
  northbound.read = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Failure('source-unreachable', 'ended')));
    });
  const proofs = proofsAhead([first, first], work(), never);
  proofs.begin(1, 1);
  proofs.end();
  expect(await proofs.take(1)).toBeUndefined();
});
