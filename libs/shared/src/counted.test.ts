import { counted } from './counted';

test.each([
  [0, '0 actions'],
  [1, '1 action'],
  [2, '2 actions'],
])('%d of them', (count, text) => expect(counted(count, 'action')).toBe(text));

test('a plural of its own', () => {
  expect(counted(1, 'copy', 'copies')).toBe('1 copy');
  expect(counted(3, 'copy', 'copies')).toBe('3 copies');
});
