import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { SOUTHBOUND_KINDS } from '@ovn-steward/judgement/world/southbound-kinds';
import {
  list,
  mapping,
  Mismatch,
  record,
  type Shape,
  text,
  textMap,
  texts,
} from '@ovn-steward/systems/projections/shape';

/**
 * Columns that are read by their type; each has the same in every table that is judged (NB schema
 * 5.20 to 7.19).
 */
const TYPED: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...columns(textMap, 'external_ids options other_config vips ip_port_mappings'),
  ...columns(texts, 'addresses port_security networks load_balancer'),
  ...columns(
    text,
    'name type parent_name peer mac match direction protocol external_ip logical_ip logical_port cidr vip dst_ip',
  ),
  ...columns(text, 'hostname chassis chassis_name'),
  ...columns(texts, 'additional_chassis'),
]);

/** What the collector adds to a row of any table: what holds it, and which port groups list it. */
const OURS: ReadonlyMap<string, Shape> = new Map([
  ['_parents', list(record({ kind: text, uid: text, column: text }, ['kind', 'uid', 'column']))],
  ['_port_groups', texts],
]);

/**
 * Checks a row as the collector publishes it: every column holds what OVSDB can hold (RFC 7047,
 * 5.1: an atom, a set or a map of atoms), and what is read by its type has it. Tables and columns
 * of a newer schema may hold anything OVSDB can.
 * @throws Mismatch with the column.
 */
export function checkRow(table: string, row: Readonly<Record<string, unknown>>): void {
  const isJudged = KNOWN_COLUMNS.has(table) || SOUTHBOUND_KINDS.has(table);
  for (const column of Object.keys(row)) {
    const shape = OURS.get(column) ?? (isJudged ? TYPED.get(column) : undefined) ?? value;
    try {
      shape(row[column]);
    } catch (error) {
      if (error instanceof Mismatch) error.path.unshift(column);
      throw error;
    }
  }
}

function columns(shape: Shape, names: string): readonly (readonly [string, Shape])[] {
  return names.split(' ').map((it) => [it, shape]);
}

const isAtom = (candidate: unknown): boolean =>
  typeof candidate === 'string' || typeof candidate === 'number' || typeof candidate === 'boolean';

function value(raw: unknown): unknown {
  if (isAtom(raw)) return raw;
  const held = Array.isArray(raw) ? (raw as unknown[]) : Object.values(mapping(raw));
  const wrong = held.findIndex((one) => !isAtom(one));
  if (wrong >= 0) throw new Mismatch('a string, a number, or true or false', held[wrong]);
  return raw;
}
