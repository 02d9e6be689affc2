import fc from 'fast-check';
import { differenceJson } from '../../test/difference';
import { rowOf, storedColumns, uuid, ZOO } from '../../test/zoo';
import { Replica } from './replica';
import type { Row } from '../schema/row';
import { defaultOf, encode, equal, type Value } from '../schema/value';

const [A, B, C] = [uuid(1), uuid(2), uuid(3)] as const;
const REX = { name: 'Rex', foods: ['set', ['hay', 'oats']], names: ['map', [['en', 'Rex']]] };

const holding = (rows: object): Replica => {
  const replica = new Replica(ZOO);
  replica.replaceAll({
    Animal: Object.fromEntries(
      Object.entries(rows).map(([id, row]) => [id, { initial: row as unknown }]),
    ),
  });
  return replica;
};

describe('update2', () => {
  test('an inserted row has the default of every column that was not sent', () => {
    const replica = new Replica(ZOO);
    const [change] = replica.applyUpdate2({ Animal: { [A]: { insert: { name: 'Rex' } } } });
    expect(change).toMatchObject({ kind: 'insert', table: 'Animal', uuid: A, changed: new Map() });
    expect([...(change?.row.columns() ?? [])].map(([{ name }, value]) => [name, value])).toEqual(
      [...(ZOO.tables.get('Animal')?.columns.values() ?? [])].map((column) => [
        column.name,
        column.name === 'name' ? 'Rex' : defaultOf(column),
      ]),
    );
  });

  test('a modification says what changed: old and new, or what a set gained and lost', () => {
    const replica = holding({ [A]: REX });
    const [change] = replica.applyUpdate2({
      Animal: {
        [A]: {
          modify: { age: 4, foods: ['set', ['hay', 'corn']], names: ['map', [['en', 'Max']]] },
        },
      },
    });
    expect(change?.changed).toEqual(
      new Map<string, unknown>([
        ['age', { old: 0, new: 4 }],
        ['foods', { added: ['corn'], removed: ['hay'] }],
        ['names', { old: new Map([['en', 'Rex']]), new: new Map([['en', 'Max']]) }],
      ]),
    );
    expect(change?.row.get('foods')).toEqual(new Set(['oats', 'corn']));
  });

  test('a deletion gives the row as it last was', () => {
    const replica = holding({ [A]: REX });
    const [change] = replica.applyUpdate2({ Animal: { [A]: { delete: null } } });
    expect(change).toMatchObject({ kind: 'delete', uuid: A });
    expect(change?.row.get('name')).toBe('Rex');
    expect([
      replica.size('Animal'),
      replica.get('Animal', A),
      replica.lookup('Animal', ['name'], ['Rex']),
    ]).toEqual([0, undefined, []]);
  });

  test('a large set is changed in place, at the cost of the change', () => {
    const replica = holding({
      [A]: { friends: ['set', Array.from({ length: 65_000 }, (_, n) => ['uuid', uuid(n + 10)])] },
    });
    const before = replica.get('Animal', A)?.get('friends');
    const [change] = replica.applyUpdate2({
      Animal: { [A]: { modify: { friends: ['uuid', B] } } },
    });
    expect(change?.changed.get('friends')).toEqual({ added: [B], removed: [] });
    expect(replica.get('Animal', A)?.get('friends')).toBe(before);
    expect((before as Set<string>).size).toBe(65_001);
  });

  test('a set that began as the shared default is not shared any more once it changes', () => {
    const replica = holding({ [A]: {}, [B]: {} });
    replica.applyUpdate2({ Animal: { [A]: { modify: { foods: 'hay', legs: 4 } } } });
    expect([replica.get('Animal', B)?.get('foods'), replica.get('Animal', B)?.get('legs')]).toEqual(
      [new Set(), new Set([0])],
    );
    replica.applyUpdate2({ Animal: { [A]: { modify: { foods: 'hay' } } } });
    expect([replica.get('Animal', A)?.get('foods'), replica.get('Animal', A)?.get('legs')]).toEqual(
      [new Set(), new Set([0, 4])],
    );
  });

  test('two rows may swap the value of a unique index in one update, in any order', () => {
    const replica = holding({ [A]: { name: 'x' }, [B]: { name: 'y' } });
    replica.applyUpdate2({
      Animal: { [A]: { modify: { name: 'y' } }, [B]: { modify: { name: 'x' } } },
    });
    expect(
      [replica.lookup('Animal', ['name'], ['x']), replica.lookup('Animal', ['name'], ['y'])].map(
        ([row]) => row?.uuid,
      ),
    ).toEqual([B, A]);
  });
});

describe('update', () => {
  test('inserts, modifies by full values, and deletes', () => {
    const replica = new Replica(ZOO);
    expect(replica.applyUpdate1({ Animal: { [A]: { new: REX } } })).toMatchObject([
      { kind: 'insert' },
    ]);
    const [change] = replica.applyUpdate1({
      Animal: { [A]: { old: { foods: REX.foods }, new: { ...REX, foods: 'oats' } } },
    });
    expect(change?.changed).toEqual(new Map([['foods', { added: [], removed: ['hay'] }]]));
    expect(replica.applyUpdate1({ Animal: { [A]: { old: REX } } })).toMatchObject([
      { kind: 'delete' },
    ]);
    expect(replica.size('Animal')).toBe(0);
  });

  test('a row that is as it was is no change', () => {
    expect(holding({ [A]: REX }).applyUpdate1({ Animal: { [A]: { old: {}, new: REX } } })).toEqual(
      [],
    );
  });
});

describe('replaceAll', () => {
  test('leads from what is held to the snapshot, with deletions last', () => {
    const replica = holding({ [A]: REX, [B]: { name: 'gone' } });
    const changes = replica.replaceAll({
      Animal: { [A]: { initial: { ...REX, age: 5 } }, [C]: { initial: {} } },
    });
    expect(changes.map(({ kind, uuid: id }) => [kind, id])).toEqual([
      ['modify', A],
      ['insert', C],
      ['delete', B],
    ]);
    expect(changes[0]?.changed).toEqual(new Map([['age', { old: 0, new: 5 }]]));
  });

  test('what is the same is no change, and the row stays the same object', () => {
    const replica = holding({ [A]: REX });
    const row = replica.get('Animal', A);
    expect(replica.replaceAll({ Animal: { [A]: { new: REX } } })).toEqual([]);
    expect(replica.get('Animal', A)).toBe(row);
  });

  test('refuses a notification for a snapshot, and is then as it was', () => {
    const replica = holding({ [A]: REX });
    expect(() =>
      replica.replaceAll({ Animal: { [B]: { initial: {} }, [A]: { modify: {} } } }),
    ).toThrow(expect.objectContaining({ code: 'value-invalid' }));
    expect([...replica.rows('Animal')].map(({ uuid: id }) => id)).toEqual([A]);
  });
});

describe('what cannot be is refused, and nothing of the update is applied', () => {
  test.each([
    ['an insert of a row that is held', 'out-of-step', { [A]: { insert: {} } }],
    ['a change of a row that is not', 'out-of-step', { [C]: { modify: { age: 1 } } }],
    ['a deletion of a row that is not', 'out-of-step', { [C]: { delete: null } }],
    ['a column the schema lacks', 'schema-mismatch', { [A]: { modify: { tail: 1 } } }],
    ['a value of another type', 'value-invalid', { [A]: { modify: { age: 'old' } } }],
    ['a row that is no uuid', 'value-invalid', { '__proto__ ': { insert: {} } }],
    ['a change of no kind', 'value-invalid', { [A]: { upsert: {} } }],
    ['a change of two kinds', 'value-invalid', { [A]: { modify: {}, delete: null } }],
    ['a row that is no object', 'value-invalid', { [A]: { modify: 5 } }],
  ])('%s', (_what, code, rows) => {
    const replica = holding({ [A]: REX });
    expect(() => replica.applyUpdate2({ Animal: { [B]: { insert: {} }, ...rows } })).toThrow(
      expect.objectContaining({ code }),
    );
    expect([...replica.rows('Animal')].map(({ uuid: id, slots }) => [id, slots[0]])).toEqual([
      [A, 'Rex'],
    ]);
  });

  test('a table the schema lacks, which is not an empty one', () => {
    for (const request of [
      (replica: Replica) => replica.rows('Plant'),
      (replica: Replica) => replica.get('Plant', A),
      (replica: Replica) => replica.size('Plant'),
      (replica: Replica) => replica.applyUpdate2({ Plant: {} }),
    ])
      expect(() => request(new Replica(ZOO))).toThrow(
        expect.objectContaining({ code: 'schema-mismatch' }),
      );
  });

  test('a look-up without an index', () => {
    expect(() => new Replica(ZOO).lookup('Animal', ['age'], [1])).toThrow(
      expect.objectContaining({ code: 'schema-mismatch' }),
    );
  });
});

test('columns that are not sent are unknown, not default, and have no index', () => {
  const replica = new Replica(ZOO, {
    sends: (table, { name }) => table !== 'Animal' || name === 'age',
    indexes: { Animal: [['age'], ['name', 'age'], ['tail']] },
  });
  const [change] = replica.applyUpdate2({ Animal: { [A]: { insert: {} } } });
  expect([...(change?.row.columns() ?? [])].map(([{ name }]) => name)).toEqual(['age']);
  expect(replica.lookup('Animal', ['age'], [0])).toHaveLength(1);
  for (const columns of [['name'], ['name', 'age'], ['tail']])
    expect(() => replica.lookup('Animal', columns, [''])).toThrow(
      expect.objectContaining({ code: 'schema-mismatch' }),
    );
  expect(() => replica.applyUpdate2({ Animal: { [A]: { modify: { foods: 'hay' } } } })).toThrow(
    expect.objectContaining({ code: 'out-of-step' }),
  );
  expect(() => replica.applyFileRow('Animal', A, { foods: 'hay' }, 'difference')).toThrow(
    expect.objectContaining({ code: 'out-of-step' }),
  );
  expect(replica.applyFileRow('Animal', A, { foods: 'hay' }, 'full')?.row.get('foods')).toEqual(
    new Set(['hay']),
  );
});

test('the pseudo-columns of a server are no columns', () => {
  expect(
    new Replica(ZOO)
      .applyUpdate1({
        Animal: { [A]: { new: { _uuid: ['uuid', A], _version: ['uuid', B], age: 1 } } },
      })[0]
      ?.row.has('_version'),
  ).toBe(false);
});

describe('whatever happens', () => {
  type World = Map<string, Map<string, Value>>;
  const world: fc.Arbitrary<World> = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }).map(uuid), rowOf('Animal')), {
      maxLength: 4,
      selector: ([id]) => id,
    })
    .map((rows) => new Map(rows));
  const columns = storedColumns('Animal');
  const full = (row: Map<string, Value>): object =>
    Object.fromEntries(
      columns.map((column) => [column.name, encode(column, row.get(column.name))]),
    );
  const withoutDefaults = (row: Map<string, Value>): object =>
    Object.fromEntries(
      columns
        .filter((column) => !equal(row.get(column.name), defaultOf(column)))
        .map((column) => [column.name, encode(column, row.get(column.name))]),
    );
  const differences = (before: Map<string, Value>, after: Map<string, Value>): object =>
    Object.fromEntries(
      columns
        .filter(({ name }) => !equal(before.get(name), after.get(name)))
        .map((column) => [
          column.name,
          differenceJson(column, before.get(column.name), after.get(column.name)),
        ]),
    );

  function update2(before: World, after: World): object {
    const gone = [...before.keys()]
      .filter((id) => !after.has(id))
      .map((id) => [id, { delete: null }]);
    const rest = [...after].map(([id, row]) => {
      const old = before.get(id);
      return [id, old ? { modify: differences(old, row) } : { insert: withoutDefaults(row) }];
    });
    return { Animal: Object.fromEntries([...gone, ...rest]) as object };
  }

  function update1(before: World, after: World): object {
    const gone = [...before]
      .filter(([id]) => !after.has(id))
      .map(([id, row]) => [id, { old: full(row) }]);
    const rest = [...after].map(([id, row]) => [
      id,
      { new: full(row), ...(before.has(id) && { old: {} }) },
    ]);
    return { Animal: Object.fromEntries([...gone, ...rest]) as object };
  }

  const held = (rows: Iterable<Row>): World =>
    new Map(
      Array.from(rows, (row) => [
        row.uuid,
        new Map(columns.map(({ name }) => [name, row.get(name)])),
      ]),
    );

  /** A world that follows the changes alone must arrive where the replica is. */
  function follow(mirror: World, changes: ReturnType<Replica['applyUpdate2']>): void {
    for (const { kind, uuid: id, row, changed } of changes) {
      if (kind === 'delete') mirror.delete(id);
      else if (kind === 'insert')
        mirror.set(
          id,
          new Map(
            columns.map(({ name }) => [
              name,
              row.get(name) instanceof Set ? new Set(row.get(name) as Set<string>) : row.get(name),
            ]),
          ),
        );
      for (const [name, change] of changed) {
        const old = mirror.get(id)?.get(name);
        if (!('added' in change)) expect(change.old).toEqual(old);
        const set = old as Set<string>;
        mirror
          .get(id)
          ?.set(
            name,
            'added' in change
              ? new Set([
                  ...[...set].filter((atom) => !change.removed.includes(atom)),
                  ...change.added,
                ])
              : change.new,
          );
      }
    }
  }

  test.each(['update', 'update2', 'replaceAll'] as const)(
    '%s leads to the same rows, changes and indexes as the full state',
    (way) => {
      fc.assert(
        fc.property(fc.array(world, { maxLength: 5 }), (worlds) => {
          const replica = new Replica(ZOO, {
            sends: (_table, { ephemeral }) => !ephemeral,
            indexes: { Animal: [['foods', 'age']] },
          });
          const mirror: World = new Map();
          let before: World = new Map();
          for (const after of worlds) {
            const changes =
              way === 'update'
                ? replica.applyUpdate1(update1(before, after))
                : way === 'update2'
                  ? replica.applyUpdate2(update2(before, after))
                  : replica.replaceAll(update2(new Map(), after));
            follow(mirror, changes);
            expect(held(replica.rows('Animal'))).toEqual(after);
            expect(mirror).toEqual(after);
            for (const row of replica.rows('Animal')) {
              const same = (names: string[]) =>
                [...replica.rows('Animal')]
                  .filter((other) => names.every((name) => equal(other.get(name), row.get(name))))
                  .map(({ uuid: id }) => id);
              for (const names of [['name'], ['foods', 'age']])
                expect(
                  replica
                    .lookup(
                      'Animal',
                      names,
                      names.map((name) => row.get(name)),
                    )
                    .map(({ uuid: id }) => id)
                    .sort(),
                ).toEqual(same(names).sort());
            }
            before = after;
          }
        }),
      );
    },
  );
});
