import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import restartPod from '../actions/restart-pod';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { FINALIZER, COMMENT, readyNetwork } from '../testing/action-cases';
import { emptyNorthbound } from '../testing/action-cluster';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { type RealKubernetes, realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';
import { applyEffect } from '../work/apply-effect';

const PODS = '/api/v1/namespaces/shop/pods';
const BUDGETS = '/apis/policy/v1/namespaces/shop/poddisruptionbudgets';
const { signal } = new AbortController();
const SPEC = { containers: [{ name: 'main', image: 'example.com/main' }] };

describeWith(kubernetes, 'misplaced pods of one controller on kube-apiserver', () => {
  let bed: RealKubernetes;
  let northbound: MemoryNorthbound;
  let owner: KubernetesObject;
  beforeAll(async () => {
    bed = await realKubernetes();
    northbound = await emptyNorthbound();
    await readyNetwork(bed);
    owner = await bed.put({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: SPEC },
      },
    });
  }, 180_000);
  afterAll(() => bed?.stop());

  /** What the ReplicaSet controller, Kube-OVN and the kubelet do, one after the other. */
  const made = (name: string) =>
    bed.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'shop',
        labels: { app: 'web' },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: 'web',
            uid: owner.metadata.uid,
            controller: true,
          },
        ],
      },
      spec: SPEC,
    });
  const change = async (
    name: string,
    subresource: '' | '/status',
    change: (pod: KubernetesObject) => object,
  ): Promise<void> => {
    await bed.server.api.send(
      'PUT',
      `${PODS}/${name}${subresource}`,
      change((await bed.kubernetes.get('Pod', 'shop', name, signal))!),
    );
  };
  const addressed = (name: string, subnet: string) =>
    change(name, '', (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: {
          'ovn.kubernetes.io/allocated': 'true',
          'ovn.kubernetes.io/logical_switch': subnet,
        },
      },
    }));
  const ready = (name: string) =>
    change(name, '/status', (object) => ({
      ...object,
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    }));
  /** The disruption controller's part. */
  const allowed = async (disruptionsAllowed: number): Promise<void> => {
    const budget = (await bed.server.api.get(`${BUDGETS}/keep`)) as {
      metadata: { generation: number };
    };
    await bed.server.api.send('PUT', `${BUDGETS}/keep/status`, {
      ...budget,
      status: {
        observedGeneration: budget.metadata.generation,
        disruptionsAllowed,
        currentHealthy: 2,
        desiredHealthy: 2,
        expectedPods: 2,
      },
    });
  };
  const prepare = async (name: string) => {
    const {
      metadata: { uid },
    } = (await bed.kubernetes.get('Pod', 'shop', name, signal))!;
    return restartPod.prepare(
      { source: 'kubernetes', kind: 'Pod', namespace: 'shop', name, uid },
      COMMENT,
      { ...bed, northbound },
      signal,
    );
  };
  const restart = async (name: string) => {
    const prepared = await prepare(name);
    return prepared.is === 'refused'
      ? prepared
      : applyEffect(prepared.effect, { ...bed, northbound }, signal);
  };
  const names = async () =>
    (await bed.kubernetes.list('Pod', 'shop', signal)).map((it) => it.metadata.name).sort();

  test('go one after the other: each only when the one before was replaced, addressed and ready, and the budget allows it', async () => {
    for (const name of ['web-a', 'web-b']) {
      await made(name);
      await addressed(name, 'ovn-default');
      await ready(name);
    }
    await bed.keepPods('shop');
    await allowed(0);
    expect(await restart('web-a')).toMatchObject({ is: 'refused', code: 'blocked' });
    expect(await names()).toEqual(['web-a', 'web-b']);

    await allowed(1);
    expect(await restart('web-a')).toMatchObject({ is: 'applied' });
    await allowed(1); // the budget alone would let the next one go
    expect(await restart('web-b')).toMatchObject({
      code: 'waits',
      reason: expect.stringContaining('1 of 2 are there'),
    });
    await made('web-c');
    expect(await restart('web-b')).toMatchObject({
      code: 'waits',
      reason: expect.stringContaining('web-c of the same controller to get its address'),
    });
    await addressed('web-c', 'apps');
    expect(await restart('web-b')).toMatchObject({
      code: 'waits',
      reason: expect.stringContaining('web-c of the same controller to be Ready'),
    });
    await ready('web-c');
    expect(await names()).toEqual(['web-b', 'web-c']);
    expect(await restart('web-b')).toMatchObject({ is: 'applied' });
    expect(await names()).toEqual(['web-c']);
  });

  test('none while the subnet is not ready, or is going', async () => {
    await made('web-d');
    await addressed('web-d', 'ovn-default');
    const path = '/apis/kubeovn.io/v1/subnets/apps';
    const subnet = (await bed.server.api.get(path)) as { status: object };
    await bed.server.api.send('PUT', `${path}/status`, {
      ...subnet,
      status: {
        ...subnet.status,
        conditions: [
          { type: 'Validated', status: 'True' },
          { type: 'Ready', status: 'False', reason: 'Reconcile' },
        ],
      },
    });
    expect(await restart('web-d')).toMatchObject({
      code: 'waits',
      reason: expect.stringContaining('condition Ready of Subnet apps'),
    });
    const now = (await bed.server.api.get(path)) as { metadata: object };
    await bed.server.api.send('PUT', path, {
      ...now,
      metadata: { ...now.metadata, finalizers: [FINALIZER] },
    });
    await bed.server.api.send('DELETE', path);
    expect(await restart('web-d')).toMatchObject({
      code: 'waits',
      reason: expect.stringContaining('Subnet apps to be recreated'),
    });
    expect(await names()).toContain('web-d');
  });

  test('none that nobody would make again', async () => {
    await bed.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'bare', namespace: 'shop' },
      spec: SPEC,
    });
    expect(await restart('bare')).toMatchObject({ code: 'unsupported' });
    await bed.remove('ReplicaSet', 'shop', 'web');
    expect(await restart('web-d')).toMatchObject({
      code: 'unsupported',
      reason: expect.stringContaining('would not make another'),
    });
    expect(await names()).toEqual(expect.arrayContaining(['bare', 'web-d']));
  });
});
