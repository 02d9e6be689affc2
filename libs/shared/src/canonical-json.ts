/**
 * Whether every object in it has its keys in order, as kubectl prints them and our projections
 * build them.
 */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last = '';
  for (const key in value) {
    if (key < last || !isInOrder((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

/**
 * JSON with the keys of every object in one order, so that equal contents are equal texts. For what
 * came from JSON: it knows no `toJSON`.
 */
export function canonicalJson(value: unknown): string {
  // In one call, at half the cost.
  if (isInOrder(value)) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Record<string, unknown>;
  const members: string[] = [];
  for (const key of Object.keys(object).sort())
    if (object[key] !== undefined)
      members.push(`${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  return `{${members.join(',')}}`;
}
