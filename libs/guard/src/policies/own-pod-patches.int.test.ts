import { GATE } from '@ovn-steward/shared/pod-gate';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type PolicyBed, startPolicyBed } from '../testing/policy-bed';

const EXECUTOR = 'system:serviceaccount:ovn-steward:ovn-steward-executor';
const GUARD = 'system:serviceaccount:ovn-steward:ovn-steward-guard';
const PATH = '/api/v1/namespaces/default/pods/web-0';
const ALLOCATED = 'ovn.kubernetes.io/allocated';

interface Pod {
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly schedulingGates: readonly object[];
    readonly containers: readonly object[];
    readonly tolerations: readonly object[];
  };
}

describeWith(kubernetes, 'on kube-apiserver', () => {
  let bed: PolicyBed;
  let pod: Pod;
  beforeAll(async () => {
    bed = await startPolicyBed('own-pod-patches', [EXECUTOR, GUARD, 'somebody']);
    pod = (await bed.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web-0',
        namespace: 'default',
        labels: { app: 'web' },
        annotations: { [ALLOCATED]: 'true', note: 'x' },
      },
      spec: {
        containers: [{ name: 'main', image: 'example.com/main' }],
        schedulingGates: [{ name: GATE }, { name: 'x.example.com/y' }],
      },
    })) as unknown as Pod;
    await bed.untilRefused('PUT', PATH, withImage('example.com/other'), EXECUTOR);
  }, 180_000);
  afterAll(() => bed?.stop());

  const annotated = (annotations: object): object => ({
    ...pod,
    metadata: { ...pod.metadata, annotations },
  });
  const meta = (more: object): object => ({ ...pod, metadata: { ...pod.metadata, ...more } });
  const spec = (more: object): object => ({ ...pod, spec: { ...pod.spec, ...more } });
  const withImage = (image: string): object =>
    spec({ containers: [{ ...pod.spec.containers[0], image }] });

  const ALLOWED: readonly [string, () => object][] = [
    [
      'an annotation of ours',
      () => annotated({ ...pod.metadata.annotations, 'ovn-steward.dev/called-off': '1' }),
    ],
    ['no mark that the network is allocated', () => annotated({ note: 'x' })],
    ['our gate lifted', () => spec({ schedulingGates: [{ name: 'x.example.com/y' }] })],
  ];
  const REFUSED: readonly [string, () => object][] = [
    ['another image', () => withImage('example.com/other')],
    ['an annotation of others', () => annotated({ ...pod.metadata.annotations, other: 'y' })],
    [
      'an annotation of others changed',
      () => annotated({ ...pod.metadata.annotations, note: 'y' }),
    ],
    ['an annotation of others taken off', () => annotated({ [ALLOCATED]: 'true' })],
    ['another label', () => meta({ labels: { app: 'other' } })],
    ['a finalizer', () => meta({ finalizers: ['example.com/x'] })],
    ['the gate of others lifted', () => spec({ schedulingGates: [{ name: GATE }] })],
    [
      'a toleration',
      () => spec({ tolerations: [...pod.spec.tolerations, { operator: 'Exists' }] }),
    ],
    ['a deadline', () => spec({ activeDeadlineSeconds: 1 })],
    ['a node selector', () => spec({ nodeSelector: { role: 'x' } })],
  ];

  test.each(ALLOWED)('a pod with %s is let through from our accounts', async (_, body) => {
    for (const user of [EXECUTOR, GUARD])
      expect(await bed.refusal('PUT', PATH, body(), user)).toBeUndefined();
  });

  test.each(REFUSED)(
    'a pod with %s is refused from our accounts, and from nobody else',
    async (_, body) => {
      for (const user of [EXECUTOR, GUARD])
        expect(await bed.refusal('PUT', PATH, body(), user)).toContain(
          `Pod web-0: ${user} may change only annotations of ovn-steward, marks of Kube-OVN that a network is allocated, and the scheduling gate ${GATE}.`,
        );
      expect(await bed.refusal('PUT', PATH, body(), 'somebody')).toBeUndefined();
    },
  );
});
