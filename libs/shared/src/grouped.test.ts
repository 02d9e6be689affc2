import { grouped } from './grouped';

test('groups and what is in them keep the order given', () => {
  const groups = grouped(['pear', 'apple', 'plum', 'avocado'], (it) => it[0]!);
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
  ]);
});

test('each thing is asked for its key once', () => {
  const keyOf = jest.fn(() => '__proto__');
  expect(grouped([1, 2], keyOf).get('__proto__')).toEqual([1, 2]);
  expect(keyOf).toHaveBeenCalledTimes(2);
});
