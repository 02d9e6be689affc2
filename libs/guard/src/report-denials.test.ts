import {
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { POLICIES } from './policies/registry';
import { OURS } from './policy-state';
import { reportDenials } from './report-denials';

const signal = new AbortController().signal;
const STARTED = Date.parse('2029-12-31T23:00:00Z') / 1000;

let cluster: MemoryKubernetes;
let failures: string[] = [];
let time = 0;
beforeEach(() => {
  cluster = memoryKubernetes();
  failures = [];
  time = Date.parse('2030-01-01T00:00:00Z');
  for (const { id } of POLICIES) policy(id);
});

const policy = (id: string, labels: object = OURS) =>
  cluster.put({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `ovn-steward-${id}`, labels },
  });
const reporting = () => {
  const report = reportDenials({
    kubernetes: cluster,
    now: () => new Date(time),
    onFailure: (it) => failures.push(it),
  });
  return async (...counts: readonly (readonly [policy: string, count: number])[]) => {
    await report({ startedAt: STARTED, byPolicy: new Map(counts) }, signal);
    time += 300_000;
  };
};

test('says on the policy how many requests it refused, what it refuses, and who knows the rest', async () => {
  const report = reporting();
  await report(['vpc-with-subnets', 4]);
  expect(cluster.events).toEqual([]);
  await report(['vpc-with-subnets', 6]);
  const { uid } = cluster
    .objects('ValidatingAdmissionPolicy')
    .find((it) => it.metadata.name === 'ovn-steward-vpc-with-subnets')!.metadata;
  expect(cluster.events).toEqual([
    {
      regarding: { kind: 'ValidatingAdmissionPolicy', name: 'ovn-steward-vpc-with-subnets', uid },
      type: 'Warning',
      reason: 'DeletionRefused',
      action: 'RefuseRequest',
      note: 'By this policy the API server that was started at 2029-12-31T23:00:00.000Z refused 2 requests since 2030-01-01T00:00:00.000Z, dry runs counted in. The policy: Refuses to delete a Vpc while its status lists subnets, and names them. Who asked, and for which object, only the audit log of that server says, where one is kept.',
    },
  ]);
  await report(['vpc-with-subnets', 6]);
  expect(cluster.events).toHaveLength(1);
  await report(['vpc-with-subnets', 7]);
  expect(cluster.events.slice(1).map((it) => it.note)).toEqual([
    expect.stringContaining('refused one request since 2030-01-01T00:10:00.000Z'),
  ]);
  expect(failures).toEqual([]);
});

test('each policy that refuses says so by its own reason, in no more than an Event holds', async () => {
  const report = reporting();
  await report(...POLICIES.map(({ id }) => [id, 0] as const));
  await report(...POLICIES.map(({ id }) => [id, 1] as const));
  expect(cluster.events.map((it) => [it.regarding.name, it.reason])).toEqual([
    ['ovn-steward-external-vpc', 'DeletionRefused'],
    ['ovn-steward-own-pod-patches', 'PodRefused'],
    ['ovn-steward-pod-subnet', 'PodRefused'],
    ['ovn-steward-vpc-with-subnets', 'DeletionRefused'],
  ]);
  for (const { note: comment } of cluster.events) {
    expect(comment).toContain('refused one request since');
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(1024);
  }
});

test('a policy that was taken away, or is somebody else’s, is left alone', async () => {
  const report = reporting();
  cluster.remove('ValidatingAdmissionPolicy', undefined, 'ovn-steward-external-vpc');
  policy('pod-subnet', {});
  await report(['external-vpc', 0], ['pod-subnet', 0]);
  await report(['external-vpc', 1], ['pod-subnet', 1]);
  expect([cluster.events, failures]).toEqual([[], []]);
});

test('a policy of a later version, which nobody here knows, is left alone', async () => {
  const report = reporting();
  await report(['of-a-later-version', 0]);
  await report(['of-a-later-version', 1]);
  expect([cluster.events, failures]).toEqual([[], []]);
});

test('a bug is no failure to report later', async () => {
  const report = reporting();
  await report(['external-vpc', 0]);
  const bug = new TypeError('a bug');
  cluster.get = () => Promise.reject(bug);
  await expect(report(['external-vpc', 1])).rejects.toBe(bug);
  expect(failures).toEqual([]);
});

test.each([
  ['writeEvent Event', 'no Event could be written'],
  ['get ValidatingAdmissionPolicy', 'We may not get'],
])(
  'without the right to %s it says what is amiss, and reports all of it later',
  async (right, why) => {
    const report = reporting();
    await report(['external-vpc', 0], ['vpc-with-subnets', 0]);
    cluster.forbidden.add(right);
    await report(['external-vpc', 1], ['vpc-with-subnets', 2]);
    expect(cluster.events).toEqual([]);
    expect(failures).toEqual([
      expect.stringContaining(
        'one request that ovn-steward-external-vpc refused could not be recorded',
      ),
      expect.stringContaining(why),
    ]);
    cluster.forbidden.clear();
    await report(['external-vpc', 3], ['vpc-with-subnets', 2]);
    expect(cluster.events.map((it) => /refused .+? since \S+/.exec(it.note)?.[0])).toEqual([
      'refused 3 requests since 2030-01-01T00:00:00.000Z,',
      'refused 2 requests since 2030-01-01T00:00:00.000Z,',
    ]);
  },
);
