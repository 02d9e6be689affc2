import { parseSchema, Replica, type Row, type RowChange } from '@ovn-steward/ovsdb';
import fc from 'fast-check';
import { type RowObservation, RowProjection } from './rows';

const uuids = (table: string): object => ({
  key: { type: 'uuid', refTable: table },
  min: 0,
  max: 'unlimited',
});
const text = { key: 'string', value: 'string', min: 0, max: 'unlimited' };

const schema = parseSchema({
  name: 'OVN_Northbound',
  version: '9.0.0',
  tables: {
    NB_Global: {
      isRoot: true,
      columns: { name: { type: 'string' }, nb_cfg: { type: 'integer' }, options: { type: text } },
    },
    Logical_Switch: {
      isRoot: true,
      columns: {
        name: { type: 'string' },
        ports: { type: uuids('Logical_Switch_Port') },
        acls: { type: uuids('ACL') },
        external_ids: { type: text },
      },
    },
    Logical_Switch_Port: {
      columns: {
        name: { type: 'string' },
        addresses: { type: { key: 'string', min: 0, max: 'unlimited' } },
        external_ids: { type: text },
        up: { type: { key: 'boolean', min: 0 } },
        tag: { type: { key: 'integer', min: 0 } },
        ha_chassis_group: { type: { key: { type: 'uuid', refTable: 'HA_Chassis_Group' }, min: 0 } },
        live_status: { type: 'string', ephemeral: true },
      },
    },
    Port_Group: {
      isRoot: true,
      columns: {
        name: { type: 'string' },
        acls: { type: uuids('ACL') },
        ports: {
          type: {
            key: { type: 'uuid', refTable: 'Logical_Switch_Port', refType: 'weak' },
            min: 0,
            max: 'unlimited',
          },
        },
      },
    },
    ACL: {
      columns: {
        name: { type: { key: 'string', min: 0 } },
        priority: { type: 'integer' },
        label: { type: 'integer' },
      },
    },
    HA_Chassis_Group: { isRoot: true, columns: { name: { type: 'string' } } },
    BFD: {
      isRoot: true,
      columns: { dst_ip: { type: 'string' }, status: { type: { key: 'string', min: 0 } } },
    },
    Logical_Switch_Port_Health_Check: {
      isRoot: true,
      columns: { protocol: { type: 'string' }, status: { type: { key: 'string', min: 0 } } },
    },
    Novelty: {
      isRoot: true,
      columns: {
        by_number: {
          type: {
            key: 'integer',
            value: { type: 'uuid', refTable: 'ACL' },
            min: 0,
            max: 'unlimited',
          },
        },
        main: { type: { key: { type: 'uuid', refTable: 'ACL' } } },
      },
    },
  },
});

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const LS = uuid(1);
const LSP = uuid(2);
const PG = uuid(3);
const ACL = uuid(4);
const HCG = uuid(5);
const OTHER = uuid(6);
const ref = (...of: string[]): unknown => ['set', of.map((it) => ['uuid', it])];
const map = (of: Record<string, string>): unknown => ['map', Object.entries(of)];

type Update = Record<
  string,
  Record<string, { insert: object } | { modify: object } | { delete: null }>
>;

function world(...updates: Update[]) {
  const replica = new Replica(schema);
  for (const it of updates) replica.applyUpdate2(it);
  const projection = new RowProjection('ovn-nb', (table, row) => replica.get(table, row));
  const rows = (): Row[] => [...schema.tables.keys()].flatMap((table) => [...replica.rows(table)]);
  rows().forEach((row) => projection.learn(row));
  return {
    replica,
    projection,
    object: (table: string, row: string): Record<string, unknown> => {
      const observation = projection.object(replica.get(table, row) as Row);
      return observation.type === 'object' ? observation.object : {};
    },
    update: (change: Update): RowObservation[] => projection.update(replica.applyUpdate2(change)),
  };
}

const insert = (row: object): { insert: object } => ({ insert: row });
const start: Update = {
  Logical_Switch: { [LS]: insert({ name: 'ls', ports: ref(LSP), acls: ref(ACL) }) },
  Logical_Switch_Port: {
    [LSP]: insert({
      name: 'p',
      addresses: ['set', ['b', 'a']],
      external_ids: map({ vendor: 'kube-ovn' }),
      ha_chassis_group: ref(HCG),
    }),
  },
  Port_Group: { [PG]: insert({ name: 'pg', ports: ref(LSP), acls: ref(ACL) }) },
  ACL: { [ACL]: insert({ priority: 1 }) },
  HA_Chassis_Group: { [HCG]: insert({ name: 'hcg' }) },
};
const reported = (seen: readonly RowObservation[]): string[] =>
  seen.map((it) => `${it.type} ${it.kind} ${it.uid.slice(-1)}`).sort();

describe('a row', () => {
  it('is plain: sets sorted, maps as objects, defaults left out, references as uids', () => {
    expect(world(start).object('Logical_Switch_Port', LSP)).toEqual({
      name: 'p',
      addresses: ['a', 'b'],
      external_ids: { vendor: 'kube-ovn' },
      ha_chassis_group: HCG,
      _parents: [{ kind: 'Logical_Switch', uid: LS, column: 'ports' }],
      _port_groups: [PG],
    });
  });

  it('leaves its children to name it', () => {
    expect(world(start).object('Logical_Switch', LS)).toEqual({ name: 'ls' });
    expect(world(start).object('Port_Group', PG)).toEqual({ name: 'pg' });
  });

  it('names all its parents, in one order', () => {
    expect(world(start).object('ACL', ACL)['_parents']).toEqual([
      { kind: 'Logical_Switch', uid: LS, column: 'acls' },
      { kind: 'Port_Group', uid: PG, column: 'acls' },
    ]);
  });

  it('keeps a reference to at most one row, which names it, too', () => {
    expect(world(start).object('HA_Chassis_Group', HCG)['_parents']).toEqual([
      { kind: 'Logical_Switch_Port', uid: LSP, column: 'ha_chassis_group' },
    ]);
  });

  it('keeps references inside a map, of a table we never heard of, and both sides know', () => {
    const { object } = world({
      ACL: { [ACL]: insert({}), [OTHER]: insert({}) },
      Novelty: {
        [uuid(9)]: insert({ by_number: ['map', [[7, ['uuid', ACL]]]], main: ['uuid', OTHER] }),
      },
    });
    expect(object('Novelty', uuid(9))).toEqual({ by_number: { 7: ACL }, main: OTHER });
    expect(object('ACL', ACL)['_parents']).toEqual([
      { kind: 'Novelty', uid: uuid(9), column: 'by_number' },
    ]);
    expect(object('ACL', OTHER)['_parents']).toEqual([
      { kind: 'Novelty', uid: uuid(9), column: 'main' },
    ]);
  });

  it('distinguishes an empty value from a false one, and 0 in an optional from none', () => {
    const { object } = world({
      Logical_Switch_Port: { [LSP]: insert({ up: false, tag: 0 }) },
      ACL: { [ACL]: insert({ priority: 0 }) },
    });
    expect(object('Logical_Switch_Port', LSP)).toEqual({ up: false, tag: 0 });
    expect(object('ACL', ACL)).toEqual({});
  });

  it('leaves out counters of NB_Global, ephemeral columns, and what northd writes, but a BFD session’s status', () => {
    const { object } = world({
      BFD: { [ACL]: insert({ dst_ip: '10.0.0.1', status: 'up' }) },
      Logical_Switch_Port_Health_Check: { [PG]: insert({ protocol: 'tcp', status: 'up' }) },
      NB_Global: { [OTHER]: insert({ name: 'az', nb_cfg: 7 }) },
      Logical_Switch_Port: { [LSP]: insert({ live_status: 'x' }) },
    });
    expect(object('BFD', ACL)).toEqual({ dst_ip: '10.0.0.1', status: 'up' });
    expect(object('Logical_Switch_Port_Health_Check', PG)).toEqual({ protocol: 'tcp' });
    expect(object('NB_Global', OTHER)).toEqual({ name: 'az' });
    expect(object('Logical_Switch_Port', LSP)).toEqual({});
  });

  it('keeps large integers and hostile keys', () => {
    const { object } = world({
      ACL: { [ACL]: insert({ priority: 9007199254740993n }) },
      Logical_Switch: {
        [LS]: insert({ external_ids: map({ ['__proto__']: 'x', constructor: 'y' }) }),
      },
    });
    expect(object('ACL', ACL)).toEqual({ priority: '9007199254740993' });
    expect(JSON.stringify(object('Logical_Switch', LS))).toBe(
      '{"external_ids":{"__proto__":"x","constructor":"y"}}',
    );
  });
});

describe('a change', () => {
  it('of a switch by one port reports the port alone', () => {
    const { update } = world(start);
    const seen = update({
      Logical_Switch: { [LS]: { modify: { ports: ref(OTHER) } } },
      Logical_Switch_Port: { [OTHER]: insert({ name: 'q' }) },
    });
    expect(seen).toEqual([
      {
        type: 'object',
        stream: 'ovn-nb',
        kind: 'Logical_Switch_Port',
        uid: OTHER,
        name: 'q',
        object: { name: 'q', _parents: [{ kind: 'Logical_Switch', uid: LS, column: 'ports' }] },
      },
    ]);
  });

  it('of a group by one port reports the port alone', () => {
    const { update } = world(start);
    const [seen, ...more] = update({ Port_Group: { [PG]: { modify: { ports: ref(LSP) } } } });
    expect(seen).toMatchObject({ type: 'object', uid: LSP });
    expect(seen?.type === 'object' && seen.object).not.toHaveProperty('_port_groups');
    expect(more).toEqual([]);
  });

  it('of counters only reports nothing', () => {
    const { update } = world({ NB_Global: { [OTHER]: insert({}) } });
    expect(update({ NB_Global: { [OTHER]: { modify: { nb_cfg: 8 } } } })).toEqual([]);
  });

  it('reports a removed child as gone, by its last name', () => {
    const seen = world(start).update({
      Logical_Switch: { [LS]: { modify: { ports: ref(LSP) } } },
      Port_Group: { [PG]: { modify: { ports: ref(LSP) } } },
      Logical_Switch_Port: { [LSP]: { delete: null } },
    });
    expect(seen).toEqual([
      { type: 'gone', stream: 'ovn-nb', kind: 'Logical_Switch_Port', uid: LSP, name: 'p' },
      {
        type: 'object',
        stream: 'ovn-nb',
        kind: 'HA_Chassis_Group',
        uid: HCG,
        name: 'hcg',
        object: { name: 'hcg' },
      },
    ]);
  });

  it('reports what a removed parent leaves behind', () => {
    const seen = world(start).update({ Port_Group: { [PG]: { delete: null } } });
    expect(reported(seen)).toEqual([
      'gone Port_Group 3',
      'object ACL 4',
      'object Logical_Switch_Port 2',
    ]);
  });

  it('reports both ends of a reference that moves', () => {
    const { update, object } = world(start, {
      HA_Chassis_Group: { [OTHER]: insert({ name: 'other' }) },
    });
    expect(
      reported(
        update({ Logical_Switch_Port: { [LSP]: { modify: { ha_chassis_group: ref(OTHER) } } } }),
      ),
    ).toEqual([
      'object HA_Chassis_Group 5',
      'object HA_Chassis_Group 6',
      'object Logical_Switch_Port 2',
    ]);
    expect(object('HA_Chassis_Group', HCG)).toEqual({ name: 'hcg' });
  });
});

describe('reported step by step', () => {
  const small = fc.integer({ min: 10, max: 14 }).map(uuid);
  const refs = fc.uniqueArray(small, { maxLength: 5 }).map((it) => ref(...it));
  const one = fc
    .option(small, { nil: undefined })
    .map((it) => (it === undefined ? ['set', []] : ['uuid', it]));
  const ids = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')).map(map);
  const columns: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
    Logical_Switch: { name: fc.constantFrom('', 'n'), ports: refs, acls: refs, external_ids: ids },
    Logical_Switch_Port: {
      name: fc.constantFrom('', 'p'),
      ha_chassis_group: one,
      external_ids: ids,
      live_status: fc.constantFrom('u', 'v'),
    },
    Port_Group: { name: fc.constantFrom('g', 'h'), acls: refs, ports: refs },
    ACL: { priority: fc.integer({ min: 0, max: 2 }) },
    HA_Chassis_Group: { name: fc.constantFrom('x', 'y') },
    Novelty: {
      by_number: fc
        .dictionary(fc.constantFrom('1', '2'), small)
        .map((it) => ['map', Object.entries(it).map(([key, of]) => [Number(key), ['uuid', of]])]),
    },
  };
  /** The whole wanted row, or undefined for none: turned into what a server would send. */
  const step = fc.constantFrom(...Object.keys(columns)).chain((table) =>
    fc.record({
      table: fc.constant(table),
      uuid: small,
      row: fc.option(fc.record(columns[table] ?? {}, { requiredKeys: [] }), { nil: undefined }),
    }),
  );

  it('is the same as reported again, however rows and references come and go', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ steps: fc.array(step, { maxLength: 6 }), merged: fc.boolean() }), {
          maxLength: 10,
        }),
        (transactions) => {
          const { replica, projection } = world();
          const mirror = new Map<string, RowObservation>();
          let pending: RowChange[] = [];
          for (const [index, { steps: transaction, merged }] of transactions.entries()) {
            const changes: Update = {};
            for (const { table, uuid: row, row: wanted } of transaction) {
              const held = replica.get(table, row) !== undefined;
              const change =
                wanted === undefined
                  ? held
                    ? { delete: null }
                    : undefined
                  : held
                    ? { modify: wanted }
                    : insert(wanted);
              if (change) (changes[table] ??= {})[row] = change;
            }
            pending.push(...replica.applyUpdate2(changes));
            if (merged && index < transactions.length - 1) continue;
            for (const observation of projection.update(pending)) {
              if (observation.type === 'object')
                mirror.set(`${observation.kind} ${observation.uid}`, observation);
              else mirror.delete(`${observation.kind} ${observation.uid}`);
            }
            pending = [];
          }
          const anew = new RowProjection('ovn-nb', (table, row) => replica.get(table, row));
          const rows = [...schema.tables.keys()].flatMap((table) => [...replica.rows(table)]);
          rows.forEach((row) => anew.learn(row));
          expect(mirror).toEqual(
            new Map(rows.map((row) => [`${row.table} ${row.uuid}`, anew.object(row)])),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
