import { uplinkPortOf } from '@ovn-steward/judgement/ownership/grammar/names';
import {
  canBeProven,
  localEvidence,
  protects,
} from '@ovn-steward/judgement/ownership/local-evidence';
import {
  mapOf,
  type NbRow,
  titleOf,
  columnText,
  valueOf,
} from '@ovn-steward/judgement/ownership/grammar/row';
import { type Refusal, refusal } from './action';
import { type RowFamily, type IdentifiedRow, type FamilyMember } from './family';
import type { Trim } from './nb-row';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';

/**
 * What pods and virtual addresses have. Every other type is the end of a router, an uplink or
 * another system's.
 */
const PORT_TYPES: ReadonlySet<string> = new Set(['', 'virtual']);

/** The key under which Kube-OVN records the name of the holder. */
const HOLDER_KEY: ReadonlyMap<string, string> = new Map([
  ['Logical_Switch_Port', 'ls'],
  ['Logical_Router_Port', 'lr'],
  ['ACL', 'parent'],
]);

/**
 * Kube-OVN puts no key on these, so nothing on them shows the owner: the holder does, and a person
 * (the action is `onlyApproved`).
 */
const UNMARKED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['NAT', new Set(['none'])],
  ['QoS', new Set(['unknown'])],
]);
const QOS_COLUMNS: ReadonlySet<string> = new Set([
  'priority',
  'direction',
  'match',
  'action',
  'bandwidth',
]);

/**
 * Whether single rows of the table may be removed: those in which a row can prove that it is
 * Kube-OVN's, and those of which a person says so. Rows of any other go with their holder or are
 * never touched, whatever a finding says and whatever actions there are.
 */
const isRemovable = (table: string): boolean => canBeProven(table) || UNMARKED.has(table);

/** Whether a removable row says nothing of its owner, in a table in which Kube-OVN's never do. */
function isUnmarked(row: NbRow): boolean {
  if (UNMARKED.get(row.kind)?.has(localEvidence(row).owner) !== true) return false;
  return row.kind !== 'QoS' || Object.keys(row.object).every((it) => QOS_COLUMNS.has(it));
}

/**
 * Why the row is kept by what stands on it alone; undefined when it is Kube-OVN's, or a part of one
 * that is.
 */
export function keptAs(row: NbRow): string | undefined {
  const evidence = localEvidence(row);
  return protects(evidence, row)
    ? (evidence.evidence[0] ?? "nothing proves that it is Kube-OVN's")
    : undefined;
}

/**
 * A row to be removed by itself must be proven by its own keys and name; that of a balancer with a
 * free name, by a router that has it.
 */
function keptAsTarget(
  row: NbRow,
  { referrers }: FamilyMember,
  judged: (kin: IdentifiedRow) => NbRow,
): string | undefined {
  if (isUnmarked(row)) return undefined;
  const kept = keptAs(row);
  const { strength } = localEvidence(row);
  if (kept !== undefined || strength >= 3) return kept;
  const routers =
    row.kind === 'Load_Balancer'
      ? referrers.flatMap(({ rows }) => rows.filter((it) => it.table === 'Logical_Router'))
      : [];
  return routers.some((it) => keptAs(judged(it)) === undefined)
    ? undefined
    : 'its keys and name do not prove that it may be removed by itself';
}

const holdersOf = ({ referrers }: FamilyMember): readonly IdentifiedRow[] =>
  referrers.flatMap(({ by, rows }) => (by.strength === 'strong' ? rows : []));

/**
 * The executor's own, second check of the owner of these rows, independent of the finding and the
 * rule. Kept are: rows of tables Kube-OVN does not write; a row, a row that would be removed with
 * it, or one that holds it or refers to it, that is not Kube-OVN's by its own keys and name; all
 * that a person marked; ends of routers and uplinks.
 *
 * @param ports those a port group lists: to remove the group changes what reaches them.
 */
export function rowProtection(
  { members, staying }: RowFamily,
  trim: Trim,
  ports: readonly IdentifiedRow[],
): Refusal | undefined {
  const [target] = members;
  if (!isRemovable(target.table))
    return refusal('protected', `rows of ${target.table} are never removed by themselves`);
  const row: AsRow = (kin) => trim(kin.table, kin.uuid, kin.columns);
  const removed = new Set(members.map((it) => rowKey(it.table, it.uuid)));
  for (const member of members) {
    const refused = memberKept(member, target, row) ?? referrerKept(member, removed, row);
    if (refused) return refused;
  }
  const shared = staying.map(row).find((it) => keptAs(it) !== undefined);
  if (shared)
    return refusal(
      'protected',
      `${titleOf(shared)}, which ${titleOf(row(target))} shares with another row, is not proven Kube-OVN's: ${keptAs(shared)}`,
    );
  const port = ports.map(row).find((it) => keptAs(it) !== undefined);
  return (
    port &&
    refusal(
      'protected',
      `${titleOf(row(target))} lists ${titleOf(port)}, which is not proven Kube-OVN's: ${keptAs(port)}`,
    )
  );
}

type AsRow = (kin: IdentifiedRow) => NbRow;

/** Why one of the rows that would be removed is kept. */
function memberKept(member: FamilyMember, target: FamilyMember, row: AsRow): Refusal | undefined {
  const nbRow = row(member);
  const title = titleOf(nbRow);
  const type = columnText(nbRow, 'type');
  if (target.table === 'Logical_Switch' && member !== target && usesSwitch(nbRow, target.name))
    return refusal(
      'in-use',
      `${titleOf(row(target))} still has ${title}: only the ends of routers and its own uplink go with it`,
    );
  if (
    target.table !== 'Logical_Switch' &&
    nbRow.kind === 'Logical_Switch_Port' &&
    !PORT_TYPES.has(type)
  )
    return refusal(
      'protected',
      `${title} is of type ${type}; only ports of pods and virtual addresses are removed`,
    );
  const kept = member === target ? keptAsTarget(nbRow, member, row) : keptAs(nbRow);
  if (kept !== undefined)
    return refusal(
      'protected',
      `${title}${member === target ? '' : `, which would go with ${titleOf(row(target))},`} is kept: ${kept}`,
    );
  const misplaced = misplacedIn(nbRow, holdersOf(member));
  return misplaced === undefined ? undefined : refusal('protected', misplaced);
}

/** Why a row is kept by what holds it or refers to it and does not go itself. */
function referrerKept(
  member: FamilyMember,
  removed: ReadonlySet<string>,
  row: AsRow,
): Refusal | undefined {
  const nbRow = row(member);
  for (const { by, rows } of member.referrers) {
    for (const kin of rows.filter((each) => !removed.has(rowKey(each.table, each.uuid)))) {
      const referrer = row(kin);
      const why = keptAs(referrer);
      if (why !== undefined && !isUntaggedGroup(nbRow, referrer))
        return refusal(
          'protected',
          `${titleOf(referrer)} ${by.strength === 'strong' ? 'holds' : 'refers to'} ${titleOf(nbRow)} (${by.column}) and is not proven Kube-OVN's: ${why}`,
        );
    }
  }
  return undefined;
}

/**
 * Before 1.15 port groups lacked the tag. Such a group is kept, yet does not keep the ports it
 * lists.
 */
function isUntaggedGroup(row: NbRow, referrer: NbRow): boolean {
  return (
    referrer.kind === 'Port_Group' &&
    row.kind === 'Logical_Switch_Port' &&
    localEvidence(referrer).owner === 'kube-ovn'
  );
}

/**
 * Whether a port is anything but what a switch of Kube-OVN's has of itself: the end of a router,
 * named after both, the uplink, and tagged ports that no pod was given and no chassis has, of Vips
 * and of nodes to an external network (kube-ovn.md §3.1).
 */
function usesSwitch(row: NbRow, name: string): boolean {
  if (row.kind !== 'Logical_Switch_Port') return false;
  const type = columnText(row, 'type');
  const ids = mapOf(row, 'external_ids');
  const isIdle =
    PORT_TYPES.has(type) &&
    valueOf(ids, 'vendor') === 'kube-ovn' &&
    !Object.hasOwn(ids, 'pod') &&
    row.object['up'] !== true;
  return (
    !isIdle &&
    !(type === 'router' && row.name.startsWith(`${name}-`)) &&
    !(type === 'localnet' && row.name === uplinkPortOf(name))
  );
}

function misplacedIn(row: NbRow, holders: readonly IdentifiedRow[]): string | undefined {
  const key = HOLDER_KEY.get(row.kind);
  if (key === undefined) return undefined;
  const named = valueOf(mapOf(row, 'external_ids'), key);
  const other = holders.find((it) => it.name !== named);
  return (
    other &&
    `the key ${key} of ${titleOf(row)} names ${named}, but ${other.table} ${other.name || other.uuid} holds it`
  );
}
