import { OvsdbError } from '../wire/errors';
import { isUuid } from '../schema/value';
import type { ReceivedCell, TableRows } from './table-rows';

/** One checked and decoded step of an update; nothing is changed before all of them are. */
export interface UpdateStep {
  readonly rows: TableRows;
  readonly uuid: string;
  readonly kind: 'insert' | 'modify' | 'delete';
  readonly cells: readonly ReceivedCell[];
}

type Json = Record<string, unknown>;

const member = (json: Json, name: string): unknown =>
  Object.hasOwn(json, name) ? json[name] : undefined;

function members(json: unknown, what: string): [string, unknown][] {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new OvsdbError(
      'value-invalid',
      `${what} is not an object. The sender is not an OVSDB server or file.`,
    );
  return Object.entries(json);
}

/**
 * Checks and decodes the change of one row against what is held.
 *
 * @throws OvsdbError `out-of-step`, `schema-mismatch`, `value-invalid`.
 */
export type StepReader = (rows: TableRows, uuid: string, json: unknown) => UpdateStep;

/**
 * The steps of an update of several tables.
 *
 * @param rowsOf the rows of a table; throws where the schema has none of that name.
 * @throws OvsdbError `value-invalid`, and what the two functions throw.
 */
export function stepsOf(
  tables: unknown,
  rowsOf: (table: string) => TableRows,
  read: StepReader,
): UpdateStep[] {
  const steps: UpdateStep[] = [];
  for (const [table, updates] of members(tables, 'The update')) {
    const rows = rowsOf(table);
    for (const [uuid, json] of members(updates, `The update of ${table}`))
      steps.push(read(rows, checkUuid(rows, uuid), json));
  }
  return steps;
}

/** A row of a full snapshot, in any of the forms that a monitor's reply has. */
export const snapshotStep: StepReader = (rows, uuid, json) => {
  const [[name, row] = []] = members(json, `The update of row ${uuid} of ${rows.name}`);
  if (name === 'initial' || name === 'insert' || name === 'new')
    return { rows, uuid, kind: 'insert', cells: rows.decodeCells(uuid, row) };
  throw new OvsdbError(
    'value-invalid',
    `Row ${uuid} of ${rows.name} is not part of a full snapshot but a change. Take the reply to the monitor request, not a notification.`,
  );
};

/** A `<row-update>` (RFC 7047 section 4.1.6). */
export const update1Step: StepReader = (rows, uuid, json) => {
  const update = Object.fromEntries(members(json, `The update of row ${uuid} of ${rows.name}`));
  const row = member(update, 'new');
  const kind =
    row === undefined ? 'delete' : member(update, 'old') === undefined ? 'insert' : 'modify';
  checkHeld(rows, uuid, kind);
  return { rows, uuid, kind, cells: kind === 'delete' ? [] : rows.decodeCells(uuid, row) };
};

/** A `<row-update2>` (ovsdb-server(7) section 4.1.14). */
export const update2Step: StepReader = (rows, uuid, json) => {
  const [[name, row] = [], ...more] = members(json, `The update of row ${uuid} of ${rows.name}`);
  const kind = name === 'initial' ? 'insert' : name;
  if (more.length > 0 || (kind !== 'insert' && kind !== 'modify' && kind !== 'delete'))
    throw new OvsdbError(
      'value-invalid',
      `The update of row ${uuid} of ${rows.name} is none of initial, insert, modify and delete. The sender is not an OVSDB server.`,
    );
  checkHeld(rows, uuid, kind);
  const cells = kind === 'delete' ? [] : rows.decodeCells(uuid, row);
  const held = rows.rows.get(uuid);
  if (held) rows.checkKnown(held, cells);
  return { rows, uuid, kind, cells };
};

function checkHeld(rows: TableRows, uuid: string, kind: UpdateStep['kind']): void {
  const held = rows.rows.has(uuid);
  if (held === (kind === 'insert'))
    outOfStep(
      rows,
      uuid,
      kind === 'insert' ? 'inserted' : kind === 'delete' ? 'deleted' : 'modified',
      held ? 'held already' : 'not held',
    );
}

/** @throws OvsdbError `value-invalid` where that is none. */
export function checkUuid(rows: TableRows, uuid: string): string {
  if (isUuid(uuid)) return uuid;
  throw new OvsdbError(
    'value-invalid',
    `Table ${rows.name} has a row named ${JSON.stringify(uuid)}, which is no UUID. The sender is not an OVSDB server or file.`,
  );
}

/** @throws OvsdbError `out-of-step`, always. */
export function outOfStep(rows: TableRows, uuid: string, done: string, state: string): never {
  throw new OvsdbError(
    'out-of-step',
    `Row ${uuid} of ${rows.name} was ${done}, but it is ${state}. A change was missed: read the whole content again.`,
  );
}
