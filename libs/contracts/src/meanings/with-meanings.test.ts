import { jsonSchemas } from '../schemas';
import { FIELD_MEANINGS, withMeanings } from './with-meanings';

interface Schema {
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Every field below a schema, with its path. */
function* fields(schema: Schema, path: string): Generator<readonly [string, Schema]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${name}`, field];
    yield* fields(field, `${path}.${name}`);
  }
  for (const inner of [
    schema.items,
    schema.additionalProperties,
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
  ])
    if (typeof inner === 'object') yield* fields(inner, path);
  for (const [name, it] of Object.entries(schema.$defs ?? {})) yield* fields(it, name);
}

const published = jsonSchemas() as readonly { readonly file: string; readonly schema: Schema }[];

test.each(published)('every field of $file says what it means', ({ file, schema }) => {
  const all = [...fields(schema, file)];
  expect(all.length).toBeGreaterThan(5);
  // one that can only say one thing says it by that
  const silent = all.filter(([, it]) => it.description === undefined && it.const === undefined);
  expect(silent.map(([path]) => path)).toEqual([]);
});

test.each(published)('every moment in $file has its format', ({ file, schema }) => {
  const moments = [...fields(schema, file)].filter(([path]) =>
    /(At|Seen|Through|\.at|\.since|\.until|\.time)$/.test(path),
  );
  const hasFormat = ({ format, anyOf = [] }: Schema): boolean =>
    [format, ...anyOf.map((it) => it.format)].includes('date-time');
  const offsets = /findingsThrough$/;
  expect(
    moments.filter(([path, it]) => !hasFormat(it) && !offsets.test(path)).map(([path]) => path),
  ).toEqual([]);
});

test('no meaning is of a field that is not there', () => {
  const used = new Set<string>();
  for (const { file, schema } of published)
    withMeanings(structuredClone(schema) as never, file.split('.')[0]!, (it) => used.add(it));
  expect(Object.keys(FIELD_MEANINGS).filter((it) => !used.has(it))).toEqual([]);
});
