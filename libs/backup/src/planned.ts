import type { Value } from '@ovn-steward/ovsdb';

/** A row of the living database or one that comes back, with the columns that are written. */
export interface PlannedRow {
  readonly table: string;
  readonly uuid: string;
  readonly columns: ReadonlyMap<string, Value>;
}

/** The values a draft leads to, by `rowKey`. */
export interface DraftValues {
  readonly inserts: ReadonlyMap<string, PlannedRow>;
  readonly updates: ReadonlyMap<string, PlannedRow>;
}

/** Takes a row out of a draft: it is left as it is, for the reason that is given. */
export type Leave = (table: string, uuid: string, says: string) => void;
