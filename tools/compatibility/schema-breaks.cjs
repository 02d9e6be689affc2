// What of a JSON Schema (draft 2020-12, as this repository writes them) breaks those who rely on
// the one before. Who reads is broken by what it did not have to expect; who writes by what is no
// longer accepted. Records of before lie in the topics and are read again, so a document of ours
// has both: who reads, and who wrote.

/**
 * Words for people, and where a schema lies: they may change. `format` only says more of a text; it
 * may be added.
 */
const FREE = new Set(['title', 'description', 'default', '$id', '$schema', '$defs', '$comment']);
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const BY_MEANING = new Set([
  ...[...LOWER, ...UPPER, 'type', 'const', 'enum', 'examples', 'format', 'properties', 'required'],
  ...['items', 'additionalProperties', 'propertyNames', 'oneOf', 'anyOf', '$ref', 'not'],
]);

const listed = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const without = (values, others) => values.filter((it) => !others.some((other) => same(it, other)));

function resolved(schema, root) {
  if (schema?.$ref === undefined) return schema ?? {};
  const path = schema.$ref.replace(/^#\//, '').split('/');
  return path.reduce((at, name) => at?.[name], root) ?? {};
}

/** The words a list is known to have: of one that is open they are its examples. */
const words = ({ enum: closed, examples }) => closed ?? examples ?? [];

/**
 * What distinguishes a member of a union from the others: the values that only it may have, or its
 * types.
 */
function memberName(member) {
  if (member.const !== undefined) return JSON.stringify(member.const);
  const properties = Object.entries(member.properties ?? {});
  if (properties.some(([, it]) => it.not?.enum !== undefined)) return 'what is added later';
  const tags = properties.filter(([, it]) => typeof it.const === 'string');
  if (tags.length > 0) return tags.map(([name, it]) => `${name} ${it.const}`).join(', ');
  return listed(member.type).join(' or ') || 'anything';
}

/** Each member under its name; those of one name are distinguished by their place. */
function membersOf(union, root) {
  const members = new Map();
  for (const schema of union) {
    const member = resolved(schema, root);
    let name = memberName(member);
    while (members.has(name)) name = `${name}, another`;
    members.set(name, member);
  }
  return members;
}

/** What of one place differs, without what lies below it. */
function ownBreaks(before, after, { reads, writes }) {
  const found = [];
  const types = [listed(before.type), listed(after.type)];
  const isFree = (it) => listed(it.type).length === 0 && Object.keys(it).every((k) => FREE.has(k));
  if (reads && types[0].length > 0) {
    const added = types[1].length === 0 ? ['anything'] : without(types[1], types[0]);
    if (added.length > 0 && after.oneOf === undefined && after.anyOf === undefined)
      found.push(`may now be ${added.join(' or ')}, was ${types[0].join(' or ')}`);
  }
  if (writes && (types[0].length > 0 || isFree(before))) {
    const lost = isFree(before) ? types[1] : types[1].length > 0 ? without(...types) : [];
    if (lost.length > 0)
      found.push(
        isFree(before)
          ? `must now be ${lost.join(' or ')}, was anything`
          : `may no longer be ${lost.join(' or ')}`,
      );
  }
  if (!same(before.const, after.const) && ((before.const !== undefined && reads) || writes))
    found.push(`is now ${after.const ?? 'free'}, was ${before.const ?? 'free'}`);
  for (const word of without(words(before), words(after)))
    found.push(`no longer knows the word ${JSON.stringify(word)}`);
  if (writes && after.enum !== undefined && before.enum === undefined)
    found.push('takes no other words any more');
  if (reads && before.format !== undefined && before.format !== after.format)
    found.push(`has the format ${after.format ?? 'of any text'}, had ${before.format}`);
  return [
    ...found,
    ...boundBreaks(before, after, { reads, writes }),
    ...otherBreaks(before, after),
  ];
}

function boundBreaks(before, after, { reads, writes }) {
  return [...LOWER.map((it) => [it, 1]), ...UPPER.map((it) => [it, -1])].flatMap(([name, sign]) => {
    const [was, is] = [before, after].map((it) => (it[name] ?? -Infinity * sign) * sign);
    if (was === is) return [];
    const looser = is < was;
    return (looser ? reads : writes)
      ? [`has the ${name} ${after[name] ?? 'of none'}, had ${before[name] ?? 'none'}`]
      : [];
  });
}

/** Words of JSON Schema whose meaning nobody here has weighed: they stay as they are. */
const otherBreaks = (before, after) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((it) => !FREE.has(it) && !BY_MEANING.has(it) && !same(before[it], after[it]))
    .map((it) => `has another ${it}`);

function propertyBreaks(before, after, at, context) {
  const { reads, writes } = context;
  const found = [];
  const below = (name) => (at === '' ? name : `${at}.${name}`);
  for (const [name, schema] of Object.entries(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) found.push(`${below(name)}: is no longer there`);
    else found.push(...breaksAt(schema, now, below(name), context));
  }
  const [was, is] = [before.required ?? [], after.required ?? []];
  if (reads)
    for (const name of without(was, is).filter((it) => after.properties?.[it] !== undefined))
      found.push(`${below(name)}: may now be absent`);
  if (writes) for (const name of without(is, was)) found.push(`${below(name)}: is demanded now`);
  return found;
}

function unionBreaks(before, after, at, context) {
  const [were, are] = [before, after].map(({ oneOf, anyOf }, index) =>
    membersOf(oneOf ?? anyOf ?? [], context.roots[index]),
  );
  if (were.size === 0) return [];
  const found = [];
  for (const [name, member] of were) {
    const now = are.get(name);
    if (now === undefined) found.push(`${at || 'it'}: is no longer one of ${name}`);
    else found.push(...breaksAt(member, now, `${at}<${name}>`, context));
  }
  if (context.reads && !were.has('what is added later'))
    for (const name of are.keys())
      if (!were.has(name)) found.push(`${at || 'it'}: may now be ${name}`);
  return found;
}

function innerBreaks(before, after, at, context) {
  const found = [];
  for (const [name, mark] of [
    ['items', '[]'],
    ['additionalProperties', '{}'],
    ['propertyNames', '{name}'],
  ]) {
    const [was, is] = [before[name], after[name]];
    if (context.writes && is === false && was !== false)
      found.push(`${at || 'it'}: takes no other fields any more`);
    else if (typeof was === 'object')
      found.push(...breaksAt(was, is || {}, `${at}${mark}`, context));
  }
  return found;
}

function breaksAt(before, after, at, context) {
  const pair = `${before?.$ref} ${after?.$ref}`;
  if (before?.$ref !== undefined && context.seen.has(pair)) return [];
  const inside = { ...context, seen: new Set([...context.seen, pair]) };
  const [was, is] = [resolved(before, context.roots[0]), resolved(after, context.roots[1])];
  return [
    ...ownBreaks(was, is, context).map((it) => `${at || 'it'}: ${it}`),
    ...propertyBreaks(was, is, at, inside),
    ...unionBreaks(was, is, at, inside),
    ...innerBreaks(was, is, at, inside),
  ];
}

/**
 * What in `after` breaks who relied on `before`, one sentence each, with the path of the field.
 *
 * @param who `reads` what has this schema, `writes` it, or both.
 * @param roots the documents that references within each lead into; the schemas themselves where
 *   not given.
 */
module.exports.schemaBreaks = (
  before,
  after,
  { reads = true, writes = true, roots = [before, after] } = {},
) => breaksAt(before, after, '', { reads, writes, roots, seen: new Set() });
