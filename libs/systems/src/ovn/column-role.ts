import { type ColumnSchema, defaultOf, type Value } from '@ovn-steward/ovsdb';
import { isCarried, type OvnDatabaseId } from './selection';

/** What becomes of a column's value. */
export interface ColumnRole {
  readonly name: string;
  /** It appears on the row's own object, unless it is the default. */
  readonly forward: boolean;
  readonly default: Value;
  /**
   * It appears on the rows it refers to, which are of these tables: as `_parents`, or as
   * `_port_groups`.
   */
  readonly backward:
    { readonly as: 'parents' | 'groups'; readonly tables: readonly string[] } | undefined;
}

/**
 * The role of a column, from its schema alone, so that tables and columns of newer schemas are
 * treated alike.
 *
 * A strong reference that may hold more than one row is published only by the rows it names: a
 * switch does not carry its 65,000 ports. One that holds at most one, or is part of a map, is
 * published by both sides. Weak references stay where they are, but for `Port_Group.ports`, which
 * is as large as a switch's.
 */
function roleOf(id: OvnDatabaseId, table: string, column: ColumnSchema): ColumnRole {
  const { name } = column;
  const carried = isCarried(id, table, column);
  const isGroup = id === 'ovn-nb' && table === 'Port_Group' && name === 'ports';
  const strong = [column.key, column.value].flatMap((it) =>
    it?.refTable !== undefined && it.refType === 'strong' ? [it.refTable] : [],
  );
  const tables = isGroup ? [column.key.refTable ?? ''] : strong;
  const turned = tables.length > 0 && carried;
  return {
    name,
    forward: carried && !(turned && column.kind === 'set'),
    default: defaultOf(column),
    backward: turned ? { as: isGroup ? 'groups' : 'parents', tables } : undefined,
  };
}

/** Roles by column, each worked out once: schemas are few, rows are many. */
export function createRoles(
  id: OvnDatabaseId,
): (table: string, column: ColumnSchema) => ColumnRole {
  const roles = new WeakMap<ColumnSchema, ColumnRole>();
  return (table, column) => {
    let role = roles.get(column);
    if (!role) roles.set(column, (role = roleOf(id, table, column)));
    return role;
  };
}
