import { Failure } from '@ovn-steward/shared/errors';
import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import {
  type KubernetesCall,
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { createBulkCache } from './bulk-cache';
import { LiveObjects } from './live-objects';

const never = new AbortController().signal;
const byMachine = RELATIONS.find(({ id }) => id === 'pods-by-machine')!;

let kubernetes: MemoryKubernetes;
let calls: string[];
let objects: LiveObjects;
beforeEach(() => {
  kubernetes = memoryKubernetes();
  calls = [];
  kubernetes.between = ({ verb, kind, namespace, name }, moment) => {
    if (moment === 'before') calls.push([verb, kind, namespace, name].filter(Boolean).join(' '));
  };
  objects = new LiveObjects(kubernetes, createBulkCache());
});
const pod = (namespace: string, name: string): void =>
  void kubernetes.put({ kind: 'Pod', metadata: { namespace, name } } as never);
const failing = (verb: KubernetesCall['verb'], code: string): void => {
  kubernetes.fault = (call) =>
    call.verb === verb ? new Failure(code as never, 'the server says so') : undefined;
};

test('an object is read by its key', async () => {
  pod('shop', 'web-0');
  kubernetes.put({ kind: 'Subnet', metadata: { name: 'apps' } } as never);
  expect(await objects.get('Pod', 'shop/web-0', never)).toMatchObject({
    source: 'kubernetes',
    stream: 'kubernetes/Pod',
    kind: 'Pod',
    namespace: 'shop',
    name: 'web-0',
  });
  expect(await objects.get('Subnet', 'apps', never)).toMatchObject({
    kind: 'Subnet',
    name: 'apps',
  });
  expect(await objects.get('Pod', 'shop/web-1', never)).toBeUndefined();
});

test.each([
  ['Pod', 'web-0'],
  ['Pod', '/web-0'],
  ['Pod', 'shop/'],
  ['Pod', 'shop/a/b'],
  ['Pod', '../web-0'],
  ['Pod', './web-0'],
  ['Pod', 'shop/..'],
  ['Pod', 'shop/a%2fb'],
  ['Pod', 'sh%2fop/a'],
  ['Subnet', 'a/b'],
  ['Subnet', '..'],
  ['Subnet', ''],
])('no %s has the key %j, and the server is not asked', async (kind, key) => {
  expect(await objects.get(kind, key, never)).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a kind that this version does not read is no kind without objects', async () => {
  await expect(objects.get('Widget', 'a', never)).rejects.toMatchObject({
    code: 'source-not-served',
  });
});

describe('a kind that is not installed', () => {
  beforeEach(() => void kubernetes.notInstalled.add('Vip'));

  test('has no objects, and that is known', async () => {
    expect(await objects.get('Vip', 'a', never)).toBeUndefined();
    expect(await objects.known('Vip', never)).toBe(true);
  });

  test('has none that a relation finds', async () => {
    kubernetes.notInstalled.add('Pod');
    expect(await objects.related('Pod', byMachine, 'shop/web', never)).toEqual([]);
  });
});

test('that a kind is not installed is asked again where the answer must be new', async () => {
  kubernetes.notInstalled.add('Pod');
  await objects.related('Pod', byMachine, 'shop/web', never);
  kubernetes.notInstalled.delete('Pod');
  await objects.related('Pod', byMachine, 'shop/web', never);
  expect(calls).not.toContain('list Pod shop');
  await objects.related('Pod', byMachine, 'shop/web', never, 0);
  expect(calls).toContain('list Pod shop');
});

test.each(['source-not-served', 'source-unreachable', 'source-forbidden'])(
  'an object of an installed kind is not absent since the server failed with %s',
  async (code) => {
    failing('get', code);
    await expect(objects.get('Vip', 'a', never)).rejects.toMatchObject({ code });
  },
);

test.each(['source-not-served', 'source-unreachable', 'source-forbidden'])(
  'an installed kind that fails with %s is not known',
  async (code) => {
    failing('count', code);
    await expect(objects.known('Vip', never)).rejects.toMatchObject({ code });
    pod('shop', 'web-0');
    await expect(objects.related('Pod', byMachine, 'shop/web', never)).rejects.toMatchObject({
      code,
    });
  },
);

test('what lies within a namespace is looked for there only', async () => {
  pod('shop', 'web-0');
  await objects.related('Pod', byMachine, 'shop/web', never);
  expect(calls).toContain('list Pod shop');
  expect(calls).not.toContain('list Pod');
});

test.each(['web', '/web', '../web'])('and under the key %j there is nothing', async (key) => {
  expect(await objects.related('Pod', byMachine, key, never)).toEqual([]);
  expect(calls).toEqual([]);
});
