import { refusalText } from './refusal-text';

test.each([
  [{ error: 'timed out' }, 'timed out'],
  [{ error: 'constraint violation', details: 'no row' }, 'constraint violation (no row)'],
])('%j is refused by %j', (answer, text) => expect(refusalText(answer)).toBe(text));
