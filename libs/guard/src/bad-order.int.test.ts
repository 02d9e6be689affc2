import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import type { KubernetesObject as BedObject } from '@ovn-steward/testbed/kubernetes/objects';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { renderedChart, type Template } from './testing/chart';
import { type KubeOvnActor, startKubeOvnActor } from './testing/kube-ovn-actor';
import { type RealKubernetes, realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';
import { followGates } from './follow-gates';
import { GATE, SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';
import { installPolicy } from './install';
import { PodGates } from './pod-gates';
import podGate from './policies/pod-gate';
import { policyStateOf } from './policy-state';

const LIST = 'ovn.kubernetes.io/logical_switch';

interface PodSeen {
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly schedulingGates?: readonly { readonly name: string }[] };
}

/** Installs the chart with its pods first, as Helm does, and gives what became of them. */
async function installed(
  bed: RealKubernetes,
  meanwhile: (pods: () => Promise<readonly PodSeen[]>) => Promise<void>,
): Promise<readonly PodSeen[]> {
  const { release: objects } = renderedChart();
  const [namespace, deployment, subnet] = ['Namespace', 'Deployment', 'Subnet'].map((kind) =>
    objects.find((it) => it.kind === kind)!,
  ) as [Template, Template, Template];
  const place = namespace.metadata.name;
  const pods = async (): Promise<readonly PodSeen[]> =>
    ((await bed.server.api.get(`/api/v1/namespaces/${place}/pods`)) as { items: PodSeen[] }).items;
  const boundTo = (name: string) =>
    waitFor(
      async () =>
        (
          (await bed.kubernetes.get('Namespace', undefined, place, new AbortController().signal))
            ?.metadata['annotations'] as Record<string, string> | undefined
        )?.[LIST] === name,
      { what: `${place} to be bound to ${name}`, timeoutMs: 20_000 },
    );

  await bed.server.apply([namespace]);
  await boundTo('ovn-default');
  await bed.server.apply([deployment]);
  // The part of the controllers of Deployments and ReplicaSets.
  const { replicas, template } = deployment.spec;
  for (let i = 0; i < replicas; i++)
    await bed.server.apply([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...template.metadata, name: `web-${i}`, namespace: place },
        spec: template.spec,
      } as BedObject,
    ]);
  await meanwhile(pods);
  await bed.server.apply([subnet]);
  await boundTo(subnet.metadata.name);
  await waitFor(
    async () =>
      (await pods()).every(
        (pod) =>
          pod.metadata.annotations?.['ovn.kubernetes.io/allocated'] === 'true' &&
          (pod.spec.schedulingGates ?? []).length === 0,
      ),
    { what: 'every pod to have an address and no gate', timeoutMs: 20_000 },
  );
  return pods();
}

const subnetsOf = (pods: readonly PodSeen[]) => pods.map((it) => it.metadata.annotations?.[LIST]);
const settled = () => new Promise((resolve) => setTimeout(resolve, 1000)); // many rounds of the actor

describeWith(
  kubernetes,
  'a Helm release whose pods come before their subnet, on kube-apiserver',
  () => {
    let bed: RealKubernetes;
    let actor: KubeOvnActor;
    beforeEach(async () => {
      bed = await realKubernetes();
      await bed.server.apply([
        {
          apiVersion: 'kubeovn.io/v1',
          kind: 'Vpc',
          metadata: { name: 'ovn-cluster' },
          spec: {},
        } as BedObject,
      ]);
      actor = startKubeOvnActor(bed.server);
    }, 180_000);
    afterEach(async () => {
      await actor?.stop();
      await bed?.stop();
    });

    test('with the gate: no pod takes an address of the default subnet, and all have one of theirs', async () => {
      const { signal } = new AbortController();
      await installPolicy(
        await policyStateOf(podGate, bed.kubernetes, signal),
        bed.kubernetes,
        signal,
      );
      await bed.put({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'canary', labels: { [SUBNET_LABEL]: 'none' } },
      });
      const canary = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'canary' },
        spec: { containers: [{ name: 'x', image: 'example.com/x' }] },
      };
      await waitFor(
        async () =>
          (
            (await bed.server.api.send(
              'POST',
              '/api/v1/namespaces/canary/pods?dryRun=All',
              canary,
            )) as PodSeen
          ).spec.schedulingGates?.[0]?.name === GATE,
        { what: 'the policy to be in force', timeoutMs: 30_000 },
      );
      const stop = new AbortController();
      const onEvent = (): void => undefined;
      const following = followGates(
        {
          kubernetes: bed.kubernetes,
          gates: new PodGates({
            kubernetes: bed.kubernetes,
            timeoutMs: undefined,
            now: () => performance.now(),
            onEvent,
          }),
          everyMs: 3_600_000,
          onEvent,
        },
        stop.signal,
      );

      const pods = await installed(bed, async (held) => {
        await settled();
        expect((await held()).map((it) => it.spec.schedulingGates)).toEqual([
          [{ name: GATE }],
          [{ name: GATE }],
          [{ name: GATE }],
        ]);
        expect(actor.given).toEqual([]);
      });
      stop.abort();
      await following;
      expect(subnetsOf(pods)).toEqual(['shop-net', 'shop-net', 'shop-net']);
      expect([...new Set(actor.given.map(([, subnet]) => subnet))]).toEqual(['shop-net']);
    });

    test('without it: every pod takes an address of the default subnet, and keeps it when its own is ready', async () => {
      const pods = await installed(bed, async (made) => {
        await waitFor(async () => actor.given.length === (await made()).length, {
          what: 'the pods to be given addresses',
          timeoutMs: 20_000,
        });
      });
      await settled();
      expect(subnetsOf(pods)).toEqual(['ovn-default', 'ovn-default', 'ovn-default']);
      expect(actor.given.map(([, subnet]) => subnet)).toEqual([
        'ovn-default',
        'ovn-default',
        'ovn-default',
      ]);
    });
  },
);
