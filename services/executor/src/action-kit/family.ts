import { type DatabaseSchema, operation, type Operation } from '@ovn-steward/ovsdb';
import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { type Refusal, refusal } from './action';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import {
  referencesOf,
  type ReferringColumn,
  referringColumns,
  uuidsInJson,
} from '@ovn-steward/systems/northbound/references';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { rowNameOf, storedColumns, uuidOf } from '@ovn-steward/systems/northbound/stored-columns';

/** A row that refers to another, with the columns that show its owner. */
export interface IdentifiedRow {
  readonly table: string;
  readonly uuid: string;
  readonly name: string;
  readonly columns: RowJson;
}

/** The rows that refer to a row by one column of the schema; most often none. */
export interface ColumnReferrers {
  readonly by: ReferringColumn;
  readonly rows: readonly IdentifiedRow[];
}

/** A row with all its stored columns and everyone who refers to it by uuid. */
export interface FamilyMember extends IdentifiedRow {
  readonly referrers: readonly ColumnReferrers[];
}

/** What the database would drop with a row: itself first, then what only rows that go hold. */
export interface RowFamily {
  readonly schema: DatabaseSchema;
  readonly members: readonly [FamilyMember, ...FamilyMember[]];
  /** Held by a row that goes, and by another that stays. */
  readonly staying: readonly FamilyMember[];
}

/**
 * The most rows that one removal may take along. Each costs the server one scan for each column that
 * may refer to it.
 */
const MOST_ROWS = 1000;

/** Known columns that grow with the cluster and say nothing about the row's owner. */
const BULK: ReadonlySet<string> = new Set(['vips', 'ip_port_mappings', 'addresses']);

/** What to select of a row to determine its owner: never the 65,000 ports of a switch. */
export const identityColumns = (schema: DatabaseSchema, table: string): readonly string[] => {
  const known = KNOWN_COLUMNS.get(table);
  const isLarge = (name: string, isReferences: boolean): boolean =>
    known?.has(name) === true && (isReferences || BULK.has(name));
  const columns = schema.tables.get(table);
  return [
    '_uuid',
    ...(columns ? storedColumns(columns) : [])
      .filter((it) => !isLarge(it.name, it.kind === 'set' && it.key.refTable !== undefined))
      .map((it) => it.name),
  ];
};

export const identifiedRow = (table: string, row: RowJson): IdentifiedRow => ({
  table,
  uuid: uuidOf(row),
  name: rowNameOf(row),
  columns: row,
});

interface Question {
  readonly table: string;
  readonly uuid: string;
  readonly by: readonly ReferringColumn[];
  readonly selects: readonly Operation[];
}

function questionAbout(schema: DatabaseSchema, table: string, uuid: string): Question {
  const by = referringColumns(schema, table);
  const own = storedColumns(schema.tables.get(table)!).map((it) => it.name);
  return {
    table,
    uuid,
    by,
    selects: [
      operation.select(table, operation.byUuid(uuid), ['_uuid', ...own]),
      ...by.map((reference) =>
        operation.select(
          reference.table,
          [[reference.column, 'includes', operation.uuid(uuid)]],
          identityColumns(schema, reference.table),
        ),
      ),
    ],
  };
}

/**
 * Reads a row, the rows it holds by strong references, and the rows that refer to any of them, in
 * one read for each level of holding. Rows are few: a holder's other children are never read.
 * @returns why it is not known instead: `gone`, `unsupported` for references this version cannot
 * follow, `too-large`, `changed`.
 * @throws Failure when it cannot be read.
 */
export async function readFamily(
  northbound: Northbound,
  schema: DatabaseSchema,
  table: string,
  uuid: string,
  signal: AbortSignal,
): Promise<RowFamily | Refusal> {
  const found = new Map<string, FamilyMember>();
  let wave: { table: string; uuid: string }[] = [{ table, uuid }];
  while (wave.length > 0) {
    const unsupported = wave
      .map((it) => unfollowable(schema, it.table))
      .find((it) => it !== undefined);
    if (unsupported !== undefined) return unsupported;
    const questions = wave.map((it) => questionAbout(schema, it.table, it.uuid));
    const answers = await selectRows(
      northbound,
      questions.flatMap((it) => it.selects),
      signal,
    );
    let at = 0;
    for (const question of questions) {
      const [rows, ...referrers] = answers.slice(at, (at += question.selects.length));
      const row = rows?.[0];
      if (!row)
        return found.size === 0
          ? refusal('gone', `row ${question.uuid} of ${question.table} is not there any more`)
          : refusal('changed', `${question.table} ${question.uuid} went while it was read`);
      found.set(rowKey(question.table, question.uuid), {
        ...identifiedRow(question.table, row),
        referrers: question.by.map((by, nth) => ({
          by,
          rows: (referrers[nth] ?? []).map((it) => identifiedRow(by.table, it)),
        })),
      });
    }
    wave = childrenOf(schema, found, questions);
    if (found.size + wave.length > MOST_ROWS)
      return refusal(
        'too-large',
        `more than ${MOST_ROWS} rows would go with ${table} ${uuid}; remove what it holds first`,
      );
  }
  return { schema, ...partOf(found, rowKey(table, uuid)) };
}

/** A map may hold a row under any key; rows that refer to it by one cannot be selected. */
function unfollowable(schema: DatabaseSchema, table: string): Refusal | undefined {
  const inMap = referringColumns(schema, table).find((it) => it.shape === 'map');
  if (inMap)
    return refusal(
      'unsupported',
      `column ${inMap.column} of ${inMap.table} refers to rows of ${table} by a map, which this version cannot search`,
    );
  const own = referencesOf(schema, table).find((it) => it.shape === 'map');
  return (
    own &&
    refusal(
      'unsupported',
      `column ${own.column} of ${table} refers to others by a map, which this version cannot follow`,
    )
  );
}

/** The rows of non-root tables that the queried rows hold and that were not read yet. */
function childrenOf(
  schema: DatabaseSchema,
  found: ReadonlyMap<string, FamilyMember>,
  queries: readonly Question[],
): { table: string; uuid: string }[] {
  const children = new Map<string, { table: string; uuid: string }>();
  for (const question of queries) {
    const { columns } = found.get(rowKey(question.table, question.uuid))!;
    for (const { column, to, strength } of referencesOf(schema, question.table)) {
      if (strength === 'weak' || schema.tables.get(to)?.isRoot !== false) continue;
      for (const uuid of uuidsInJson(columns[column]))
        if (!found.has(rowKey(to, uuid))) children.set(rowKey(to, uuid), { table: to, uuid });
    }
  }
  return [...children.values()];
}

/** A row goes when every row that holds it goes. */
function partOf(
  found: ReadonlyMap<string, FamilyMember>,
  first: string,
): Pick<RowFamily, 'members' | 'staying'> {
  const removed = new Set(found.keys());
  const staysHeld = ({ referrers }: FamilyMember): boolean =>
    referrers.some(
      ({ by, rows }) =>
        by.strength === 'strong' && rows.some((it) => !removed.has(rowKey(it.table, it.uuid))),
    );
  for (let settled = false; !settled;) {
    settled = true;
    for (const key of removed)
      if (key !== first && staysHeld(found.get(key)!)) settled = !removed.delete(key);
  }
  const all = [...found];
  const [target, ...others] = all.filter(([key]) => removed.has(key)).map(([, it]) => it);
  return {
    members: [target!, ...others],
    staying: all.filter(([key]) => !removed.has(key)).map(([, it]) => it),
  };
}
