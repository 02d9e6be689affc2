import type { Entity } from '@ovn-steward/judgement/world/entity';
import { QueryingWorld } from './querying-world';
import { found } from './question';

const pod = { kind: 'Pod', uid: 'u', name: 'web-0', object: {}, hash: 'h' } as unknown as Entity;

test('what was not read yet is asked for, and answered as if there were nothing and nothing were known', () => {
  const world = new QueryingWorld();
  world.begin();
  expect([
    world.byKey('Pod', 'a'),
    world.hasKey('Pod', 'a'),
    world.entity('ACL', 'u'),
    world.related('r', 'k'),
    world.hasRelated('r', 'k'),
    world.knows('Pod'),
  ]).toEqual([[], false, undefined, [], false, false]);
  expect(world.open()).toEqual([
    { ask: 'key', kind: 'Pod', key: 'a' },
    { ask: 'uid', kind: 'ACL', uid: 'u' },
    { ask: 'relation', relation: 'r', key: 'k' },
    { ask: 'known', kind: 'Pod' },
  ]);
});

test('what was read is answered, and only what this run asked counts', () => {
  const world = new QueryingWorld();
  world.answer({ ask: 'key', kind: 'Pod', key: 'a' }, found([pod]));
  world.answer({ ask: 'relation', relation: 'r', key: 'k' }, found([pod, pod]));
  world.answer({ ask: 'known', kind: 'Pod' }, { is: 'known', known: true });
  world.answer({ ask: 'known', kind: 'Vip' }, { is: 'failed', reason: 'no' });
  world.begin();
  expect([
    world.byKey('Pod', 'a'),
    world.hasKey('Pod', 'a'),
    world.related('r', 'k', 1),
    world.knows('Pod'),
  ]).toEqual([[pod], true, [pod], true]);
  expect(world.open()).toEqual([]);
  expect(world.doubt()).toBeUndefined();
  expect(world.answered().map(({ question, contents }) => [question.ask, contents])).toEqual([
    ['key', true],
    ['relation', true],
    ['known', false],
  ]);
  world.begin();
  expect(world.hasKey('Pod', 'a')).toBe(true);
  expect(world.answered()).toMatchObject([{ contents: false }]);
});

test('a run that rests on a question without an answer, or on a running figure, is worth nothing', () => {
  const world = new QueryingWorld();
  world.answer({ ask: 'known', kind: 'Vip' }, { is: 'failed', reason: 'we may not' });
  world.begin();
  expect(world.knows('Vip')).toBe(false);
  expect(world.doubt()).toBe('we may not');
  world.begin();
  expect(world.tallied('held-addresses')).toBeUndefined();
  expect(world.doubt()).toContain('held-addresses');
  world.begin();
  expect(world.doubt()).toBeUndefined();
});

test('all that a relation finds is given, where no limit is', () => {
  const world = new QueryingWorld();
  world.answer({ ask: 'relation', relation: 'r', key: 'k' }, found([pod, pod, pod]));
  world.begin();
  expect([world.related('r', 'k').length, world.related('r', 'k', 2).length]).toEqual([3, 2]);
});

test('who asks whether a thing is there, then what it says, rests on what it says', () => {
  const world = new QueryingWorld();
  world.answer({ ask: 'key', kind: 'Pod', key: 'a' }, found([pod]));
  world.begin();
  world.hasKey('Pod', 'a');
  world.byKey('Pod', 'a');
  world.hasKey('Pod', 'a');
  expect(world.answered()).toMatchObject([{ contents: true }]);
});
