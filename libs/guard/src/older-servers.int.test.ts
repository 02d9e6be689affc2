import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { liveKubernetes } from '@ovn-steward/systems/kubernetes/live-kubernetes';
import { olderServer } from './testing/older-server';
import { type RealKubernetes, realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';
import { guardVpcs } from './guard-vpcs';
import { installPolicy, removePolicy } from './install';
import { POLICIES } from './policies/registry';
import { policyStateOf } from './policy-state';

const signal = new AbortController().signal;
const refused = (error: { status?: number }): boolean => {
  if (error.status !== 403) throw error as Error;
  return false;
};
const policy = POLICIES.find((it) => it.id === 'vpc-with-subnets')!;

describeWith(kubernetes, 'on kube-apiserver, seen as an older one', () => {
  let cluster: RealKubernetes;
  const stops: (() => void | Promise<void>)[] = [];
  beforeAll(async () => {
    cluster = await realKubernetes();
  }, 180_000);
  afterAll(async () => {
    for (const stop of stops) await stop();
    await cluster?.stop();
  });

  const older = async (policies: 'v1beta1' | 'absent'): Promise<Kubernetes> => {
    const door = await olderServer(cluster.server, policies);
    const client = liveKubernetes({ access: door.access });
    stops.unshift(
      () => client.close(),
      () => door.stop(),
    );
    return client;
  };

  test('policies that are a beta are written as one', async () => {
    const client = await older('v1beta1');
    expect(await policyStateOf(policy, client, signal)).toMatchObject({
      is: 'absent',
      apiVersion: 'admissionregistration.k8s.io/v1beta1',
    });
    await installPolicy(await policyStateOf(policy, client, signal), client, signal);
    expect((await policyStateOf(policy, client, signal)).is).toBe('installed');
    expect((await policyStateOf(policy, cluster.kubernetes, signal)).is).toBe('installed');
    await removePolicy(await policyStateOf(policy, client, signal), client, signal);
    expect((await policyStateOf(policy, cluster.kubernetes, signal)).is).toBe('absent');
  });

  test('where there are none it is said, nothing is written, and the finalizer holds alone', async () => {
    const client = await older('absent');
    expect((await policyStateOf(policy, client, signal)).is).toBe('not-served');
    await expect(
      installPolicy(await policyStateOf(policy, client, signal), client, signal),
    ).rejects.toMatchObject({ code: 'source-not-served' });
    expect((await policyStateOf(policy, cluster.kubernetes, signal)).is).toBe('absent');

    const stop = new AbortController();
    const guarding = guardVpcs(
      { holds: true, kubernetes: cluster.kubernetes, onEvent: () => undefined },
      stop.signal,
    );
    stops.unshift(() => {
      stop.abort();
      return guarding.catch(() => undefined);
    });
    await cluster.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vpc',
      metadata: { name: 'tenant' },
      spec: {},
      status: { default: false, subnets: ['web'] },
    });
    await cluster.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Subnet',
      metadata: { name: 'web' },
      spec: { vpc: 'tenant' },
    });
    const tenant = () => cluster.kubernetes.get('Vpc', undefined, 'tenant', signal);
    await waitFor(async () => (await tenant())?.metadata.finalizers?.includes(VPC_GUARD), {
      what: 'our finalizer',
      timeoutMs: 10_000,
    });
    // The server admits by what it knew of policies a moment ago: the one removed before may still
    // refuse.
    await waitFor(() => cluster.remove('Vpc', undefined, 'tenant').then(() => true, refused), {
      what: 'the server to forget the policy',
      timeoutMs: 30_000,
    });
    expect((await tenant())?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: [VPC_GUARD],
    });
    await cluster.remove('Subnet', undefined, 'web');
    await waitFor(async () => (await tenant()) === undefined, {
      what: 'it to go',
      timeoutMs: 10_000,
    });
    stop.abort();
    await guarding;
  });
});
