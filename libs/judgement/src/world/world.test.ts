import type { Change } from '@ovn-steward/contracts/changes/change';
import { contentHash, SetDigest } from '@ovn-steward/contracts/identity/ids';
import { cell } from './cell';
import { defineRelation, defineTally } from './relation';
import type { Relation, Tally } from './relation';
import { World } from './world';

const byLabel = defineRelation({
  id: 'by-label',
  kinds: ['Vpc'],
  keys: ({ object: { metadata } }) => Object.values(metadata.labels ?? {}),
});
const counted = defineTally({
  id: 'counted',
  kinds: ['Vpc'],
  keys: () => ['all'],
  start: () => ({ count: 0 }),
  add: (it) => void (it.count += 1),
  remove: (it) => void (it.count -= 1),
});
const fresh = () => new World([byLabel as Relation], [counted as Tally]);

const base = (stream: string, seq: number, epoch = 1) => ({
  version: 1 as const,
  id: `${stream}-${epoch}-${seq}`,
  cluster: 'c',
  source: stream.startsWith('kubernetes/') ? ('kubernetes' as const) : ('ovn-nb' as const),
  stream,
  epoch,
  seq,
  cursor: `at ${seq}`,
  observedAt: `2026-01-01T00:00:0${seq % 10}Z`,
});
const objectOf = (uid: string, labels: Record<string, string> = {}) => ({
  metadata: { name: 'v', uid, labels },
});
const put = (seq: number, uid: string, labels: Record<string, string> = {}, epoch = 1): Change => ({
  type: 'put',
  ...base('kubernetes/Vpc', seq, epoch),
  kind: 'Vpc',
  uid,
  name: 'v',
  object: objectOf(uid, labels),
  hash: contentHash(objectOf(uid, labels)),
});
const remove = (seq: number, uid: string): Change => ({
  type: 'delete',
  ...base('kubernetes/Vpc', seq),
  kind: 'Vpc',
  uid,
  name: 'v',
});
const begin = (seq: number): Change => ({ type: 'snapshot-begin', ...base('kubernetes/Vpc', seq) });
const end = (stream: string, seq: number, ...objects: object[]): Change => {
  const digest = new SetDigest();
  objects.forEach((it) => digest.add(contentHash(it)));
  return {
    type: 'snapshot-end',
    ...base(stream, seq),
    kinds: [stream.slice('kubernetes/'.length)],
    count: digest.count,
    digest: digest.toString(),
  };
};
const unavailable = (stream: string, seq: number, reason: 'not-served' | 'forbidden'): Change => ({
  type: 'unavailable',
  ...base(stream, seq),
  kinds: [stream.slice('kubernetes/'.length)],
  reason,
  detail: '',
});
const folded = (...changes: Change[]): World => {
  const world = fresh();
  changes.forEach((it) => world.fold(it));
  return world;
};

describe('folding', () => {
  test('an entity is found by its key, its relations and its tallies until it goes', () => {
    const world = folded(put(1, 'u', { a: 'x', b: 'y', c: 'x' }));
    expect([
      world.byKey('Vpc', 'v').length,
      world.related('by-label', 'x').length,
      world.related('by-label', 'y').length,
    ]).toEqual([1, 1, 1]);
    expect(world.tallied('counted', 'all')).toEqual({ count: 1 });
    world.fold(remove(2, 'u'));
    expect([
      world.byKey('Vpc', 'v').length,
      world.related('by-label', 'x').length,
      world.count('Vpc'),
    ]).toEqual([0, 0, 0]);
    expect(world.tallied('counted', 'all')).toBeUndefined();
  });

  test('a change moves it from its old keys to its new ones, and names both', () => {
    const world = folded(put(1, 'u', { a: 'x' }));
    world.takeTouched();
    world.fold(put(2, 'u', { a: 'z' }));
    expect([world.related('by-label', 'x').length, world.related('by-label', 'z').length]).toEqual([
      0, 1,
    ]);
    const touched = world.takeTouched();
    for (const changed of [
      cell.relation('by-label', 'x'),
      cell.relation('by-label', 'z'),
      cell.key('Vpc', 'v'),
      cell.uid('u'),
      cell.tally('counted', 'all'),
    ])
      expect(touched.has(changed)).toBe(true);
  });

  test('who is there moves when one comes, goes or takes another key, and whether anybody is when the first comes and the last goes', () => {
    const world = folded(put(1, 'u', { a: 'x', b: 'y' }));
    const there = [
      cell.identity('u'),
      cell.presence('Vpc', 'v'),
      cell.some('by-label', 'x'),
      cell.some('by-label', 'y'),
      cell.some('by-label', 'z'),
    ];
    const moved = (): boolean[] => {
      const touched = world.takeTouched();
      return there.map((it) => touched.has(it));
    };
    expect(moved()).toEqual([true, true, true, true, false]);
    world.fold(put(2, 'u', { a: 'x', c: 'z' }));
    expect(moved()).toEqual([false, false, false, true, true]);
    world.fold(put(3, 'other', { a: 'x' }));
    expect(moved()).toEqual([false, true, false, false, false]);
    world.fold(remove(4, 'u'));
    expect(moved()).toEqual([true, true, false, false, true]);
    world.fold(remove(5, 'other'));
    expect(moved()).toEqual([false, true, true, false, false]);
    expect([world.hasRelated('by-label', 'x'), world.hasRelated('by-label', 'z')]).toEqual([
      false,
      false,
    ]);
  });

  test('an entity of another name is called otherwise', () => {
    const world = folded(put(1, 'u'));
    world.takeTouched();
    world.fold({ ...put(2, 'u', { a: 'x' }), name: 'renamed' } as Change);
    expect(world.takeTouched().has(cell.identity('u'))).toBe(true);
    expect([world.hasKey('Vpc', 'v'), world.hasKey('Vpc', 'renamed')]).toEqual([false, true]);
  });

  test('a repeat, an older change and one of a replaced collector move nothing', () => {
    const world = folded(put(5, 'u', { a: 'x' }, 2));
    for (const stale of [
      put(5, 'u', { a: 'y' }, 2),
      put(4, 'u', { a: 'y' }, 2),
      put(9, 'u', { a: 'y' }, 1),
    ])
      expect(world.fold(stale)).toBeUndefined();
    expect(world.related('by-label', 'x')).toHaveLength(1);
    expect(world.fold(put(6, 'u', { a: 'x' }, 2))).toBeUndefined();
    expect(world.fold(remove(7, 'nobody'))).toBeUndefined();
  });

  test('two incarnations of one name are both found until one goes', () => {
    const world = folded(put(1, 'old'), put(2, 'new'));
    expect(world.byKey('Vpc', 'v')).toHaveLength(2);
    world.fold(remove(3, 'old'));
    expect(world.byKey('Vpc', 'v').map((it) => it.uid)).toEqual(['new']);
  });

  test('an unknown relation or tally is a mistake of ours', () => {
    expect(() => fresh().related('no-such', 'x')).toThrow('no-such');
    expect(() => fresh().tallied('no-such', 'x')).toThrow('no-such');
  });
});

describe('whether absence is knowledge', () => {
  const crds = 'kubernetes/CustomResourceDefinition';
  const crd = (seq: number): Change => {
    const object = { metadata: { name: 'vpcs.kubeovn.io', uid: 'crd' } };
    return {
      type: 'put',
      ...base(crds, seq),
      kind: 'CustomResourceDefinition',
      uid: 'crd',
      name: 'vpcs.kubeovn.io',
      object,
      hash: contentHash(object),
    };
  };

  test('not before the kind was listed completely', () => {
    expect(fresh().knows('Vpc')).toBe(false);
    expect(folded(begin(1), put(2, 'u')).knows('Vpc')).toBe(false);
    expect(
      folded(begin(1), put(2, 'u'), end('kubernetes/Vpc', 3, objectOf('u'))).knows('Vpc'),
    ).toBe(true);
  });

  test('not when something was lost on the way', () => {
    expect(
      folded(put(1, 'u'), end('kubernetes/Vpc', 2, objectOf('u'), objectOf('lost'))).completeness(
        'Vpc',
      ),
    ).toMatchObject({ state: 'unavailable', reason: 'broken' });
    expect(folded(put(1, 'u'), end('kubernetes/Vpc', 2, objectOf('other'))).knows('Vpc')).toBe(
      false,
    );
  });

  test('not when it may not be read any more, though objects are still held', () => {
    const world = folded(
      put(1, 'u'),
      end('kubernetes/Vpc', 2, objectOf('u')),
      unavailable('kubernetes/Vpc', 3, 'forbidden'),
    );
    expect([world.knows('Vpc'), world.count('Vpc')]).toEqual([false, 1]);
  });

  test('when the complete list of definitions shows that it is not installed', () => {
    expect(folded(end(crds, 1), unavailable('kubernetes/Vpc', 1, 'not-served')).knows('Vpc')).toBe(
      true,
    );
  });

  test('not when it is not served although it is defined, or the definitions are not known, or objects of it are held', () => {
    expect(
      folded(
        crd(1),
        end(crds, 2, { metadata: { name: 'vpcs.kubeovn.io', uid: 'crd' } }),
        unavailable('kubernetes/Vpc', 1, 'not-served'),
      ).knows('Vpc'),
    ).toBe(false);
    expect(folded(unavailable('kubernetes/Vpc', 1, 'not-served')).knows('Vpc')).toBe(false);
    expect(
      folded(end(crds, 1), put(1, 'u'), unavailable('kubernetes/Vpc', 2, 'not-served')).knows(
        'Vpc',
      ),
    ).toBe(false);
    expect(folded(end(crds, 1), unavailable('kubernetes/Pod', 1, 'not-served')).knows('Pod')).toBe(
      false,
    );
    expect(folded(end(crds, 1), unavailable('kubernetes/Vpc', 1, 'forbidden')).knows('Vpc')).toBe(
      false,
    );
  });

  test('its readers are notified when it changes', () => {
    const world = fresh();
    world.fold(end('kubernetes/Vpc', 1));
    expect(world.takeTouched().has(cell.known('Vpc'))).toBe(true);
    world.fold(unavailable('kubernetes/Vpc', 2, 'forbidden'));
    expect(world.takeTouched().has(cell.known('Vpc'))).toBe(true);
  });
});

describe('how fresh a stream is', () => {
  const through = (world: World) => world.streamOf('Vpc')!.observedThrough;
  const heartbeat = (seq: number, observedThrough: string): Change => ({
    type: 'heartbeat',
    ...base('kubernetes/Vpc', seq),
    observedThrough,
  });

  test('what is reported while following moves it, what is reported during a full read does not', () => {
    const world = folded(begin(1), put(2, 'u'), end('kubernetes/Vpc', 3, objectOf('u')));
    expect(through(world)).toBe('');
    world.fold(put(4, 'u', { a: 'x' }));
    expect(through(world)).toBe('2026-01-01T00:00:04Z');
    world.fold(begin(5));
    world.fold(put(6, 'u', { a: 'y' }));
    expect(through(world)).toBe('2026-01-01T00:00:04Z');
  });

  test('it never goes back', () => {
    const world = folded(
      heartbeat(1, '2026-01-01T00:00:09Z'),
      heartbeat(2, '2026-01-01T00:00:01Z'),
    );
    expect(through(world)).toBe('2026-01-01T00:00:09Z');
  });
});

test('what a checkpoint held is put back whole', () => {
  const before = folded(
    put(1, 'u', { a: 'x' }),
    end('kubernetes/Vpc', 2, objectOf('u', { a: 'x' })),
  );
  const after = fresh();
  after.restoreStreams(before.streams());
  after.restoreEntities(before.entities('Vpc'));
  expect([
    after.knows('Vpc'),
    after.related('by-label', 'x').length,
    after.tallied('counted', 'all'),
  ]).toEqual([true, 1, { count: 1 }]);
  expect(after.takeTouched().size).toBe(0);
  after.fold(put(3, 'w'));
  after.fold(end('kubernetes/Vpc', 4, objectOf('u', { a: 'x' }), objectOf('w')));
  expect(after.knows('Vpc')).toBe(true);
});
