import { Failure } from '@ovn-steward/shared/errors';
import {
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { type ControllerWatch, watchController } from './controller-seen';

const never = new AbortController().signal;
const LEASE = { namespace: 'kube-system', lease: 'kube-ovn-controller' };

let kubernetes: MemoryKubernetes;
let steady: number;
let paused: number;
/** What happens while it is waited. */
let meanwhile: () => void;
let watch: ControllerWatch;
beforeEach(() => {
  kubernetes = memoryKubernetes();
  steady = 0;
  paused = 0;
  meanwhile = () => undefined;
  watch = watchController(kubernetes, LEASE, {
    steady: () => steady,
    pause: async (ms) => {
      steady += ms;
      paused += ms;
      meanwhile();
    },
  });
});

let renewals = 0;
/** Years off, as the clock of a node may be. */
const renew = (holderIdentity = 'node-1'): void =>
  void kubernetes.put({
    kind: 'Lease',
    metadata: { namespace: LEASE.namespace, name: LEASE.lease },
    spec: { holderIdentity, renewTime: `1999-01-01T00:00:0${(renewals += 1) % 10}Z` },
  });

test('one that renews its Lease is at work, whatever its clock says', async () => {
  renew();
  meanwhile = () => void (steady > 3000 && renew());
  expect(await watch(never)).toBeUndefined();
  expect(paused).toBeLessThan(6000);
});

test('one that is dead is not, however fresh its Lease looks; and who goes on watching waits no second time', async () => {
  renew();
  expect(await watch(never)).toMatch(/nobody renews Lease kube-system\/kube-ovn-controller/);
  expect(paused).toBeGreaterThanOrEqual(6000);
  const before = paused;
  steady += 1000;
  expect(await watch(never)).toMatch(/nobody renews/);
  expect(paused).toBe(before);
  renew();
  steady += 1000;
  expect(await watch(never)).toBeUndefined();
});

test('it is dead twenty seconds after it was seen last', async () => {
  renew();
  meanwhile = renew;
  expect(await watch(never)).toBeUndefined();
  meanwhile = () => undefined;
  for (let second = 0; second < 20; second += 1) {
    expect(await watch(never)).toBeUndefined();
    steady += 1000;
  }
  steady += 1000;
  expect(await watch(never)).toMatch(/nobody renews/);
});

test('a renewal between two reads that are far apart says nothing of now', async () => {
  renew();
  await watch(never);
  steady += 600_000;
  renew();
  expect(await watch(never)).toMatch(/nobody renews/);
});

test('a Lease of another uid is no renewal, and what was seen of the other counts no more', async () => {
  const lease = (uid: string): void =>
    void kubernetes.put({
      kind: 'Lease',
      metadata: { namespace: LEASE.namespace, name: LEASE.lease, uid },
      spec: { holderIdentity: 'node-1', renewTime: `of ${uid}, ${(renewals += 1)}` },
    });
  lease('abroad');
  meanwhile = () => lease('abroad');
  expect(await watch(never)).toBeUndefined();
  meanwhile = () => undefined;
  lease('home');
  expect(await watch(never)).toMatch(/nobody renews/);
  steady += 1000;
  expect(await watch(never)).toMatch(/nobody renews/);
  lease('home');
  expect(await watch(never)).toBeUndefined();
});

test.each<[string, () => void, RegExp]>([
  ['that is not there', () => undefined, /there is no Lease/],
  ['without holder', () => renew(''), /nobody holds Lease/],
  [
    'that cannot be read',
    () => void (kubernetes.fault = () => new Failure('source-forbidden', 'no right')),
    /is not known: no right/,
  ],
])('a Lease %s is no controller', async (_, make, says) => {
  make();
  expect(await watch(never)).toMatch(says);
  expect(paused).toBe(0);
});

test('asked to stop, it stops', async () => {
  const stopped = new Error('asked to stop');
  kubernetes.fault = () => new Failure('source-unreachable', 'Nobody answers.');
  await expect(watch(AbortSignal.abort(stopped))).rejects.toBe(stopped);
});
