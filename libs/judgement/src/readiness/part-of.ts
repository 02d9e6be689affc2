/**
 * The part of a document at a path; undefined where something on the way is missing or is no
 * object. For what is read as it came, before anything is projected.
 */
export const partOf = (document: unknown, ...path: readonly string[]): unknown =>
  path.reduce(
    (part, key) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? (part as Readonly<Record<string, unknown>>)[key]
        : undefined,
    document,
  );

/** The same where the part should be a text that is not empty. */
export function textPartOf(document: unknown, ...path: readonly string[]): string | undefined {
  const part = partOf(document, ...path);
  return typeof part === 'string' && part !== '' ? part : undefined;
}

/** Entries of an array of objects; none where it is no array. */
export function entriesOf(document: unknown, ...path: readonly string[]): readonly unknown[] {
  const part = partOf(document, ...path);
  return Array.isArray(part) ? part : [];
}
