import { z } from 'zod';
import { wordsOfValue } from './value-words';

test.each<[string, z.ZodType, unknown, string]>([
  ['an empty text', z.string().min(1), '', 'it must not be empty'],
  ['an empty list', z.array(z.string()).min(1), [], 'it must not be empty'],
  ['a short text', z.string().min(3), 'a', 'it must be at least 3 characters'],
  ['a long text', z.string().max(1), 'ab', 'it must be at most 1 characters'],
  ['a small number', z.number().min(1), 0, 'it must be at least 1'],
  ['a number at the bound', z.number().gt(0), 0, 'it must be more than 0'],
  ['a large number', z.number().max(9), 10, 'it must be at most 9'],
  ['a fraction', z.number().int(), 1.5, 'write a whole number'],
  ['a text for a number', z.number(), 'x', 'write a number'],
  ['a text for a list', z.array(z.string()), 'x', 'write a list'],
  ['a text for a mapping', z.strictObject({}), 'x', 'write a mapping'],
  ['a word that there is not', z.enum(['a', 'b']), 'c', 'write one of a, b'],
  ['another value than the only one', z.literal('a'), 'c', 'write a'],
])('%s', (_, schema, value, words) => {
  const { error } = schema.safeParse(value, { error: wordsOfValue });
  expect(error?.issues.map(({ message }) => message)).toEqual([words]);
});

test('what a schema says itself is left', () => {
  const { error } = z.string().min(1, 'name one').safeParse('', { error: wordsOfValue });
  expect(error?.issues[0]?.message).toBe('name one');
});
