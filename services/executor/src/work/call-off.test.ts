import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { CALLED_OFF } from '@ovn-steward/shared/marks';
import {
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { callOff } from './call-off';
import type { KubernetesObject, ObjectVersion } from '@ovn-steward/systems/kubernetes/kubernetes';

const signal = new AbortController().signal;
/** Nobody holds anything. */
const free = async (): Promise<undefined> => undefined;
let kubernetes: MemoryKubernetes;
beforeEach(() => {
  kubernetes = memoryKubernetes();
});

const put = (metadata: object = {}): KubernetesObject =>
  kubernetes.put({
    kind: 'IP',
    metadata: { name: 'web-0.shop', ...metadata },
    spec: { podName: 'web-0' },
  });
const reference = ({ metadata: { name, uid } }: KubernetesObject): Reference => ({
  source: 'kubernetes',
  kind: 'IP',
  name,
  uid,
});
const version = ({
  metadata: { name, uid, resourceVersion },
}: KubernetesObject): ObjectVersion => ({ kind: 'IP', name, uid, resourceVersion });
const now = (): KubernetesObject | undefined => kubernetes.objects('IP')[0];

test.each<[string, object]>([
  ['no annotations', {}],
  ['annotations', { annotations: { mine: 'x' } }],
])(
  'a deletion that was sent before is refused; an object with %s keeps all it has',
  async (_, metadata) => {
    const before = put(metadata);
    await callOff(reference(before), kubernetes, free, signal);
    expect(await kubernetes.delete(version(before), signal)).toMatchObject({
      is: 'refused',
      why: 'conflict',
    });
    expect(now()).toMatchObject({
      ...before,
      metadata: {
        ...before.metadata,
        resourceVersion: expect.any(String),
        annotations: {
          ...(before.metadata['annotations'] as object),
          [CALLED_OFF]: before.metadata.resourceVersion,
        },
      },
    });
  },
);

test('one that was sent after an earlier calling off is refused, too', async () => {
  const first = put();
  await callOff(reference(first), kubernetes, free, signal);
  const second = now()!;
  await callOff(reference(second), kubernetes, free, signal);
  expect(await kubernetes.delete(version(second), signal)).toMatchObject({
    is: 'refused',
    why: 'conflict',
  });
});

test('somebody who changes it meanwhile does not stand in the way', async () => {
  const before = put();
  let times = 3;
  kubernetes.between = async (call, moment) => {
    if (call.verb === 'patch' && moment === 'before' && times-- > 0)
      kubernetes.put({ ...now()!, kind: 'IP', spec: { podName: `changed ${times}` } });
    return Promise.resolve();
  };
  await callOff(reference(before), kubernetes, free, signal);
  expect(now()?.metadata['annotations']).toHaveProperty([CALLED_OFF]);
});

test('what is being deleted is left alone, but for a finalizer that may be about to be taken', async () => {
  const going = put({
    deletionTimestamp: '2026-01-02T00:00:00Z',
    finalizers: ['kubeovn.io/kube-ovn-controller'],
  });
  await callOff(reference(going), kubernetes, free, signal);
  expect(now()).toBe(going);
  await callOff(
    {
      ...reference(going),
      part: { column: 'metadata.finalizers', key: 'kubeovn.io/kube-ovn-controller' },
    },
    kubernetes,
    free,
    signal,
  );
  expect(
    await kubernetes.patch(
      version(going),
      [{ op: 'remove', path: '/metadata/finalizers/0' }],
      signal,
    ),
  ).toMatchObject({ is: 'refused', why: 'conflict' });
});

test('another of its name is not touched', async () => {
  const other = put();
  await callOff({ ...reference(other), uid: 'one that is gone' }, kubernetes, free, signal);
  expect(now()).toBe(other);
});

test('where it cannot be called off, that is an unknown outcome', async () => {
  const before = put();
  kubernetes.forbidden.add('patch IP');
  await expect(callOff(reference(before), kubernetes, free, signal)).rejects.toMatchObject({
    code: 'outcome-unknown',
    message: expect.stringContaining('may still arrive'),
  });
});

test('on hold it is not written, and what was sent may still arrive', async () => {
  const before = put();
  await expect(
    callOff(reference(before), kubernetes, async () => 'bob holds the whole cluster', signal),
  ).rejects.toMatchObject({
    code: 'on-hold',
    message: expect.stringContaining('bob holds the whole cluster'),
  });
  expect(now()).toEqual(before);
});
