import type { Entity } from '../world/entity';
import type { FormerPart } from '../world/former-row';
import { fieldsOf, tierOf } from './former-draft';

/**
 * Columns from which others' members can be taken while the row stands. A port says itself which
 * groups list it.
 */
export const MEMBER_COLUMNS: Readonly<Record<string, string>> = {
  Address_Set: 'addresses',
  Load_Balancer: 'vips',
  Logical_Switch_Port: '_port_groups',
};

type Content = Readonly<Record<string, unknown>>;

const membersOf = (row: Content, column: string): readonly string[] => {
  const held = row[column];
  if (Array.isArray(held)) return held as readonly string[];
  return typeof held === 'object' && held !== null ? Object.keys(held) : [];
};

/**
 * What a row that stands has lost of its members: addresses, VIPs, or the groups that listed a
 * port.
 */
export function lostMembers(table: string, was: Content, is: Content): readonly string[] {
  const column = MEMBER_COLUMNS[table];
  if (column === undefined) return [];
  const left = new Set(membersOf(is, column));
  return membersOf(was, column).filter((it) => !left.has(it));
}

/** The row as it was, with these members alone. */
export function withMembers(table: string, was: Content, members: readonly string[]): Content {
  const column = MEMBER_COLUMNS[table] ?? '';
  const held = was[column];
  const kept = new Set(members);
  return {
    ...was,
    [column]: Array.isArray(held)
      ? held.filter((it) => kept.has(it as string))
      : Object.fromEntries(Object.entries(held ?? {}).filter(([key]) => kept.has(key))),
  };
}

/** The row as it is, with what it lost of its members before. */
export function joinMembers(table: string, is: Content, was: Content): Content {
  const column = MEMBER_COLUMNS[table] ?? '';
  const held = is[column];
  const lost = was[column];
  if (lost === undefined) return is;
  return {
    ...is,
    [column]: Array.isArray(lost)
      ? [...new Set([...((held ?? []) as readonly unknown[]), ...lost])].sort()
      : { ...lost, ...((held ?? {}) as object) },
  };
}

/** Whether what is remembered of a row is so again. */
export function isBack(
  { gone, table, row }: Pick<FormerPart, 'gone' | 'table' | 'row'>,
  now: Entity | undefined,
): boolean {
  if (now === undefined) return false;
  if (gone) return true;
  if (table === 'ACL') return tierOf(now) === (row['tier'] ?? 0);
  return lostMembers(table, row, fieldsOf(now)).length === 0;
}

const idsOf = (row: Content): Readonly<Record<string, string>> =>
  (row['external_ids'] ?? {}) as Readonly<Record<string, string>>;

/**
 * A clause where the row's own keys still say that it has the members it lost: its owner changes
 * both in one transaction, so another client took them. Neutron writes the security groups of a
 * port into `neutron:security_group_ids`, and calls the group `pg_<id with _>`; Octavia writes the
 * VIPs of a balancer from its keys `listener_…` and `pool_…` (ovn-northbound.md §3).
 *
 * @param names of the groups that no longer list the port.
 */
export function stillClaims(
  table: string,
  is: Content,
  lost: readonly string[],
  names: readonly string[],
): string | undefined {
  if (table === 'Logical_Switch_Port') {
    const own = (idsOf(is)['neutron:security_group_ids'] ?? '').split(/[\s,]+/).filter(Boolean);
    const groups = own.map((it) => `pg_${it.replaceAll('-', '_')}`);
    const [name] = names.filter((it) => groups.includes(it));
    return name && `a port still says that it is in ${name}, and Neutron changes both together`;
  }
  if (table !== 'Load_Balancer') return undefined;
  const [vip] = lost.filter((it) => isServed(it, idsOf(is)));
  return vip && `the keys of Octavia still say that it has VIP ${vip}`;
}

/**
 * Whether an enabled listener of the VIP's port has an enabled pool with members, all of them well.
 */
function isServed(vip: string, ids: Readonly<Record<string, string>>): boolean {
  if (ids['enabled'] === 'False' || /OFFLINE|ERROR/.test(ids['neutron:member_status'] ?? ''))
    return false;
  const port = vip.slice(vip.lastIndexOf(':') + 1);
  const address = vip.slice(0, vip.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return (
    ids['neutron:vip'] === address &&
    Object.entries(ids).some(([key, value]) => {
      const pool = value.startsWith(`${port}:`) ? value.slice(port.length + 1) : '';
      return /^listener_[^:]+$/.test(key) && pool.startsWith('pool_') && Boolean(ids[pool]);
    })
  );
}
