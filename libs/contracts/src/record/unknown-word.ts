/** What zod found wrong, and where. */
export interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
}

/**
 * Whether what is wrong is a text where one of a list of known ones is wanted: lists of words are
 * open on the wire (contracts/schemas), so this one was added later.
 */
export const isUnknownWord = (document: unknown, { code, path }: Issue): boolean =>
  (code === 'invalid_value' || code === 'invalid_union') && typeof at(document, path) === 'string';

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
