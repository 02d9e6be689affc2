import { z } from 'zod';
import { isUnknownWord } from './unknown-word';

const Document = z.object({
  word: z.enum(['a', 'b']),
  list: z.array(z.discriminatedUnion('of', [z.object({ of: z.literal('x') })])),
  count: z.number(),
});
const GOOD = { word: 'a', list: [{ of: 'x' }], count: 1 };

test.each<[string, object, boolean]>([
  ['a word added later', { ...GOOD, word: 'c' }, true],
  ['a member added later', { ...GOOD, list: [{ of: 'y' }] }, true],
  ['what is no word', { ...GOOD, word: 7 }, false],
  ['no word at all', { list: [], count: 1 }, false],
  ['a text where a number is wanted', { ...GOOD, count: 'one' }, false],
])('%s', (_, document, expected) => {
  const { error } = Document.safeParse(document);
  expect(error!.issues.map((it) => isUnknownWord(document, it))).toEqual([expected]);
});
