import { safeText } from './safe-text';

test('what a terminal would obey or a reader would be misled by is shown instead', () => {
  expect(safeText('a\u001b[2Jb\u202ec\u0090\td')).toBe('a\\u001b[2Jb\\u202ec\\u0090\\u0009d');
  expect(safeText('plain — text, ünïcode')).toBe('plain — text, ünïcode');
});

test.each([
  ['two lines', 'not valid:\n  first\n  second', 'not valid: first second'],
  ['lines of another system', 'a\r\nb\rc', 'a b c'],
  ['empty lines', 'a\n\n \n\tb', 'a b'],
  ['lines of Unicode', 'a\u2028b\u2029c\u0085d\u000be', 'a b c d e'],
  ['a line end at the end, and one at the beginning', '\n a \n', 'a'],
])('%s are one line, and nothing is shown for their ends', (_, text, shown) =>
  expect(safeText(text)).toBe(shown),
);

test('a line that would pass for one of ours stays within its own', () =>
  expect(safeText('web-0\ndone: 43 removed')).toBe('web-0 done: 43 removed'));

test('nothing is longer than asked', () => {
  expect(safeText('x'.repeat(400))).toHaveLength(300);
  expect(safeText('x'.repeat(10), 10)).toBe('x'.repeat(10));
  expect(safeText('x'.repeat(11), 10)).toBe(`${'x'.repeat(9)}…`);
});

test.each(['\u061c', '\u200e', '\u200f'])('a mark that turns single characters round: %j', (mark) =>
  expect(safeText(`a${mark}1`)).toBe(`a\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}1`),
);

test('what is cut ends with a whole character', () => {
  expect(safeText('ab😀cd', 4)).toBe('ab…');
  expect(safeText('ab😀cd', 5)).toBe('ab😀…');
});
