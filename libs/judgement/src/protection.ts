import { PROTECT } from '@ovn-steward/shared/marks';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Entity } from './world/entity';

/**
 * What the user declared never to be garbage: by annotation or external_id on the object itself, or
 * by the settings' allow-list.
 */
export function userProtection(entries: Settings['protect']): (entity: Entity) => boolean {
  return (entity) => marked(entity) || entries.some((entry) => matches(entry, entity));
}

const stringMap = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};

const externalIdsOf = (entity: Entity): Readonly<Record<string, string>> =>
  stringMap(entity.object['external_ids']);

function marked(entity: Entity): boolean {
  const annotations = stringMap(stringMap(entity.object['metadata'])['annotations'] as unknown);
  return Object.hasOwn(externalIdsOf(entity), PROTECT) || Object.hasOwn(annotations, PROTECT);
}

function matches(
  { table, name, externalIds }: Settings['protect'][number],
  entity: Entity,
): boolean {
  if (table && !table.test(entity.kind)) return false;
  if (name && !name.test(entity.name)) return false;
  const ids = externalIdsOf(entity);
  return Object.entries(externalIds ?? {}).every(
    ([key, accepts]) => Object.hasOwn(ids, key) && accepts.test(ids[key]!),
  );
}
