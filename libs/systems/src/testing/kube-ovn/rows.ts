import { type Json, type JsonRow, operation as op, type Operation } from '@ovn-steward/ovsdb';

/** Kube-OVN's tag and these keys, as `external_ids`. */
export const ours = (ids: Readonly<Record<string, string>> = {}): Json =>
  op.map(Object.entries({ vendor: 'kube-ovn', ...ids }));

/** A row and, unless it is a root, the column of the row that holds it. */
export const add = (
  table: string,
  uuid: string,
  row: JsonRow,
  holder?: { readonly table: string; readonly uuid: string; readonly column: string },
): Operation[] => [
  op.insert(table, row, uuid),
  ...(holder
    ? [op.mutate(holder.table, op.byUuid(holder.uuid), [[holder.column, 'insert', op.uuid(uuid)]])]
    : []),
];
