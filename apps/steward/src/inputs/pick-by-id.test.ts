import { pickById } from './pick-by-id';

const ALL = [{ id: 'aa' }, { id: 'ab' }];

test.each([
  ['action', 'a', '2 actions begin with "a"'],
  ['action or plan', 'a', '2 actions or plans begin with "a"'],
  ['finding', 'a', '2 findings begin with "a"'],
  ['finding that stands', 'a', '2 findings that stand begin with "a"'],
  ['finding that stands', 'b', 'No finding that stands begins with "b"'],
] as const)('of each %s that %s begins, and how many, it is said', (what, id, says) => {
  expect(() => pickById(id, ALL, what, 'a list')).toThrow(says);
});

test('an empty id names nothing, also where there is only one', () => {
  expect(() => pickById('', [{ id: 'aa' }], 'finding', 'a list')).toThrow(
    '1 finding begins with ""',
  );
});

test('a whole id, or the beginning of one only, is enough', () => {
  expect(pickById('ab', [...ALL, { id: 'abc' }], 'finding', 'a list')).toBe(ALL[1]);
  expect(pickById('aa', ALL, 'finding', 'a list')).toBe(ALL[0]);
});
