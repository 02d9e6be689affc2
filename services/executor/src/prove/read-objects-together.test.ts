import { Failure } from '@ovn-steward/shared/errors';
import { createLane } from '@ovn-steward/shared/lane';
import {
  memoryKubernetes,
  type MemoryKubernetes,
} from '@ovn-steward/systems/testing/memory-kubernetes';
import { readObjectsTogether } from './read-objects-together';

const never = new AbortController().signal;
const NAMES = ['web-0', 'web-1', 'web-2', 'web-3', 'web-4'];

let kubernetes: MemoryKubernetes;
let calls: string[];
let clock: number;
let read: ReturnType<typeof readObjectsTogether>;
beforeEach(() => {
  kubernetes = memoryKubernetes();
  calls = [];
  clock = 0;
  kubernetes.between = ({ verb, kind, namespace, name }, moment) => {
    if (moment === 'before') calls.push([verb, kind, namespace, name].filter(Boolean).join(' '));
  };
  read = readObjectsTogether(kubernetes, createLane(8).run, () => clock);
});
const put = (...names: readonly string[]): void => {
  for (const name of names)
    kubernetes.put({ kind: 'Pod', metadata: { namespace: 'shop', name } } as never);
};
const found = async (names: readonly string[]): Promise<readonly (string | undefined)[]> =>
  (await Promise.all(names.map((it) => read('Pod', 'shop', it, never)))).map(
    (it) => it?.metadata.name,
  );

test('several of one namespace are one list, in which the others are absent', async () => {
  put('web-0', 'web-3');
  expect(await found(NAMES)).toEqual(['web-0', undefined, undefined, 'web-3', undefined]);
  expect(calls).toEqual(['list Pod shop']);
});

test('a few are read each by itself, and each once', async () => {
  put('web-0');
  expect(await found(['web-0', 'web-1', 'web-0'])).toEqual(['web-0', undefined, 'web-0']);
  expect(calls).toEqual(['get Pod shop web-0', 'get Pod shop web-1']);
});

test('what comes alive after one read is in the next', async () => {
  expect(await found(NAMES)).toEqual(NAMES.map(() => undefined));
  put('web-1');
  expect((await found(NAMES))[1]).toBe('web-1');
});

test('what comes alive while a list is under way is there for who reads it after that', async () => {
  let after: Promise<readonly (string | undefined)[]> | undefined;
  const between = kubernetes.between!;
  kubernetes.between = async (call, moment) => {
    await between(call, moment);
    if (moment === 'before' || after !== undefined) return;
    put('web-1');
    after = found(NAMES);
    await new Promise((resolve) => setImmediate(resolve));
  };
  expect(await found(NAMES)).toEqual(NAMES.map(() => undefined));
  expect((await after!)[1]).toBe('web-1');
});

test('where there are many, each is read by itself, and for a minute no list is tried', async () => {
  put(...Array.from({ length: 41 }, (_, n) => `other-${n}`), 'web-2');
  const each = NAMES.map((it) => `get Pod shop ${it}`);
  expect((await found(NAMES))[2]).toBe('web-2');
  expect(calls.splice(0)).toEqual(['list Pod shop', ...each]);
  clock = 59_000;
  await found(NAMES);
  expect(calls.splice(0)).toEqual(each);
  clock = 61_000;
  await found(NAMES);
  expect(calls).toEqual(['list Pod shop', ...each]);
});

test('for twice as many names, a list of twice as many objects is tried', async () => {
  put(...Array.from({ length: 41 }, (_, n) => `other-${n}`));
  await found(NAMES);
  calls.length = 0;
  const more = Array.from({ length: 10 }, (_, n) => `web-${n}`);
  await found(more.slice(1));
  expect(calls).not.toContain('list Pod shop');
  calls.length = 0;
  expect(await found(more)).toEqual(more.map(() => undefined));
  expect(calls).toEqual(['list Pod shop']);
});

test.each(['source-forbidden', 'source-unreachable', 'source-broken', 'source-not-served'])(
  'a list that fails with %s makes nothing absent',
  async (code) => {
    put('web-2');
    kubernetes.fault = ({ verb }) =>
      verb === 'list' ? new Failure(code as never, 'the server says so') : undefined;
    expect((await found(NAMES))[2]).toBe('web-2');
    kubernetes.fault = () => new Failure(code as never, 'the server says so');
    await expect(found(NAMES)).rejects.toMatchObject({ code });
  },
);

test('objects of the same name in another namespace, or of another kind, are others', async () => {
  put(...NAMES);
  const elsewhere = await Promise.all([
    ...NAMES.map((it) => read('Pod', 'bank', it, never)),
    ...NAMES.map((it) => read('StatefulSet', 'shop', it, never)),
    ...NAMES.map((it) => read('IP', undefined, it, never)),
  ]);
  expect(elsewhere.filter((it) => it !== undefined)).toEqual([]);
  expect(calls).toEqual(['list Pod bank', 'list StatefulSet shop', 'list IP']);
});
