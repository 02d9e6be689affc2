import { markdownReport, markdownText } from './markdown-report';
import { smallReport } from './testing/small-report';

test.each([
  ['a | b', 'a \\| b'],
  ['<img src=x>', '\\<img src=x\\>'],
  ['[x](y) `z` *w* _v_', '\\[x\\]\\(y\\) \\`z\\` \\*w\\* \\_v\\_'],
  ['http://evil.example and www.evil.example', 'http\\://evil.example and www\\.evil.example'],
  ['a\n# b', 'a \\# b'],
  ['1. one', '1\\. one'],
])('%j formats nothing', (given, expected) => expect(markdownText(given)).toBe(expected));

test('has a table for each part, and none for an empty one', () => {
  const text = [...markdownReport(smallReport({ unknowns: [] }))].join('');
  expect(text).toContain('## By class\n\n| Class | Findings |\n| --- | --- |\n');
  expect(text).not.toContain('## Could not be judged');
  expect(text).not.toContain('## Addresses lost');
});
