import { renewed } from './renewed';

test('what was renewed is used from the next call on', () => {
  let file = 'first';
  const current = renewed(() => file);
  expect(current()).toBe('first');
  file = 'second';
  expect(current()).toBe('second');
});

test('what cannot be read leaves the last one in use, until it can', () => {
  let read = (): string => 'first';
  const current = renewed(() => read());
  read = () => {
    throw new Error('half written');
  };
  expect(current()).toBe('first');
  read = () => 'second';
  expect(current()).toBe('second');
});

test('the first reading fails as such', () => {
  expect(() =>
    renewed(() => {
      throw new Error('not there');
    }),
  ).toThrow('not there');
});
