import { noteIndex, reasonAgainst, type SeenIndexes, type ServerState } from './server-state';

const clustered: ServerState = { model: 'clustered', hasSchema: true, connected: true, leader: true, cid: 'c1', index: 10 };
const follower: ServerState = { ...clustered, leader: false };
const relay: ServerState = { ...follower, model: 'relay', cid: undefined, index: undefined };
const standalone: ServerState = { model: 'standalone', hasSchema: true, connected: true, leader: true, cid: undefined, index: undefined };
const nothing: SeenIndexes = new Map();

test.each<[string, ServerState, boolean]>([
  ['the leader', clustered, true],
  ['a follower where the leader is not asked for', follower, false],
  ['a connected relay where the leader is not asked for', relay, false],
  ['a standalone server', standalone, true],
])('%s may be used', (_, state, leaderOnly) => {
  expect(reasonAgainst(state, leaderOnly, nothing)).toBeUndefined();
});

test.each<[string, ServerState, boolean]>([
  ['a follower where the leader is asked for', follower, true],
  ['a member without majority', { ...clustered, connected: false }, false],
  ['a relay where the leader is asked for', relay, true],
  ['a relay without source', { ...relay, connected: false }, false],
  ['a server without schema', { ...clustered, hasSchema: false }, false],
  ['a standalone server without schema', { ...standalone, hasSchema: false }, false],
])('%s may not', (_, state, leaderOnly) => {
  expect(reasonAgainst(state, leaderOnly, nothing)).toEqual(expect.any(String));
});

test('a member behind what was seen of the same cluster may not be used, one of another cluster may', () => {
  const seen: SeenIndexes = new Map();
  noteIndex(clustered, seen);
  noteIndex({ ...clustered, index: 7 }, seen);
  expect(seen.get('c1')).toBe(10);
  expect(reasonAgainst({ ...clustered, index: 9 }, true, seen)).toContain('behind');
  expect(reasonAgainst({ ...clustered, index: 10 }, true, seen)).toBeUndefined();
  expect(reasonAgainst({ ...clustered, index: 9, cid: 'c2' }, true, seen)).toBeUndefined();
});
