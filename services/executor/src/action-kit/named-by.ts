import { type Json, operation, type Operation } from '@ovn-steward/ovsdb';
import { textNames, textReferences } from '@ovn-steward/judgement/ownership/references';
import { titleOf } from '@ovn-steward/judgement/ownership/grammar/row';
import { selectRows, type RowJson } from '@ovn-steward/systems/northbound/select-rows';
import {
  type RowFamily,
  identityColumns,
  type IdentifiedRow,
  identifiedRow,
  type FamilyMember,
} from './family';
import type { Trim } from './nb-row';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { keptAs } from './protection';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import { uuidOf } from '@ovn-steward/systems/northbound/stored-columns';
import { type NamingCondition, namingConditions, scannedColumns } from './text-columns';

interface Named {
  readonly table: string;
  readonly where: NamingCondition['where'];
  readonly place: string;
  readonly of: FamilyMember;
}

const conditionsOf = ({ schema, members }: RowFamily): readonly Named[] =>
  members.flatMap((of) => namingConditions(schema, of.table, of.name).map((it) => ({ ...it, of })));

/**
 * Guards that no row names any of the rows to be removed, except others that are removed and these
 * peers, as far as a condition can express it.
 */
export const namingGuards = (
  family: RowFamily,
  peers: readonly IdentifiedRow[],
): readonly Operation[] =>
  conditionsOf(family).map(({ table, where }) => {
    const inside = [...family.members, ...peers].filter(
      (it) => it.table === table && where.every((condition) => meets(it.columns, condition)),
    );
    return operation.wait(
      table,
      where,
      ['_uuid'],
      inside.map(({ uuid }) => ({ _uuid: operation.uuid(uuid) })),
    );
  });

/** As the server evaluates `includes`, for one text or for entries of a map. */
function meets(columns: RowJson, [column, , wanted]: NamingCondition['where'][number]): boolean {
  const is = columns[column];
  const isMap = (json: Json | undefined): json is readonly ['map', readonly (readonly Json[])[]] =>
    Array.isArray(json) && json[0] === 'map';
  if (isMap(wanted as Json))
    return (
      isMap(is) &&
      (wanted as readonly ['map', readonly (readonly Json[])[]])[1].every((pair) =>
        is[1].some((it) => it[0] === pair[0] && it[1] === pair[1]),
      )
    );
  return (
    is === wanted ||
    (Array.isArray(is) && is[0] === 'set' && (is[1] as readonly Json[]).includes(wanted as Json))
  );
}

/**
 * The first row that names one to be removed in a text, which the database neither checks nor
 * repairs: a port by its name; a group, set or meter also in a match. Rows that are removed with it
 * do not count. Expressions are read in full, since no condition matches inside them: only for
 * groups, sets and meters.
 * @returns what it is, in words; else the router ports of Kube-OVN's own that are peers of a router
 * that is removed whole: Kube-OVN leaves them too (kube-ovn.md §7.3).
 */
export async function namedBy(
  northbound: Northbound,
  family: RowFamily,
  trim: Trim,
  signal: AbortSignal,
): Promise<string | readonly IdentifiedRow[]> {
  const {
    schema,
    members: [target],
  } = family;
  const exact = conditionsOf(family);
  const scanned = [...scannedColumns(schema, target.table, target.name)];
  const name = (table: string): readonly string[] =>
    schema.tables.get(table)?.columns.has('name') === true ? ['_uuid', 'name'] : ['_uuid'];
  const answers = await selectRows(
    northbound,
    [
      ...exact.map((condition) =>
        operation.select(
          condition.table,
          condition.where,
          isPeer(condition, target)
            ? identityColumns(schema, condition.table)
            : name(condition.table),
        ),
      ),
      ...scanned.map(([table, columns]) =>
        operation.select(table, [], [...new Set([...name(table), ...columns])]),
      ),
    ],
    signal,
  );

  const removed = new Set(family.members.map((it) => rowKey(it.table, it.uuid)));
  const named = namedExactly(exact, answers, target, removed, trim);
  return typeof named === 'string'
    ? named
    : (namedInTexts(scanned, answers.slice(exact.length), target, removed, trim) ?? named);
}

type Answers = Awaited<ReturnType<typeof selectRows>>;

/** @returns as `namedBy`, by the conditions alone. */
function namedExactly(
  conditions: readonly Named[],
  answers: Answers,
  target: FamilyMember,
  removed: ReadonlySet<string>,
  trim: Trim,
): string | readonly IdentifiedRow[] {
  const peers: IdentifiedRow[] = [];
  for (const [nth, condition] of conditions.entries()) {
    const { table, place, of } = condition;
    const others = (answers[nth] ?? []).filter((it) => !removed.has(rowKey(table, uuidOf(it))));
    const isOwnPeer = (selected: RowJson): boolean =>
      isPeer(condition, target) && keptAs(trim(table, uuidOf(selected), selected)) === undefined;
    peers.push(...others.filter(isOwnPeer).map((it) => identifiedRow(table, it)));
    const row = others.find((it) => !isOwnPeer(it));
    if (row)
      return `${titleOf(trim(table, uuidOf(row), row))} names ${of === target ? 'it' : `${of.table} ${of.name}, which would go with it`} (${place})`;
  }
  return peers;
}

function namedInTexts(
  scanned: readonly (readonly [table: string, columns: readonly string[]])[],
  answers: Answers,
  target: FamilyMember,
  removed: ReadonlySet<string>,
  trim: Trim,
): string | undefined {
  const wanted = textNames(trim(target.table, target.uuid, target.columns));
  for (const [nth, [table, columns]] of scanned.entries()) {
    for (const row of answers[nth] ?? []) {
      if (removed.has(rowKey(table, uuidOf(row)))) continue;
      const references = textReferences(trim(table, uuidOf(row), row));
      if (
        references.some((it) => wanted.includes(it)) ||
        columns.some((it) => isInMap(row, it, target.name))
      )
        return `${titleOf(trim(table, uuidOf(row), row))} names it`;
    }
  }
  return undefined;
}

const isPeer = ({ table, place }: Named, target: FamilyMember): boolean =>
  target.table === 'Logical_Router' && table === 'Logical_Router_Port' && place === 'peer';

/** A map of a newer schema: whether the name stands in it, as a key or a value. */
function isInMap(row: RowJson, column: string, name: string): boolean {
  const json = row[column];
  if (!Array.isArray(json) || json[0] !== 'map' || !Array.isArray(json[1])) return false;
  return (json[1] as readonly (readonly Json[])[]).some((pair) => pair.includes(name));
}
