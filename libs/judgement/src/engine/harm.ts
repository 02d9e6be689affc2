import type { FormerRow } from '../world/former-row';

/** A former row with its uid. */
export interface Former extends FormerRow {
  readonly uid: string;
  readonly name: string;
}

/** Owners whose rows one person may well delete together. */
const ONE_FAMILY: Readonly<Record<string, string>> = { octavia: 'neutron' };
const familyOf = (owner: string): string => ONE_FAMILY[owner] ?? owner;

/**
 * Within so long, in milliseconds, rows went together. A collection by Kube-OVN took 0.25 s, its
 * whole start 8 s (recorded incident).
 */
export const TOGETHER_MS = 10_000;
/**
 * So long after harm was done, Kube-OVN's periodic collection takes what its first pass left
 * (`gc-interval` is 6 minutes unless said otherwise).
 */
export const NEXT_PASS_MS = 600_000;

const BIG: ReadonlySet<string> = new Set(['Logical_Switch', 'Logical_Router']);

const isMoved = ({ row, gone }: FormerRow['parts'][number], table: string): boolean =>
  !gone && table === 'ACL' && (row['tier'] ?? 0) === 0;
const ids = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  (row['external_ids'] ?? {}) as Readonly<Record<string, unknown>>;
const isMachinePort = ({ row }: FormerRow['parts'][number]): boolean =>
  String(ids(row)['neutron:device_owner'] ?? '').startsWith('compute:');

/**
 * Whether a network of Neutron went in one transaction with ports of machines. Neutron's API
 * deletes none that has any. Its repair does, of a network that its own database does not have
 * (`sync_networks_ports_and_dhcp_opts` in neutron's ovn_db_sync.py; seen with Neutron 29).
 */
export const tookMachines = ({ table, owner, row, parts, moment, unwatched }: Former): boolean =>
  owner === 'neutron' &&
  row !== undefined &&
  table === 'Logical_Switch' &&
  unwatched === undefined &&
  parts.some((it) => it.moment === moment && isMachinePort(it));

/**
 * What of itself shows that its owner did not do it: a clause each.
 *
 * @param mayBeRepair whether Neutron's repair may have taken the network.
 */
export function ownEvidence(former: Former, mayBeRepair: boolean): readonly string[] {
  const { name, row, parts } = former;
  const evidence: string[] = [];
  if (tookMachines(former) && !mayBeRepair)
    evidence.push('ports of machines went with it, and Neutron deletes no network that has any');
  if (parts.some((it) => it.owner === 'neutron' && isMoved(it, it.table)))
    evidence.push('ACLs of Neutron left tier 0, and Neutron never sets the tier');
  if (
    name === 'neutron_pg_drop' &&
    !row &&
    parts.some(({ table: it, gone }) => it === 'ACL' && gone)
  )
    evidence.push('Neutron never deletes the ACLs of its port group neutron_pg_drop');
  evidence.push(...new Set(parts.flatMap(({ claim }) => claim ?? [])));
  return evidence;
}

/**
 * Switches and routers of several families that went within seconds: those alone, of proven owners.
 */
export function sharedEvidence(near: readonly Former[]): ReadonlyMap<string, string> {
  const big = near.filter(
    ({ row, table, owner, unwatched }) =>
      row && !unwatched && BIG.has(table) && owner !== 'unknown',
  );
  const families = [...new Set(big.map((it) => familyOf(it.owner)))].sort();
  const evidence = `switches or routers of ${families.join(', ')} went within ${TOGETHER_MS / 1000} s, as only a collector does that knows none of them`;
  return new Map(families.length > 1 ? big.map(({ uid }) => [uid, evidence]) : []);
}

/**
 * Whether something that shows nothing by itself went with what was damaged.
 *
 * @param harmedAt when that was, in milliseconds.
 * @param hasOnlyLostMembers whether nothing vanished: a later collection only deletes.
 */
export function wentWith(former: Former, harmedAt: number, hasOnlyLostMembers = false): boolean {
  if (former.unwatched) return false;
  const after = Date.parse(former.until) - harmedAt;
  if (Math.abs(after) <= TOGETHER_MS) return true;
  return !hasOnlyLostMembers && former.onKubeOvns && after > 0 && after <= NEXT_PASS_MS;
}
