import { Failure } from '@ovn-steward/shared/errors';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import { finalizersOf } from '@ovn-steward/systems/kubernetes/metadata';
import {
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { readSubnets, reconcileVpc, takingOff } from './reconcile-vpc';

const signal = new AbortController().signal;
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
let kubernetes: MemoryKubernetes;
beforeEach(() => {
  kubernetes = memoryKubernetes();
});

const put = (finalizers: readonly string[], more: object = {}, status: object = {}) =>
  kubernetes.put({ kind: 'Vpc', metadata: { name: 'v', finalizers, ...more }, status });
const subnet = (vpc: unknown, name = 'web') =>
  kubernetes.put({ kind: 'Subnet', metadata: { name }, spec: { vpc } });
const now = (): readonly string[] | undefined => {
  const [vpc] = kubernetes.objects('Vpc');
  return vpc && finalizersOf(vpc);
};

test('a Vpc gets ours, beside those it has', async () => {
  put([]);
  expect(await reconcileVpc('v', [], kubernetes, signal)).toMatchObject({ change: 'add' });
  expect(now()).toEqual([VPC_GUARD]);
  kubernetes.remove('Vpc', undefined, 'v');
  put(['example.com/other']);
  await reconcileVpc('v', [], kubernetes, signal);
  expect(now()).toEqual(['example.com/other', VPC_GUARD]);
});

test('the default one does not, by its own word or by that of a subnet that is known', async () => {
  put([], {}, { default: true });
  expect(await reconcileVpc('v', [], kubernetes, signal)).toMatchObject({ change: 'nothing' });
  kubernetes.remove('Vpc', undefined, 'v');
  put([]);
  const known = [{ name: 'ovn-default', vpc: 'v', isDefault: true }];
  expect(await reconcileVpc('v', known, kubernetes, signal)).toMatchObject({ change: 'nothing' });
  expect(now()).toEqual([]);
});

test('of one that goes the subnets are read, whatever was heard of them', async () => {
  put(['example.com/other', VPC_GUARD], GOING);
  subnet('v');
  expect(await reconcileVpc('v', [], kubernetes, signal)).toMatchObject({ change: 'nothing' });
  kubernetes.remove('Subnet', undefined, 'web');
  const known = [{ name: 'web', vpc: 'v', isDefault: false }];
  expect(await reconcileVpc('v', known, kubernetes, signal)).toMatchObject({ change: 'take-off' });
  expect(now()).toEqual(['example.com/other']);
});

test('a subnet that does not say where it lies keeps it', async () => {
  put([VPC_GUARD], GOING);
  subnet(7);
  expect(await reconcileVpc('v', [], kubernetes, signal)).toMatchObject({ change: 'nothing' });
  expect(now()).toEqual([VPC_GUARD]);
});

test('one that is gone is nothing to reconcile', async () => {
  expect(await reconcileVpc('v', [], kubernetes, signal)).toBeUndefined();
});

test.each(['source-unreachable', 'source-forbidden', 'source-not-served'] as const)(
  'a list that fails with %s is not an empty one',
  async (code) => {
    put([VPC_GUARD], GOING);
    const failure = new Failure(code, 'not now');
    kubernetes.fault = ({ verb }) => (verb === 'list' ? failure : undefined);
    await expect(reconcileVpc('v', [], kubernetes, signal)).rejects.toBe(failure);
    expect(now()).toEqual([VPC_GUARD]);
  },
);

test('only where the server says that it has no such kind there are none', async () => {
  kubernetes.notInstalled.add('Subnet');
  expect(await readSubnets(kubernetes, signal)).toEqual([]);
  const failure = new Failure('source-unreachable', 'not now');
  kubernetes.fault = ({ verb }) => (verb === 'list' ? failure : undefined);
  await expect(readSubnets(kubernetes, signal)).rejects.toBe(failure);
});

test('ours is taken from where it is, if it still is there', () => {
  const vpc = put(['example.com/first', VPC_GUARD, 'example.com/last']);
  expect(takingOff(vpc)).toEqual([
    { op: 'test', path: '/metadata/finalizers/1', value: VPC_GUARD },
    { op: 'remove', path: '/metadata/finalizers/1' },
  ]);
});
