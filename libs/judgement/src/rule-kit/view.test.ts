import { portsUp } from '../relations/ports-up';
import type { Kind } from '../world/entity';
import { KindBits } from './declared-kinds';
import { View } from '../rule-kit/view';
import { World } from '../world/world';

test('a kind that was not declared is not read, whichever way', () => {
  const view = new View(new World([], []), new KindBits(['Pod'])) as View<Kind>;
  for (const observe of [
    () => view.presence('Vpc', 'v'),
    () => view.get('Vpc', 'v'),
    () => view.byUid('Vpc', 'u'),
    () => view.knows('Vpc'),
  ])
    expect(observe).toThrow('the rule reads Vpc without declaring it');
  expect(view.presence('Pod', 'a/b')).toBe('unknown');
});

test('whoever rests on what is not there learns the kind, and the key it asked for', () => {
  const believed: string[] = [];
  const view = new View(new World([], []), new KindBits(['Pod']), (kind) => believed.push(kind));
  const { answer, cells } = view.recordReads(() => view.presence('Pod' as never, 'a/b'));
  expect([answer, believed, cells.size]).toEqual(['unknown', ['Pod'], 1]);
});

test('a Namespace that nobody listed is not gone', () => {
  expect(new View(new World([], []), new KindBits([])).isNamespaceGone('shop')).toBe(false);
});

test('who is found by a counted relation does not compile, and throws all the same', () => {
  const view = new View(new World([portsUp], []), new KindBits(portsUp.kinds));
  expect(view.has(portsUp, 'any')).toBe(false);
  // @ts-expect-error -- only whether there are any is known
  expect(() => view.related(portsUp, 'any')).toThrow('relation ports-up is counted');
});
