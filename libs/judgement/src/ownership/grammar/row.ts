import type { StringMap } from '../../world/ovn-rows';

/**
 * A Northbound row as the collector sends it: plain columns (sets as arrays, maps as objects,
 * references as uids), default-valued columns omitted.
 */
export interface NbRow {
  /** The table. */
  readonly kind: string;
  /** `_uuid`. */
  readonly uid: string;
  /** '' where the table has none. */
  readonly name: string;
  /**
   * Columns, plus `_parents` (every row that holds this one by a strong reference) and, on ports,
   * `_port_groups: uid[]`.
   */
  readonly object: Readonly<Record<string, unknown>>;
}

/**
 * What ownership may read of the rest of the database. Every answer is from one consistent,
 * completely listed snapshot.
 */
export interface Neighbourhood {
  /**
   * The row, if there is one; only its table, name, holders and what it says of its owner
   * (`localEvidence`) may be read.
   */
  row(uid: string): NbRow | undefined;
  /**
   * Strong children of the row that by their own evidence are foreign or unknown, and all deeper
   * ones; a few suffice.
   */
  protectingChildren(uid: string): readonly NbRow[];
  /**
   * Rows that refer to this one weakly, by name or in a text (`weakReferences`, `textReferences`),
   * excluding its strong parents.
   */
  referrers(row: NbRow): readonly NbRow[];
  /** Presence of a Kubernetes object; unknown until its kind was listed completely. */
  presence(kind: string, key: string): 'present' | 'absent' | 'unknown';
}

const NO_MAP: StringMap = Object.freeze(Object.create(null) as Record<string, string>);
const NOTHING: readonly never[] = Object.freeze([]);

/**
 * A map column, such as `external_ids`. Read single keys with `valueOf`: keys are anybody's and may
 * be `constructor`.
 */
export function mapOf(row: NbRow, column: string): StringMap {
  const value = row.object[column];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as StringMap)
    : NO_MAP;
}

/** The value under a key of a map column, '' when it is not there. */
export const valueOf = (map: StringMap, key: string): string =>
  Object.hasOwn(map, key) ? String(map[key]) : '';

/** A column of strings or uids, whether it holds a set, one value or none. */
export function columnList(row: NbRow, column: string): readonly string[] {
  const value = row.object[column];
  if (Array.isArray(value)) return value as string[];
  return typeof value === 'string' ? [value] : NOTHING;
}

/** A column with one text, '' when it is empty. */
export function columnText(row: NbRow, column: string): string {
  const value = row.object[column];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && typeof value[0] === 'string' ? value[0] : '';
}

/** How a sentence names the row. */
export const titleOf = (row: NbRow): string => `${row.kind} ${row.name || row.uid}`;
