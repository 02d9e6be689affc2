import { createHash } from 'node:crypto';
import {
  type ColumnSchema,
  type DatabaseSchema,
  isUuid,
  operation,
  type Operation,
  OvsdbError,
} from '@ovn-steward/ovsdb';
import { titleOf } from '@ovn-steward/judgement/ownership/grammar/row';
import { ovsdbFailure } from '@ovn-steward/systems/ovn/failure';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import { type Action, type EffectComment, type Prepared, type Refusal, refusal } from './action';
import { selectRows } from '@ovn-steward/systems/northbound/select-rows';
import { entryIn } from './entry-in';
import { identityColumns, type IdentifiedRow, identifiedRow } from './family';
import { trimmer, type Trim } from './nb-row';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { commentOperation } from './comment-operation';
import { keptAs } from './protection';
import { referringColumns } from '@ovn-steward/systems/northbound/references';
import { restoresEntry } from './restores-entry';
import { contentOf, pick } from '@ovn-steward/systems/northbound/stored-columns';

/** What differs between the actions that remove one entry of a column. */
export interface EntryAction extends Pick<
  Action,
  'id' | 'onlyApproved' | 'rank' | 'does' | 'undoing' | 'unproposed'
> {
  readonly table: string;
  /** A map of texts, or a set of references to rows. */
  readonly column: string;
  /**
   * What else the transaction rests on: operations that refuse it, by what the map says under the
   * key.
   */
  readonly requires?: (value: string) => readonly Operation[];
}

/**
 * An action that takes one entry out of a map or a set; the row stays. The target's part names the
 * column and the key, or the uuid in a set.
 */
export const removesEntry = ({
  table,
  column,
  requires = () => [],
  ...declared
}: EntryAction): Action => ({
  ...declared,
  on: 'ovn-nb',
  kinds: [table],
  verb: null,
  finishedBy: null,
  restores: (target, undo) => restoresEntry(table, column, target, undo),
  async prepare(target, comment, { northbound }, signal) {
    if (target.source !== 'ovn-nb' || target.kind !== table || target.part?.column !== column)
      return refusal(
        'unsupported',
        `${declared.id} takes one entry out of ${column} of a ${table}, not ${describe(target)}`,
      );
    try {
      return await prepared(
        { id: declared.id, requires },
        target,
        target.part,
        comment,
        northbound,
        signal,
      );
    } catch (error) {
      throw error instanceof OvsdbError ? ovsdbFailure(error) : error;
    }
  },
});

async function prepared(
  { id, requires }: Required<Pick<EntryAction, 'id' | 'requires'>>,
  target: Reference,
  part: { readonly column: string; readonly key: string },
  comment: EffectComment,
  northbound: Northbound,
  signal: AbortSignal,
): Promise<Prepared | Refusal> {
  const schema = await northbound.schema(signal);
  const column = schema.tables.get(target.kind)?.columns.get(part.column);
  if (!column || !isUuid(target.uid))
    return refusal(
      'unsupported',
      `${northbound.where} (schema ${schema.version}) has no column ${part.column} in a row ${target.uid} of ${target.kind}`,
    );
  const found = await readEntry(northbound, schema, target, column, part.key, signal);
  if ('is' in found) return found;
  const { row, referrers, member, value } = found;
  const kept = protectionOf(trimmer(schema), row, referrers, member);
  if (kept !== undefined) return refusal('protected', kept);
  if (row.name !== target.name)
    return refusal('changed', `${describe(target)} is called ${row.name} now`);

  const entry =
    column.kind === 'map' ? operation.map([[part.key, value ?? '']]) : operation.uuid(part.key);
  const { columns } = schema.tables.get(target.kind)!;
  const identity = IDENTITY.flatMap((it) => columns.get(it) ?? []);
  return {
    is: 'prepared',
    effect: {
      on: 'ovn-nb',
      operations: [
        ...guardsOf(target, part.column, entry, identity, found),
        ...(value === null ? [] : requires(value)),
        operation.mutate(target.kind, operation.byUuid(target.uid), [
          [part.column, 'delete', entry],
        ]),
        commentOperation(`${id} ${describe(target)} ${part.key}`, comment),
      ],
    },
    undo: {
      of: 'entry',
      table: target.kind,
      uuid: target.uid,
      name: row.name,
      column: part.column,
      key: part.key,
      value,
    },
    version: versionOf(entry, identity, found),
  };
}

/** Operations that refuse the removal unless all is as it was read. */
const guardsOf = (
  { kind, uid }: Reference,
  column: string,
  entry: EntryValue,
  identity: readonly ColumnSchema[],
  { row, referrers }: Entry,
): readonly Operation[] => {
  const names = identity.map((it) => it.name);
  return [
    operation.wait(kind, operation.byUuid(uid), names, [pick(row.columns, names)]),
    operation.wait(
      kind,
      [...operation.byUuid(uid), [column, 'includes', entry]],
      ['_uuid'],
      [{ _uuid: operation.uuid(uid) }],
    ),
    ...referrers.map(({ by, rows }) =>
      operation.wait(
        by.table,
        [[by.column, 'includes', operation.uuid(uid)]],
        ['_uuid'],
        rows.map((it) => pick(it.columns, ['_uuid'])),
      ),
    ),
  ];
};

type EntryValue = ReturnType<typeof operation.uuid>;

/** A digest of what was read. */
function versionOf(
  entry: EntryValue,
  identity: readonly ColumnSchema[],
  { row, referrers }: Entry,
): string {
  const content = {
    row: contentOf(row.columns, identity),
    referrers: referrers
      .flatMap(({ by, rows }) => rows.map((it) => `${by.table} ${by.column} ${it.uuid}`))
      .sort(),
    entry,
  };
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

/** What must be as it was read for the row to be the one that was judged. */
const IDENTITY = ['name', 'external_ids', 'protocol', 'options'];

interface Entry {
  readonly row: IdentifiedRow;
  readonly referrers: readonly {
    readonly by: { readonly table: string; readonly column: string };
    readonly rows: readonly IdentifiedRow[];
  }[];
  /** The row that a set's entry refers to. */
  readonly member: IdentifiedRow | undefined;
  /** What a map says under the key; null for a set. */
  readonly value: string | null;
}

async function readEntry(
  northbound: Northbound,
  schema: DatabaseSchema,
  target: Reference,
  column: ColumnSchema,
  key: string,
  signal: AbortSignal,
): Promise<Entry | Refusal> {
  const by = referringColumns(schema, target.kind);
  const inMap = by.find((it) => it.shape === 'map');
  if (inMap)
    return refusal(
      'unsupported',
      `column ${inMap.column} of ${inMap.table} refers to rows of ${target.kind} by a map, which this version cannot search`,
    );
  const to = column.kind === 'map' ? undefined : column.key.refTable;
  if (column.kind !== 'map' && (column.kind !== 'set' || to === undefined || !isUuid(key)))
    return refusal(
      'unsupported',
      `${column.name} is no map and no set of rows, or ${key} is no uuid`,
    );
  const [rows, members, ...referring] = await selectRows(
    northbound,
    entryRequests(schema, target, column, to === undefined ? undefined : { table: to, key }, by),
    signal,
  );
  const row = rows?.[0];
  if (!row) return refusal('gone', `${describe(target)} is not there any more`);
  const value = entryIn(row[column.name], key);
  if (value === undefined)
    return refusal('gone', `${key} is not in ${column.name} of ${describe(target)} any more`);
  if (value !== null && typeof value !== 'string')
    return refusal(
      'unsupported',
      `${column.name} of ${describe(target)} has no text under ${key}, which this version cannot put back`,
    );
  const member = to === undefined ? undefined : members?.[0];
  return {
    row: identifiedRow(target.kind, row),
    referrers: by.map((reference, nth) => ({
      by: reference,
      rows: (referring[nth] ?? []).map((each) => identifiedRow(reference.table, each)),
    })),
    member: member && identifiedRow(to ?? '', member),
    value,
  };
}

/** Reads the row, the row its entry refers to, and what refers to the row. */
const entryRequests = (
  schema: DatabaseSchema,
  { kind, uid }: Reference,
  column: ColumnSchema,
  member: { readonly table: string; readonly key: string } | undefined,
  by: ReturnType<typeof referringColumns>,
): readonly Operation[] => [
  operation.select(kind, operation.byUuid(uid), [
    ...new Set([...identityColumns(schema, kind), column.name]),
  ]),
  member === undefined
    ? operation.select(kind, operation.byUuid(uid), ['_uuid'])
    : operation.select(
        member.table,
        operation.byUuid(member.key),
        identityColumns(schema, member.table),
      ),
  ...by.map((reference) =>
    operation.select(
      reference.table,
      [[reference.column, 'includes', operation.uuid(uid)]],
      identityColumns(schema, reference.table),
    ),
  ),
];

/**
 * The row, the rows that refer to it, and the row an entry refers to must all be Kube-OVN's by
 * their own keys and names.
 */
function protectionOf(
  trim: Trim,
  row: IdentifiedRow,
  referrers: Entry['referrers'],
  member: IdentifiedRow | undefined,
): string | undefined {
  const judged = (kin: IdentifiedRow): { title: string; kept: string | undefined } => {
    const nbRow = trim(kin.table, kin.uuid, kin.columns);
    return { title: titleOf(nbRow), kept: keptAs(nbRow) };
  };
  const own = judged(row);
  if (own.kept !== undefined) return `${own.title} is kept: ${own.kept}`;
  for (const row of [...referrers.flatMap(({ rows }) => rows), ...(member ? [member] : [])]) {
    const { title, kept } = judged(row);
    if (kept !== undefined)
      return `${title}, to which ${own.title} is tied, is not proven Kube-OVN's: ${kept}`;
  }
  return undefined;
}
