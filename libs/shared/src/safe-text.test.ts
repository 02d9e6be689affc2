import { safeText } from './safe-text';

test('what a terminal would obey or a reader would be misled by is shown instead', () => {
  expect(safeText('a\u001b[2J\nb\u202ec\u0085')).toBe('a\\u001b[2J\\u000ab\\u202ec\\u0085');
  expect(safeText('plain — text, ünïcode')).toBe('plain — text, ünïcode');
});

test('nothing is longer than asked', () => {
  expect(safeText('x'.repeat(400))).toHaveLength(300);
  expect(safeText('x'.repeat(10), 10)).toBe('x'.repeat(10));
  expect(safeText('x'.repeat(11), 10)).toBe(`${'x'.repeat(9)}…`);
});
