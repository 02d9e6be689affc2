import { Failure } from '@ovn-steward/shared/errors';
import { userProtection } from '@ovn-steward/judgement/protection';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import type { Proposal } from '../findings/proposal';
import { type Item, itemOf } from '../gate/item';
import { createProver } from '../prove/prover';
import { recordedProposals } from '../testing/acting';
import { KUBE_OVN, RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { proofsAhead } from './prove-ahead';
import type { ClusterWork } from './work';

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
  [proven, states] = [[], {}];
});

const itemsOf = (action: string): Item[] =>
  all
    .filter(({ remedy }) => remedy.action === action)
    .map((finding) => itemOf(finding, 'enforce', undefined));
const groups = (): Item[] => itemsOf('delete-port-group');

function work(proofAgeMs = 60_000): ClusterWork {
  const prover = createProver({
    cluster: RECORDED_CLUSTER,
    systems: { northbound, kubernetes },
    isProtected: userProtection([]),
    kubeOvn: KUBE_OVN,
  });
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
      prove: (finding: Proposal, signal: AbortSignal) => (
        proven.push(finding.id),
        prover.prove(finding, signal)
      ),
    },
  } as unknown as ClusterWork;
}

test('what follows and has the same action is proven, eight of them, and each once', async () => {
  const [first] = groups();
  const [other] = itemsOf('delete-address-set');
  const go = [...Array.from({ length: 10 }, () => first!), other!, first!];
  const proofs = proofsAhead(go, work(), never);
  proofs.begin(0, 1);
  await Promise.all([1, 2, 3].map((it) => proofs.take(it)));
  proofs.begin(3, 1);
  const made = await Promise.all([3, 4, 8, 9, 10, 11].map((it) => proofs.take(it)));
  expect(made.map((it) => it !== undefined)).toEqual([false, true, true, true, false, false]);
  expect(proven).toHaveLength(9);
});

test('neither what is claimed, nor what is not so, nor what cannot be read has a proof', async () => {
  const [first, second] = groups() as [Item, Item];
  states[second.id] = 'claimed';
  const living = { ...first, finding: { ...first.finding, cluster: 'another' } };
  const proofs = proofsAhead([first, second, living], work(), never);
  proofs.begin(0, 1);
  expect(await Promise.all([proofs.take(1), proofs.take(2)])).toEqual([undefined, undefined]);

  northbound.read = () => Promise.reject(new Failure('source-unreachable', 'nobody answers'));
  const unread = proofsAhead([first, first], work(), never);
  unread.begin(0, 1);
  expect(await unread.take(1)).toBeUndefined();
});

test('a proof older than half of the age that a proof may have is recreated', async () => {
  const [first] = groups() as [Item];
  const proofs = proofsAhead([first, first, first], work(0), never);
  proofs.begin(0, 1);
  expect(await proofs.take(1)).toBeUndefined();
});

test('of an object of Kubernetes nothing is proven ahead', async () => {
  const [first, second] = itemsOf('delete-ip') as [Item, Item];
  const proofs = proofsAhead([first, second], work(), never);
  proofs.begin(0, 1);
  expect([await proofs.take(1), proven]).toEqual([undefined, []]);
});

test.each([
  [60, 8],
  [200, 2],
  [600, 0],
])('where one takes %d ms, %d are proven while it is done', async (paceMs, count) => {
  const [first] = groups() as [Item];
  const proofs = proofsAhead(
    Array.from({ length: 12 }, () => first),
    work(),
    never,
  );
  proofs.begin(0, paceMs);
  await proofs.take(1);
  expect(proven).toHaveLength(count);
});

test('ended, nothing waits for what is still under way', async () => {
  const [first] = groups() as [Item];
  northbound.read = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Failure('source-unreachable', 'ended')));
    });
  const proofs = proofsAhead([first, first], work(), never);
  proofs.begin(0, 1);
  proofs.end();
  expect(await proofs.take(1)).toBeUndefined();
});
