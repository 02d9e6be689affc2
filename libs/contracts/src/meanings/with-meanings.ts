import type { z } from 'zod';
import { ACTION_MEANINGS } from './action-meanings';
import { CHANGE_MEANINGS } from './change-meanings';
import type { FieldMeaning, FieldMeanings } from './field-meaning';
import { FINDING_MEANINGS } from './finding-meanings';
import { SHARED_MEANINGS } from './shared-meanings';

type Json = z.core.JSONSchema.BaseSchema;

/** What each field of the public documents means, for their schemas. */
export const FIELD_MEANINGS: FieldMeanings = {
  ...SHARED_MEANINGS,
  ...FINDING_MEANINGS,
  ...CHANGE_MEANINGS,
  ...ACTION_MEANINGS,
};

/**
 * Adds to a schema what each of its fields means.
 * @param place of the schema, as `FIELD_MEANINGS` names it; `onUsed` is called with each meaning
 *   that is used.
 */
export function withMeanings(
  schema: Json,
  place: string,
  onUsed: (place: string) => void = () => undefined,
): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (typeof field !== 'object') continue;
    const path = `${place}.${name}`;
    const meaning = FIELD_MEANINGS[path];
    if (meaning !== undefined) {
      onUsed(path);
      describeField(field, meaning);
    }
    withMeanings(field, path, onUsed);
  }
  for (const [inner, mark] of [
    [schema.items, '[]'],
    [schema.additionalProperties, '{}'],
  ] as const)
    if (typeof inner === 'object' && !Array.isArray(inner))
      withMeanings(inner as Json, `${place}${mark}`, onUsed);
  for (const member of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    if (typeof member === 'object') withMeanings(member, place, onUsed);
  for (const [name, shared] of Object.entries(schema.$defs ?? {}))
    if (typeof shared === 'object') withMeanings(shared, name, onUsed);
}

function describeField(field: Json, meaning: FieldMeaning): void {
  const sentence = typeof meaning === 'string' ? meaning : meaning.moment;
  // a list of words says already which there are
  field.description =
    field.description === undefined || field.description.startsWith(sentence)
      ? (field.description ?? sentence)
      : `${sentence} ${field.description}`;
  if (typeof meaning === 'string') return;
  for (const it of [field, ...(field.anyOf ?? [])])
    if (typeof it === 'object' && [it.type].flat().includes('string')) it.format = 'date-time';
}
