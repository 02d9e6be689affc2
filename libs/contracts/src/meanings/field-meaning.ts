/** What a field of a public document means: a sentence, or that of a moment (RFC 3339, UTC). */
export type FieldMeaning = string | { readonly moment: string };

/**
 * Meanings by the place of a field: the document (`action`) or what several share (`Reference`),
 * then the path. A list is `[]`, a table `{}`, and a member of a union stands in `<>`; without it
 * for all members of the document.
 */
export type FieldMeanings = Readonly<Record<string, FieldMeaning>>;

/** A moment, with its sentence. */
export const moment = (sentence: string): FieldMeaning => ({ moment: sentence });
