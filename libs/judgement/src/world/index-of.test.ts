import fc from 'fast-check';
import { entityOf, object } from '../testing/builders';
import { RelationIndex, TallyIndex } from './index-of';

const entities = ['a', 'b', 'c', 'd'].map((it) => entityOf(object('Vpc', it)));
const index = () => new RelationIndex({ id: 'x', kinds: ['Vpc'], keys: () => [] });

test('it finds what was added and not removed, under any history', () => {
  const step = fc.record({
    add: fc.boolean(),
    entity: fc.constantFrom(...entities),
    key: fc.constantFrom('k', '__proto__'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const relation = index();
      const plain = new Map([
        ['k', new Set<unknown>()],
        ['__proto__', new Set<unknown>()],
      ]);
      for (const { add, entity, key } of steps) {
        // As the world does: an entity enters once and leaves once.
        if (add === plain.get(key)!.has(entity)) continue;
        if (add) relation.add(entity, key);
        else relation.remove(entity, key);
        if (add) plain.get(key)!.add(entity);
        else plain.get(key)!.delete(entity);
      }
      for (const [key, set] of plain) expect(new Set(relation.find(key))).toEqual(set);
    }),
  );
});

test('it gives no more than asked for', () => {
  const relation = index();
  entities.forEach((it) => relation.add(it, 'k'));
  expect(relation.find('k', 2)).toHaveLength(2);
  expect(relation.find('k', 4)).toHaveLength(4);
  expect(relation.find('other')).toEqual([]);
});

test('a figure nobody contributes to is forgotten', () => {
  const tally = new TallyIndex({
    id: 'x',
    kinds: ['Vpc'],
    keys: () => [],
    start: () => ({ count: 0 }),
    add: (figure) => void ((figure as { count: number }).count += 1),
    remove: (figure) => void ((figure as { count: number }).count -= 1),
  });
  tally.add(entities[0]!, 'k');
  tally.add(entities[1]!, 'k');
  tally.remove(entities[0]!, 'k');
  expect(tally.find('k')).toEqual({ count: 1 });
  tally.remove(entities[1]!, 'k');
  expect(tally.find('k')).toBeUndefined();
  tally.remove(entities[1]!, 'k');
  expect(tally.find('k')).toBeUndefined();
});

test('a counted relation knows whether any is left under a key, and not who', () => {
  const relation = new RelationIndex({ id: 'x', kinds: ['Vpc'], keys: () => [], counted: true });
  const [a, b] = entities;
  expect([relation.add(a!, 'k'), relation.add(b!, 'k'), relation.add(a!, 'other')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(relation.remove(a!, 'k')).toBe(false);
  expect([relation.has('k'), relation.has('other')]).toEqual([true, true]);
  expect(relation.remove(b!, 'k')).toBe(true);
  expect([relation.has('k'), relation.has('other')]).toEqual([false, true]);
  expect(() => relation.find('other')).toThrow('relation x is counted');
});
