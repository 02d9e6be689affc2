import type { Atom, BaseType, ColumnSchema, Value } from '@ovn-steward/ovsdb';

const atLeast = (size: number | bigint, bound: number | undefined): boolean =>
  bound === undefined || size >= bound;
const atMost = (size: number | bigint, bound: number | undefined): boolean =>
  bound === undefined || size <= bound;

function atomFits(
  { type, enum: allowed, minInteger, maxInteger, minReal, maxReal, minLength, maxLength }: BaseType,
  atom: Atom,
): boolean {
  if (allowed && !allowed.includes(atom)) return false;
  if (type === 'string')
    return (
      atLeast([...String(atom)].length, minLength) && atMost([...String(atom)].length, maxLength)
    );
  if (typeof atom !== 'number' && typeof atom !== 'bigint') return true;
  return type === 'real'
    ? atLeast(atom, minReal) && atMost(atom, maxReal)
    : atLeast(atom, minInteger) && atMost(atom, maxInteger);
}

/**
 * Whether a column of this schema takes the value: its bounds and enumerations (RFC 7047 section
 * 3.2), which differ between versions.
 */
export function fitsColumn(column: ColumnSchema, value: Value): boolean {
  const keys: readonly Atom[] =
    value === undefined
      ? []
      : value instanceof Set
        ? [...(value as ReadonlySet<Atom>)]
        : value instanceof Map
          ? [...(value as ReadonlyMap<Atom, Atom>).keys()]
          : [value as Atom];
  const values: readonly Atom[] =
    value instanceof Map ? [...(value as ReadonlyMap<Atom, Atom>).values()] : [];
  const ofValue = column.value;
  return (
    keys.length >= column.min &&
    keys.length <= column.max &&
    keys.every((it) => atomFits(column.key, it)) &&
    (ofValue === undefined || values.every((it) => atomFits(ofValue, it)))
  );
}
