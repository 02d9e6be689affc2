import { Failure } from '@ovn-steward/shared/errors';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { watchLease } from './lease-seen';

const NEVER = new AbortController().signal;
const START = Date.parse('2026-11-21T12:00:00Z');
const kubernetes = memoryKubernetes();
let now = START;
let observe = watchLease(
  kubernetes,
  { namespace: 'kube-system', lease: 'kube-ovn-controller' },
  () => now,
);

beforeEach(() => {
  kubernetes.remove('Lease', 'kube-system', 'kube-ovn-controller');
  kubernetes.fault = undefined;
  now = START;
  observe = watchLease(
    kubernetes,
    { namespace: 'kube-system', lease: 'kube-ovn-controller' },
    () => now,
  );
});

const lease = (
  holderIdentity: string | undefined,
  acquireTime: string | undefined,
  more: object = {},
): unknown =>
  kubernetes.put({
    kind: 'Lease',
    metadata: { name: 'kube-ovn-controller', namespace: 'kube-system' },
    spec: {
      holderIdentity,
      acquireTime,
      leaseTransitions: 2,
      renewTime: new Date(now).toISOString(),
      ...more,
    },
  });
const seen = (): ReturnType<typeof observe> => observe(NEVER);
const ago = (ms: number): string => new Date(START - ms).toISOString();

test('none there, and none ever seen', async () => {
  expect(await seen()).toEqual({ is: 'absent', since: undefined });
  expect(await seen()).toEqual({ is: 'absent', since: undefined });
});

test('at the first read the Lease says since when; renewing changes nothing', async () => {
  lease('node-1', ago(60_000));
  expect(await seen()).toEqual({ is: 'led', since: START - 60_000 });
  now += 5000;
  lease('node-1', ago(60_000));
  expect(await seen()).toEqual({ is: 'led', since: START - 60_000 });
});

test.each([
  ['another holder', 'node-2', 3_600_000, {}],
  ['the same in another term', 'node-1', 1, {}],
  ['one more transition', 'node-1', 3_600_000, { leaseTransitions: 3 }],
])(
  '%s is a change, since we saw it, whatever their clock says',
  async (_, holder, acquired, more) => {
    lease('node-1', ago(3_600_000));
    await seen();
    now += 5000;
    lease(holder, ago(acquired), more);
    expect(await seen()).toEqual({ is: 'led', since: START + 5000 });
    now += 5000;
    expect(await seen()).toEqual({ is: 'led', since: START + 5000 });
  },
);

test('a first read that does not say since when, or names the future, is now, and stays there', async () => {
  lease('node-1', new Date(START + 3_600_000).toISOString());
  expect(await seen()).toEqual({ is: 'led', since: START });
  now += 60_000;
  expect(await seen()).toEqual({ is: 'led', since: START });
  observe = watchLease(
    kubernetes,
    { namespace: 'kube-system', lease: 'kube-ovn-controller' },
    () => now,
  );
  lease('node-1', undefined);
  expect(await seen()).toEqual({ is: 'led', since: now });
});

test('given up, gone, and come back are changes', async () => {
  lease('node-1', ago(3_600_000));
  await seen();
  now += 1000;
  lease('', new Date(now).toISOString());
  expect(await seen()).toEqual({ is: 'released', since: START + 1000 });
  now += 1000;
  kubernetes.remove('Lease', 'kube-system', 'kube-ovn-controller');
  expect(await seen()).toEqual({ is: 'absent', since: START + 2000 });
  now += 1000;
  lease('node-1', ago(3_600_000));
  expect(await seen()).toEqual({ is: 'led', since: START + 3000 });
});

test('what cannot be read is said to be so, and what was known before stays known', async () => {
  lease('node-1', ago(3_600_000));
  await seen();
  kubernetes.fault = () => new Failure('source-forbidden', 'We may not get Lease.');
  expect(await seen()).toEqual({ is: 'unreadable', why: 'We may not get Lease.' });
  kubernetes.fault = undefined;
  lease('node-2', ago(3_600_000));
  expect(await seen()).toEqual({ is: 'led', since: START });
});

test('another Lease that says the same is a change', async () => {
  lease('node-1', ago(3_600_000));
  await seen();
  now += 5000;
  kubernetes.remove('Lease', 'kube-system', 'kube-ovn-controller');
  lease('node-1', ago(3_600_000), { renewTime: ago(0) });
  expect(await seen()).toEqual({ is: 'led', since: START + 5000 });
});

test('a Lease without a spec says nothing, not that there is none', async () => {
  kubernetes.put({
    kind: 'Lease',
    metadata: { name: 'kube-ovn-controller', namespace: 'kube-system' },
  });
  expect(await seen()).toEqual({
    is: 'unreadable',
    why: 'Lease kube-ovn-controller has no spec',
  });
});
