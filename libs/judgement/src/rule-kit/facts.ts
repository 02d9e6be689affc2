import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { type Entity, type Identity, type Kind, referenceTo } from '../world/entity';

/** No object of the kind has that key, and the kind is completely known. */
export const absent = (kind: Kind, key: string): Fact => ({
  fact: 'absent',
  source: 'kubernetes',
  kind,
  key,
});

/** No Northbound row of the table has that name. */
export const absentRow = (table: Kind, name: string): Fact => ({
  fact: 'absent',
  source: 'ovn-nb',
  kind: table,
  key: name,
});

/** No Southbound row of the table has that name. */
export const absentBelow = (table: Kind, name: string): Fact => ({
  fact: 'absent',
  source: 'ovn-sb',
  kind: table,
  key: name,
});

/** The thing exists, as this incarnation. */
export const present = (entity: Identity): Fact => ({
  fact: 'present',
  subject: referenceTo(entity),
});

/** The thing is still the one that was judged, and says the same. */
export const unchanged = (entity: Omit<Entity, 'object'>): Fact => ({
  fact: 'unchanged',
  subject: referenceTo(entity),
  digest: entity.hash,
});

/** A field or column holds this value. */
export const value = (entity: Omit<Entity, 'object'>, path: string, is: string): Fact => ({
  fact: 'value',
  subject: referenceTo(entity),
  path,
  value: is,
});

/** Nothing refers to the row. */
export const unreferenced = (entity: Omit<Entity, 'object'>): Fact => ({
  fact: 'unreferenced',
  subject: referenceTo(entity),
});

/**
 * No object of the kind, or row of the Northbound table, holds this value in that field, and all of
 * them are known.
 */
export const unclaimed = (kind: Kind, path: string, is: string): Fact => ({
  fact: 'unclaimed',
  source: kubernetesKind(kind) ? 'kubernetes' : 'ovn-nb',
  kind,
  path,
  value: is,
});
