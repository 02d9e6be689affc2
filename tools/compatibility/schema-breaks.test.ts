import { createRequire } from 'node:module';

type Schema = Readonly<Record<string, unknown>>;
interface Who {
  readonly reads?: boolean;
  readonly writes?: boolean;
}
const { schemaBreaks } = createRequire(__filename)('./schema-breaks.cjs') as {
  schemaBreaks(before: Schema, after: Schema, who?: Who): string[];
};

const TEXT = { type: 'string' };
const object = (properties: Schema, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
});
const tagged = (...tags: string[]): Schema => ({
  oneOf: [
    ...tags.map((it) => object({ fact: { type: 'string', const: it } }, 'fact')),
    object({ fact: { type: 'string', not: { enum: tags } } }, 'fact'),
  ],
});

const READER = { writes: false };
const WRITER = { reads: false };

/** What changed, for whom it is compared, and what is said; nothing where nobody is broken. */
const CASES: readonly (readonly [string, Schema, Schema, Who, readonly string[]])[] = [
  ['a field was added', object({ a: TEXT }, 'a'), object({ a: TEXT, b: TEXT }, 'a'), {}, []],
  [
    'a field was removed',
    object({ a: TEXT, b: TEXT }),
    object({ a: TEXT }),
    READER,
    ['b: is no longer there'],
  ],
  [
    'a field deep inside was removed',
    object({ list: { type: 'array', items: object({ a: TEXT }) } }),
    object({ list: { type: 'array', items: object({}) } }),
    {},
    ['list[].a: is no longer there'],
  ],
  [
    'a field may be absent now',
    object({ a: TEXT }, 'a'),
    object({ a: TEXT }),
    READER,
    ['a: may now be absent'],
  ],
  ['a field may be absent now', object({ a: TEXT }, 'a'), object({ a: TEXT }), WRITER, []],
  [
    'a field is demanded',
    object({ a: TEXT }),
    object({ a: TEXT }, 'a'),
    WRITER,
    ['a: is demanded now'],
  ],
  ['a field is demanded', object({ a: TEXT }), object({ a: TEXT }, 'a'), READER, []],
  ['another type', TEXT, { type: 'number' }, READER, ['it: may now be number, was string']],
  ['another type', TEXT, { type: 'number' }, WRITER, ['it: may no longer be string']],
  ['null as well', TEXT, { type: ['string', 'null'] }, READER, ['it: may now be null, was string']],
  ['no null any more', { type: ['string', 'null'] }, TEXT, WRITER, ['it: may no longer be null']],
  ['a type where anything was taken', {}, TEXT, WRITER, ['it: must now be string, was anything']],
  ['anything where a type was', TEXT, {}, READER, ['it: may now be anything, was string']],
  ['another constant', { const: 1 }, { const: 2 }, READER, ['it: is now 2, was 1']],
  [
    'a word less',
    { enum: ['a', 'b'] },
    { enum: ['a'] },
    WRITER,
    ['it: no longer knows the word "b"'],
  ],
  [
    'a word less of an open list',
    { ...TEXT, examples: ['a', 'b'] },
    { ...TEXT, examples: ['a'] },
    READER,
    ['it: no longer knows the word "b"'],
  ],
  ['a word more', { ...TEXT, examples: ['a'] }, { ...TEXT, examples: ['a', 'b'] }, {}, []],
  [
    'a list that was open',
    { ...TEXT, examples: ['a'] },
    { ...TEXT, enum: ['a'] },
    WRITER,
    ['it: takes no other words any more'],
  ],
  [
    'a longer text',
    { ...TEXT, maxLength: 9 },
    { ...TEXT, maxLength: 10 },
    READER,
    ['it: has the maxLength 10, had 9'],
  ],
  [
    'a shorter text',
    { ...TEXT, maxLength: 9 },
    { ...TEXT, maxLength: 8 },
    WRITER,
    ['it: has the maxLength 8, had 9'],
  ],
  [
    'a lower bound where none was',
    TEXT,
    { ...TEXT, minLength: 1 },
    WRITER,
    ['it: has the minLength 1, had none'],
  ],
  [
    'no lower bound any more',
    { ...TEXT, minLength: 1 },
    TEXT,
    READER,
    ['it: has the minLength of none, had 1'],
  ],
  ['a format was said', TEXT, { ...TEXT, format: 'date-time' }, {}, []],
  [
    'another format',
    { ...TEXT, format: 'date-time' },
    TEXT,
    READER,
    ['it: has the format of any text, had date-time'],
  ],
  ['another pattern', TEXT, { ...TEXT, pattern: '^a' }, {}, ['it: has another pattern']],
  [
    'a kind less of a union',
    tagged('absent', 'present'),
    tagged('absent'),
    READER,
    ['it: is no longer one of fact present'],
  ],
  ['a kind more of an open union', tagged('absent'), tagged('absent', 'present'), {}, []],
  [
    'a union that was open',
    tagged('absent'),
    { oneOf: [tagged('absent')['oneOf']].flat().slice(0, 1) },
    WRITER,
    ['it: is no longer one of what is added later'],
  ],
  [
    'a kind more of a closed union',
    { anyOf: [TEXT] },
    { anyOf: [TEXT, { type: 'null' }] },
    READER,
    ['it: may now be null'],
  ],
  [
    'no other fields',
    object({}),
    { ...object({}), additionalProperties: false },
    WRITER,
    ['it: takes no other fields any more'],
  ],
  [
    'another type of the values of a table',
    { type: 'object', additionalProperties: TEXT },
    { type: 'object', additionalProperties: { type: 'number' } },
    READER,
    ['{}: may now be number, was string'],
  ],
  [
    'other words for people',
    { ...TEXT, description: 'one' },
    { ...TEXT, description: 'two', title: 'b' },
    {},
    [],
  ],
];

describe('what breaks a schema', () => {
  it.each(CASES)('%s', (_, before, after, who, said) => {
    expect(schemaBreaks(before, after, who)).toEqual(said);
  });

  it('is found behind references, and one that leads back to itself ends', () => {
    const tree = (leaf: Schema): Schema => ({
      $ref: '#/$defs/Node',
      $defs: { Node: object({ leaf, below: { $ref: '#/$defs/Node' } }) },
    });
    expect(schemaBreaks(tree(TEXT), tree(TEXT))).toEqual([]);
    expect(schemaBreaks(tree(TEXT), tree({ type: 'number' }), READER)).toEqual([
      'leaf: may now be number, was string',
    ]);
  });

  it('is nothing where a reference took the place of what it refers to', () => {
    const inner = object({ a: TEXT }, 'a');
    expect(
      schemaBreaks(object({ it: inner }), {
        ...object({ it: { $ref: '#/$defs/Inner' } }),
        $defs: { Inner: inner },
      }),
    ).toEqual([]);
  });
});
