import { isAfter } from './is-after';

test.each([
  ['a greater epoch, whatever the seq', { epoch: 2, seq: 1 }, { epoch: 1, seq: 9 }, true],
  ['a greater seq of the same epoch', { epoch: 1, seq: 10 }, { epoch: 1, seq: 9 }, true],
  ['the same position', { epoch: 1, seq: 9 }, { epoch: 1, seq: 9 }, false],
  ['a smaller seq', { epoch: 1, seq: 8 }, { epoch: 1, seq: 9 }, false],
  ['a smaller epoch, whatever the seq', { epoch: 1, seq: 10 }, { epoch: 2, seq: 9 }, false],
  ['anything, of nothing', { epoch: 0, seq: 0 }, undefined, true],
])('%s', (_, one, other, expected) => expect(isAfter(one, other)).toBe(expected));
