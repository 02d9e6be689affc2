/** What of JSON Schema the published documents use. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  /** The known words of an open enum. */
  readonly examples?: readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * The types of a published document for readers in TypeScript, with the meaning of each field.
 * Enums are open there as they are on the wire: a word that is not known still fits.
 * @param name of the document, where the schema does not name it.
 */
export function clientTypes(schema: object, name: string): string {
  const { $defs = {}, ...own } = schema as Schema;
  const types = own.$ref === undefined ? { [name]: own as Schema, ...$defs } : $defs;
  const texts = Object.entries(types).map(
    ([it, type]) =>
      `${comment(type.description ?? (it === name ? own.title : undefined), '')}export type ${it} = ${typeText(type, '')};\n`,
  );
  return `// Generated from contracts/schemas by npm run generate.\n\n${texts.join('\n')}`;
}

function typeText(schema: Schema, indent: string): string {
  const { type, examples, items, properties, additionalProperties } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return word(schema.const);
  if (options !== undefined) return options.map((it) => typeText(it, indent)).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map(word).join(' | ');
  if (examples !== undefined) return [...examples.map(word), '(string & {})'].join(' | ');
  if (properties !== undefined) return objectText(schema, indent);
  if (additionalProperties !== undefined)
    return `Readonly<Record<string, ${typeText(additionalProperties, indent)}>>`;
  if (items !== undefined)
    return isUnion(items)
      ? `readonly (${typeText(items, indent)})[]`
      : `readonly ${typeText(items, indent)}[]`;
  return (typeof type === 'string' ? [type] : (type ?? ['unknown']))
    .map((it) => (it === 'integer' ? 'number' : it))
    .join(' | ');
}

function objectText({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, type]) =>
      `${comment(type.description, inner)}${inner}readonly ${name}${required.includes(name) ? ':' : '?:'} ${typeText(type, inner)}${required.includes(name) ? '' : ' | undefined'};\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

const word = (it: string | number): string => (typeof it === 'string' ? `'${it}'` : String(it));
const isUnion = ({ anyOf, oneOf, enum: words, examples, type }: Schema): boolean =>
  (anyOf ?? oneOf ?? words ?? examples) !== undefined || Array.isArray(type);
const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text} */\n`;
