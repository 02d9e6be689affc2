import {
  type Condition,
  type Json,
  type JsonRow,
  type Mutation,
  operation,
  type Operation,
} from '@ovn-steward/ovsdb';
import fc from 'fast-check';

const { map, named, set, uuid } = operation;

const reference = (refTable: string, refType?: 'weak'): Type => ({
  type: 'uuid',
  refTable,
  ...(refType && { refType }),
});
const many = { min: 0, max: 'unlimited' };
const few = { min: 0, max: 1 };

/** Every kind of column, reference, limit and index that a schema may have, in three tables. */
export const SHOP_SCHEMA = {
  name: 'Shop',
  version: '1.0.0',
  tables: {
    Holder: {
      isRoot: true,
      maxRows: 4,
      indexes: [['name']],
      columns: {
        name: { type: 'string' },
        code: { type: 'string', mutable: false },
        kind: { type: { key: { type: 'string', enum: ['set', ['', 'a', 'b']] } } },
        n: { type: { key: { type: 'integer', minInteger: -3, maxInteger: 9 } } },
        r: { type: 'real' },
        on: { type: { key: 'boolean', ...few } },
        size: { type: { key: { type: 'integer', minInteger: 0, maxInteger: 4 }, ...few } },
        tags: { type: { key: { type: 'string', maxLength: 2 }, min: 0, max: 3 } },
        nums: { type: { key: 'integer', ...many } },
        labels: { type: { key: 'string', value: 'string', ...many } },
        items: { type: { key: reference('Item'), ...many } },
        first: { type: { key: reference('Item'), ...few } },
        friends: { type: { key: reference('Item', 'weak'), ...many } },
        friend: { type: { key: reference('Item', 'weak'), ...few } },
        named: { type: { key: 'string', value: reference('Item'), ...many } },
        known: { type: { key: 'string', value: reference('Item', 'weak'), ...many } },
        shelves: { type: { key: reference('Item', 'weak'), value: 'string', ...many } },
        peers: { type: { key: reference('Holder', 'weak'), ...many } },
      },
    },
    Item: {
      indexes: [['name', 'n']],
      columns: {
        name: { type: 'string' },
        n: { type: 'integer' },
        part: { type: { key: reference('Item'), ...few } },
        parts: { type: { key: reference('Item'), ...many } },
        home: { type: { key: reference('Holder', 'weak'), ...few } },
        labels: { type: { key: 'string', value: 'string', ...many } },
      },
    },
    Needy: {
      isRoot: true,
      columns: {
        name: { type: 'string' },
        wants: { type: { key: reference('Item', 'weak'), min: 1, max: 'unlimited' } },
        some: { type: { key: { type: 'string' }, min: 1, max: 2 } },
      },
    },
  },
} as const;

type Table = keyof typeof SHOP_SCHEMA.tables;
export const TABLES = Object.keys(SHOP_SCHEMA.tables) as Table[];

/** Few of each table, so that random ones meet. */
const ids = (table: Table): string[] =>
  Array.from(
    { length: 5 },
    (_, n) => `${TABLES.indexOf(table)}${n}000000-0000-4000-8000-000000000000`,
  );
const idOf = (table: Table): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...ids(table)).map(uuid) },
    { weight: 1, arbitrary: fc.constantFrom('x', 'y').map(named) },
  );

interface Type {
  readonly type: string;
  readonly refTable?: string;
  readonly enum?: readonly unknown[];
  readonly minInteger?: number;
}
type TypeOrName = string | Type;
interface Column {
  readonly type:
    | string
    | {
        readonly key: TypeOrName;
        readonly value?: TypeOrName;
        readonly min?: number;
        readonly max?: number | string;
      };
}

const longOf = ({ type }: Column): Exclude<Column['type'], string> =>
  typeof type === 'string' ? { key: type } : type;
const columnsOf = (table: Table): Readonly<Record<string, Column>> =>
  SHOP_SCHEMA.tables[table].columns;

/**
 * How broken: `tame` values are always allowed, `wild` ones may break a rule. At most one wild
 * thing goes into an operation: of two errors the server may find either first.
 */
type Temper = 'tame' | 'wild';

function atom(base: TypeOrName, temper: Temper): fc.Arbitrary<Json> {
  const baseType = typeof base === 'string' ? { type: base } : base;
  const wild = (tame: fc.Arbitrary<Json>, ...others: Json[]): fc.Arbitrary<Json> =>
    temper === 'tame' ? tame : fc.oneof(tame, fc.constantFrom(...others));
  switch (baseType.type) {
    case 'uuid':
      return wild(idOf((baseType.refTable ?? 'Item') as Table), 'no', ['uuid', 'no']);
    case 'integer':
      return wild(fc.integer({ min: baseType.minInteger ?? -1, max: 4 }), 99, 'no', 1.5);
    case 'real':
      return wild(fc.constantFrom(0, 0.5, -2, 4), 'no');
    case 'boolean':
      return wild(fc.boolean(), 1);
    default:
      return wild(
        baseType.enum === undefined
          ? fc.constantFrom('', 'a', 'b', 'c')
          : fc.constantFrom('', 'a', 'b'),
        'long',
        7,
      );
  }
}

function value(column: Column, temper: Temper): fc.Arbitrary<Json> {
  const { key, value: held, min = 1, max = 1 } = longOf(column);
  const limit = temper === 'wild' ? 4 : max === 'unlimited' ? 3 : Number(max);
  const least = temper === 'wild' ? 0 : min;
  if (held !== undefined)
    return fc
      .uniqueArray(fc.tuple(atom(key, temper), atom(held, temper)), {
        maxLength: limit,
        minLength: least,
        selector: ([it]) => JSON.stringify(it),
      })
      .map(map);
  const sets = (
    temper === 'wild'
      ? fc.array(atom(key, temper), { maxLength: limit })
      : fc.uniqueArray(atom(key, temper), {
          maxLength: limit,
          minLength: least,
          selector: JSON.stringify,
        })
  ).map(set);
  return fc.oneof(atom(key, temper), sets);
}

const columnName = (table: Table, temper: Temper): fc.Arbitrary<string> => {
  const known = fc.constantFrom(...Object.keys(columnsOf(table)));
  return temper === 'tame'
    ? known
    : fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: fc.constant('nope') });
};
const valueOf = (table: Table, name: string, temper: Temper): fc.Arbitrary<Json> =>
  name === '_uuid' ? idOf(table) : value(columnsOf(table)[name] ?? { type: 'string' }, temper);

/** Several tame ones, or, seldom, one wild. */
const tameOrOneWild = <T>(
  of: (temper: Temper) => fc.Arbitrary<T>,
  maxLength: number,
  minLength = 0,
): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 7, arbitrary: fc.array(of('tame'), { minLength, maxLength }) },
    { weight: 1, arbitrary: of('wild').map((it) => [it]) },
  );

const cell =
  (table: Table) =>
  (temper: Temper): fc.Arbitrary<[string, Json]> =>
    columnName(table, temper).chain((name) =>
      valueOf(table, name, temper).map((json): [string, Json] => [name, json]),
    );
const row = (table: Table): fc.Arbitrary<JsonRow> =>
  tameOrOneWild(cell(table), 4).map((cells) => Object.fromEntries(cells));

/** With what a row needs to be allowed at all. */
const goodRow = (table: Table): fc.Arbitrary<JsonRow> =>
  table === 'Needy'
    ? fc
        .tuple(row(table), fc.subarray(ids('Item'), { minLength: 1 }))
        .map(([cells, wants]) => ({ wants: set(wants.map(uuid)), ...cells }))
    : row(table);

const NUMBERS = new Set(['integer', 'real']);
const ORDER = ['<', '<=', '>', '>='] as const;

const condition =
  (table: Table) =>
  (temper: Temper): fc.Arbitrary<Condition> =>
    fc
      .oneof(
        { weight: 4, arbitrary: columnName(table, temper) },
        { weight: 1, arbitrary: fc.constant('_uuid') },
      )
      .chain((name) => {
        const { key, value: held, max } = longOf(columnsOf(table)[name] ?? { type: 'uuid' });
        const ordered =
          temper === 'wild' ||
          (held === undefined &&
            max === undefined &&
            NUMBERS.has(typeof key === 'string' ? key : key.type));
        return fc
          .tuple(
            fc.constantFrom<Condition[1]>(
              '==',
              '!=',
              'includes',
              'excludes',
              ...(ordered ? ORDER : []),
            ),
            valueOf(table, name, temper),
          )
          .map(([compare, json]): Condition => [name, compare, json]);
      });

const where = (table: Table): fc.Arbitrary<readonly Condition[]> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .constantFrom(...ids(table))
        .map((id): readonly Condition[] => [['_uuid', '==', uuid(id)]]),
    },
    { weight: 4, arbitrary: tameOrOneWild(condition(table), 2) },
  );

const ARITHMETIC = ['+=', '-=', '*=', '/=', '%='] as const;

/**
 * Not `*=` by zero: ovsdb-server (seen: 3.1.0) divides by the operand to foresee an overflow, and
 * ends with SIGFPE.
 */
const survivable = ([, mutator, json]: Mutation): boolean => mutator !== '*=' || json !== 0;

const mutation =
  (table: Table) =>
  (temper: Temper): fc.Arbitrary<Mutation> =>
    anyMutation(table, temper).filter(survivable);

const anyMutation = (table: Table, temper: Temper): fc.Arbitrary<Mutation> =>
  columnName(table, temper).chain((name): fc.Arbitrary<Mutation> => {
    const column = columnsOf(table)[name] ?? { type: 'string' };
    const { key, value: held, min = 1, max } = longOf(column);
    if (temper === 'tame' && max === undefined)
      return NUMBERS.has(typeof key === 'string' ? key : key.type)
        ? fc
            .tuple(fc.constantFrom(...ARITHMETIC), atom(key, 'tame'))
            .map(([how, it]) => [name, how, it])
        : fc.constant(['labels', 'delete', map([])]);
    const some = value({ type: { ...longOf(column), min: temper === 'wild' ? min : 0 } }, temper);
    const keys = fc
      .uniqueArray(atom(key, 'tame'), { maxLength: 2, selector: JSON.stringify })
      .map(set);
    const mutators = fc.constantFrom<Mutation[1]>(
      'insert',
      'delete',
      ...(temper === 'wild' || name === 'nums' || name === 'size' ? ARITHMETIC : []),
    );
    return mutators.chain((how) =>
      (ARITHMETIC.includes(how as never)
        ? atom(key, 'tame')
        : how === 'delete' && held !== undefined
          ? fc.oneof(some, keys)
          : some
      ).map((it): Mutation => [name, how, it]),
    );
  });

/**
 * `exactly`: a wait for just what there is before the transaction; whoever runs it fills in the
 * rows.
 */
export type RandomOperation =
  | Operation
  | {
      readonly op: 'exactly';
      readonly table: Table;
      readonly where: readonly Condition[];
      readonly columns: readonly string[];
    };

function anyOperation(table: Table): fc.Arbitrary<RandomOperation> {
  const columns = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.uniqueArray(fc.constantFrom('_uuid', ...Object.keys(columnsOf(table))), {
        minLength: 1,
        maxLength: 4,
      }),
    },
    { weight: 1, arbitrary: fc.constant(['nope']) },
  );
  const insert = fc.record({
    op: fc.constant('insert' as const),
    table: fc.constant(table),
    row: goodRow(table),
    uuid: fc.constantFrom(...ids(table)),
  });
  return fc.oneof(
    { weight: 6, arbitrary: insert },
    {
      weight: 1,
      arbitrary: fc
        .tuple(insert, fc.constantFrom('x', 'y'))
        .map(([it, name]) => ({ ...it, 'uuid-name': name })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(where(table), columns)
        .map(([it, names]) => operation.select(table, it, names)),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(where(table), row(table))
        .map(([it, cells]) => operation.update(table, it, cells)),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(where(table), tameOrOneWild(mutation(table), 2, 1))
        .map(([it, mutations]) => operation.mutate(table, it, mutations)),
    },
    { weight: 2, arbitrary: where(table).map((it) => operation.remove(table, it)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          where(table),
          columns,
          fc.array(row(table), { maxLength: 2 }),
          fc.constantFrom('==' as const, '!=' as const),
        )
        .map(([it, names, rows, until]) => operation.wait(table, it, names, rows, until)),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(where(table), columns)
        .map(([it, names]) => ({ op: 'exactly' as const, table, where: it, columns: names })),
    },
  );
}

const odd: fc.Arbitrary<Operation> = fc.constantFrom(
  operation.comment('c'),
  operation.commit(false),
  operation.abort(),
  operation.assertLock('nobodys'),
  operation.remove('Nope', []),
);

export const randomTransaction: fc.Arbitrary<readonly RandomOperation[]> = fc.array(
  fc.oneof(
    {
      weight: 30,
      arbitrary: fc.constantFrom(...TABLES, 'Holder' as const, 'Item' as const).chain(anyOperation),
    },
    { weight: 1, arbitrary: odd },
  ),
  { minLength: 1, maxLength: 4 },
);
