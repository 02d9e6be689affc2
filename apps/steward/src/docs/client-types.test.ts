import { clientTypes } from './client-types';

test('a schema becomes a type with its comments, whose enums are open', () => {
  const schema = {
    title: 'A thing',
    $ref: '#/$defs/Thing',
    $defs: {
      Thing: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Its id.' },
          state: { type: 'string', examples: ['on', 'off'] },
          parts: { type: 'array', items: { oneOf: [{ $ref: '#/$defs/Part' }, { type: 'null' }] } },
          until: { type: ['string', 'null'] },
          row: { type: 'object', additionalProperties: {} },
        },
        required: ['id', 'state', 'until'],
      },
      Part: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
    },
  };
  expect(clientTypes(schema, 'Thing')).toBe(
    `// Generated from contracts/schemas by npm run generate.

/** A thing */
export type Thing = {
  /** Its id. */
  readonly id: string;
  readonly state: 'on' | 'off' | (string & {});
  readonly parts?: readonly (Part | null)[] | undefined;
  readonly until: string | null;
  readonly row?: Readonly<Record<string, unknown>> | undefined;
};

export type Part = {
  readonly size: number;
};
`,
  );
});
