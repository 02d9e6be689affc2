import { Failure } from '@ovn-steward/shared/errors';
import { describeKubernetes } from '../kubernetes/kubernetes.contract';
import { memoryKubernetes } from './memory-kubernetes';

const VERBS = ['get', 'list', 'count', 'delete', 'evict', 'patch', 'create', 'writeEvent'];
const signal = new AbortController().signal;

describeKubernetes('a Kubernetes API server in memory', async () => {
  const memory = memoryKubernetes();
  const kept = new Set<string>();
  memory.notInstalled.add('VirtualMachineInstance');
  memory.budget = (pod) => !kept.has(pod.metadata.namespace ?? '');
  return {
    kubernetes: memory,
    notInstalled: 'VirtualMachineInstance',
    put: async (object) => memory.put(object),
    async as(allowed) {
      const limited = memory.peer();
      for (const verb of VERBS)
        for (const kind of ['IP', 'Pod', 'Lease', 'Event'])
          if (!(allowed[kind] as readonly string[] | undefined)?.includes(verb))
            limited.forbidden.add(`${verb} ${kind}`);
      return limited;
    },
    losing(what) {
      const unlucky = memory.peer();
      unlucky.fault = () => what;
      return unlucky;
    },
    keepPods: async (namespace) => void kept.add(namespace),
    eventNotes: async (namespace, name) =>
      memory.events
        .filter(
          (it) => it.regarding.name === name && (it.regarding.namespace ?? 'default') === namespace,
        )
        .map((it) => it.note),
    stop: async () => undefined,
  };
});

describe('what only tests do to it', () => {
  test('others come in between', async () => {
    const memory = memoryKubernetes();
    const made = memory.put({ kind: 'IP', metadata: { name: 'x' } });
    memory.between = ({ verb }, moment) => {
      if (verb === 'get' && moment === 'before') memory.remove('IP', undefined, 'x');
    };
    expect(await memory.get('IP', undefined, 'x', signal)).toBeUndefined();
    memory.between = (_call, moment) =>
      void (
        moment === 'after' && memory.put({ kind: 'IP', metadata: { name: 'x', uid: 'another' } })
      );
    expect(
      await memory.delete(
        {
          kind: 'IP',
          name: 'x',
          uid: made.metadata.uid,
          resourceVersion: made.metadata.resourceVersion,
        },
        signal,
      ),
    ).toEqual({ is: 'gone' });
    expect(memory.objects('IP').map((it) => it.metadata.uid)).toEqual(['another']);
  });

  test('a read fails as it is asked to', async () => {
    const memory = memoryKubernetes();
    memory.fault = ({ verb, kind }) =>
      verb === 'list' && kind === 'Pod' ? new Failure('source-unreachable', 'away') : undefined;
    await expect(memory.list('Pod', undefined, signal)).rejects.toMatchObject({
      code: 'source-unreachable',
    });
    expect(await memory.list('IP', undefined, signal)).toEqual([]);
    memory.fault = () => 'lose-reply';
    await expect(memory.get('IP', undefined, 'x', signal)).rejects.toMatchObject({
      code: 'source-unreachable',
    });
  });

  test('hands out nothing that can be changed', async () => {
    const memory = memoryKubernetes();
    memory.put({ kind: 'IP', metadata: { name: 'x' }, spec: { subnet: 'apps' } });
    const object = (await memory.get('IP', undefined, 'x', signal))!;
    expect(() => ((object['spec'] as { subnet: string }).subnet = 'other')).toThrow();
  });

  test('a hostile key of a map is a key', async () => {
    const memory = memoryKubernetes();
    const { uid, resourceVersion, name } = memory.put({
      kind: 'IP',
      metadata: { name: 'x', annotations: {} },
    }).metadata;
    const patched = await memory.patch(
      { kind: 'IP', name, uid, resourceVersion },
      [{ op: 'add', path: '/metadata/annotations/__proto__', value: 'y' }],
      signal,
    );
    expect(
      patched.is === 'patched' && Object.entries(patched.object.metadata['annotations'] as object),
    ).toEqual([['__proto__', 'y']]);
  });
});
