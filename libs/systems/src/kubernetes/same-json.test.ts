import { sameJson } from './same-json';

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [undefined, undefined, true],
  [undefined, null, false],
  [null, undefined, false],
  ['1', 1, false],
  [{ a: undefined }, {}, true],
])('%j and %j: %s', (one, other, same) => expect(sameJson(one, other)).toBe(same));
