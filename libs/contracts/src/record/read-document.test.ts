import { z } from 'zod';
import { readDocument } from './read-document';

const Comment = z.object({
  version: z.literal(1),
  colour: z.enum(['red', 'green']),
  fixed: z.enum(['a', 'b']),
  parts: z.array(z.discriminatedUnion('of', [z.object({ of: z.literal('x') })])),
});
const COMMENT = { version: 1, colour: 'red', fixed: 'a', parts: [{ of: 'x' }] };
const reading = (value: unknown) =>
  readDocument(
    Comment,
    'a note',
    Buffer.from(JSON.stringify(value)),
    ([first]) => first !== 'fixed',
  );

test('members of a later version are kept, in the order in which they were written', () => {
  const later = { hint: { added: 'later' }, ...COMMENT };
  const read = reading(later);
  expect(read).toEqual({ document: later, understood: true });
  expect(JSON.stringify('document' in read && read.document)).toBe(JSON.stringify(later));
});

test.each([
  ['a word', { colour: 'blue' }],
  ['a member of a union', { parts: [{ of: 'y', since: 'then' }] }],
])('%s of a later version is kept, and not understood', (_, more) => {
  expect(reading({ ...COMMENT, ...more })).toEqual({
    document: { ...COMMENT, ...more },
    understood: false,
  });
});

test.each<[string, unknown, RegExp]>([
  ['another major version', { ...COMMENT, version: 2 }, /^not a note of version 1: version /],
  [
    'a word where the list is closed',
    { ...COMMENT, fixed: 'c' },
    /^not a note of version 1: fixed /,
  ],
  ['what is no word', { ...COMMENT, colour: 7 }, /colour/],
  ['an unknown word and a fault', { ...COMMENT, colour: 'blue', parts: 1 }, /parts/],
  ['no object', 'text', /^not a note of version 1: Invalid/],
])('%s is poison, with the reason', (_, value, why) => {
  expect(reading(value)).toEqual({ poison: expect.stringMatching(why) });
});

test.each<[string, string, RegExp]>([
  ['half a text', '{"version":', /^not JSON: /],
  ['brackets without end', '['.repeat(200_000), /^not JSON: /],
  [
    'what could not be written again',
    JSON.stringify(COMMENT).replace('{', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},`),
    /nested more than 128 deep/,
  ],
])('%s is poison, and ends nothing', (_, text, why) => {
  expect(readDocument(Comment, 'a note', Buffer.from(text))).toEqual({
    poison: expect.stringMatching(why),
  });
});
