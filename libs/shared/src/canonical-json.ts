/** Texts that JSON writes as they are; nearly all are. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** By UTF-16 units. Most objects come with their keys in order. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let at = 1; at < keys.length; at++) if (keys[at - 1]! > keys[at]!) return keys.sort();
  return keys;
}

/** JSON with the keys of every object in one order, so that equal contents are equal texts. For what came from JSON: it knows no `toJSON`. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value) text += `${text === '' ? '' : ','}${canonicalJson(element)}`;
    return `[${text}]`;
  }
  for (const key of sortedKeys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
