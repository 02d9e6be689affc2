import {
  type DatabaseSchema,
  type Json,
  type JsonRow,
  operation as op,
  parseSchema,
  readDatabaseFile,
  Replica,
} from '@ovn-steward/ovsdb';
import { recordedFile } from '@ovn-steward/systems/testing/recorded-northbound';
import { databaseDifference } from './difference';
import type { RestoreSelection } from './draft';
import { planRestore, type RestorePlan } from './restore-plan';

const ALL: RestoreSelection = { owners: undefined, tables: undefined, removeNew: false };
const AND_REMOVE: RestoreSelection = { ...ALL, removeNew: true };
const [NET, PORT, NEW, GROUP, OPTIONS, OTHER_OPTIONS, CHASSIS] = Array.from(
  { length: 7 },
  (_, nth) => `00000000-0000-4000-8000-00000000000${nth + 1}`,
) as [string, string, string, string, string, string, string];
const PROTECT = op.map([['ovn-steward.dev/protect', 'mine']]);

/** Rows by `<table> <uuid>`. */
type Rows = Readonly<Record<string, JsonRow>>;

let schema: DatabaseSchema;
beforeAll(async () => {
  ({ schema } = await readDatabaseFile(recordedFile('clean')));
});

function replicaOf(rows: Rows, of = schema): Replica {
  const replica = new Replica(of);
  const ofTable = (table: string): Record<string, { initial: JsonRow }> =>
    Object.fromEntries(
      Object.entries(rows)
        .filter(([key]) => key.startsWith(`${table} `))
        .map(([key, row]) => [key.slice(table.length + 1), { initial: row }]),
    );
  replica.replaceAll(
    Object.fromEntries([...of.tables.keys()].map((table) => [table, ofTable(table)])),
  );
  return replica;
}

function plan(backup: Rows, live: Rows, selection = ALL, now = schema): RestorePlan {
  const pair = { backup: replicaOf(backup), live: replicaOf(live, now), tables: selection.tables };
  return planRestore(pair, databaseDifference(pair), selection);
}

/** Columns of a planned row; undefined where it is not planned. */
const written = (
  rows: RestorePlan['inserts'],
  uuid: string,
): Record<string, unknown> | undefined => {
  const row = rows.find((it) => it.uuid === uuid);
  return (
    row &&
    Object.fromEntries(
      [...row.columns].map(([name, value]) => [name, value instanceof Set ? [...value] : value]),
    )
  );
};
const left = ({ leftOut }: RestorePlan): Record<string, string> =>
  Object.fromEntries(leftOut.map((it) => [it.uuid, it.says]));
const lost = ({ losses }: RestorePlan): Record<string, string> =>
  Object.fromEntries(losses.map((it) => [it.uuid, it.says]));

const refs = (...uuids: readonly string[]): Json => op.set(uuids.map((it) => op.uuid(it)));
const net = (...ports: readonly string[]): Rows => ({
  [`Logical_Switch ${NET}`]: { name: 'net', ports: refs(...ports) },
});
const port = (more: JsonRow = {}): Rows => ({
  [`Logical_Switch_Port ${PORT}`]: {
    name: 'web-0',
    addresses: '0a:58:00:00:00:01 10.9.0.9',
    ...more,
  },
});
const group = (more: JsonRow = {}): Rows => ({
  [`Port_Group ${GROUP}`]: { name: 'pg', ports: refs(PORT), ...more },
});
const added: Rows = { [`Logical_Switch_Port ${NEW}`]: { name: 'new' } };

it('is nothing where nothing differs', () => {
  const rows = { ...net(PORT), ...port() };
  expect(plan(rows, rows, AND_REMOVE)).toEqual({
    inserts: [],
    updates: [],
    removals: [],
    leftOut: [],
    losses: [],
  });
});

describe('a row that is missing', () => {
  it('comes back with what it says, and what held it and referred to it does so again', () => {
    const planned = plan(
      { ...net(PORT), ...port(), ...group() },
      { ...net(), ...group({ ports: refs() }) },
    );
    expect(written(planned.inserts, PORT)).toMatchObject({
      name: 'web-0',
      addresses: ['0a:58:00:00:00:01 10.9.0.9'],
    });
    expect([written(planned.updates, NET), written(planned.updates, GROUP)]).toEqual([
      { ports: [PORT] },
      { ports: [PORT] },
    ]);
    expect([planned.removals, planned.leftOut, planned.losses]).toEqual([[], [], []]);
  });

  it.each([
    ['set back', ALL],
    ['only made to hold it again', { ...ALL, tables: new Set(['Logical_Switch_Port']) }],
  ])('comes back beside what is new in what holds it, which is %s', (_, selection) => {
    const planned = plan({ ...net(PORT), ...port() }, { ...net(NEW), ...added }, selection);
    expect([...(written(planned.updates, NET)!['ports'] as string[])].sort()).toEqual([PORT, NEW]);
  });

  it('comes back with the rows that only it holds', () => {
    expect(
      plan({ ...net(PORT), ...port() }, {})
        .inserts.map((it) => it.uuid)
        .sort(),
    ).toEqual([NET, PORT]);
  });

  it('brings the rows it holds, whatever tables were named', () => {
    expect(
      plan({ ...net(PORT), ...port() }, {}, { ...ALL, tables: new Set(['Logical_Switch']) })
        .inserts.map((it) => it.uuid)
        .sort(),
    ).toEqual([NET, PORT]);
  });

  it('is left out where what held it is not restored', () => {
    const planned = plan(
      { ...net(PORT), ...port() },
      {},
      { ...ALL, tables: new Set(['Logical_Switch_Port']) },
    );
    expect([planned.inserts, left(planned)]).toEqual([
      [],
      {
        [PORT]: expect.stringMatching(/^what held it is gone or not restored: Logical_Switch net/),
      },
    ]);
  });

  it('is left out where another took its name, and nothing refers to it then', () => {
    const planned = plan(
      { ...net(PORT), ...port(), ...group() },
      {
        ...net(NEW),
        [`Logical_Switch_Port ${NEW}`]: { name: 'web-0' },
        ...group({ ports: refs() }),
      },
    );
    expect([planned.inserts, written(planned.updates, GROUP)]).toEqual([[], undefined]);
    expect(left(planned)[PORT]).toContain(`is taken by row ${NEW}`);
  });

  it('is left out where the living schema has no place for it', () => {
    const json = structuredClone(schema.json) as {
      tables: Record<string, { columns: Record<string, unknown> }>;
    };
    delete json.tables['Copp'];
    for (const { columns } of Object.values(json.tables))
      for (const [name, type] of Object.entries(columns))
        if (JSON.stringify(type).includes('"Copp"')) delete columns[name];
    const planned = plan({ [`Copp ${NET}`]: { name: 'c' } }, {}, ALL, parseSchema(json));
    expect([planned.inserts, left(planned)]).toEqual([
      [],
      { [NET]: 'the living database has no table Copp' },
    ]);
  });

  it('costs what referred to it and refers to another now a reference, which is reported', () => {
    const then = {
      ...net(PORT),
      ...port({ dhcpv4_options: op.uuid(OPTIONS) }),
      [`DHCP_Options ${OPTIONS}`]: { cidr: '10.9.0.0/24' },
    };
    const planned = plan(
      then,
      {
        ...net(PORT),
        ...port({ dhcpv4_options: op.uuid(OTHER_OPTIONS) }),
        [`DHCP_Options ${OTHER_OPTIONS}`]: { cidr: '10.8.0.0/24' },
      },
      { ...ALL, tables: new Set(['DHCP_Options']) },
    );
    expect(planned.inserts.map((each) => each.uuid)).toEqual([OPTIONS]);
    expect([written(planned.updates, PORT), lost(planned)]).toEqual([
      undefined,
      {
        [PORT]: expect.stringMatching(
          /^dhcpv4_options referred to DHCP_Options .* it refers to another row now$/,
        ),
      },
    ]);
  });

  it('is not put into a row that a person keeps as it is', () => {
    const planned = plan(
      { ...net(PORT), ...port(), ...group({ external_ids: PROTECT }) },
      { ...net(), ...group({ ports: refs(), external_ids: PROTECT }) },
    );
    expect(planned.inserts.map((each) => each.uuid)).toEqual([PORT]);
    expect([written(planned.updates, GROUP), left(planned)[GROUP]]).toEqual([
      undefined,
      expect.stringContaining('ovn-steward.dev/protect'),
    ]);
    expect(lost(planned)[GROUP]).toMatch(/a person keeps the row as it is$/);
  });
});

describe('a row that changed', () => {
  it('is set back in the columns that differ, and in no other', () => {
    const planned = plan(
      { ...net(PORT), ...port() },
      { ...net(PORT), ...port({ addresses: 'dynamic' }) },
    );
    expect([written(planned.updates, PORT), planned.inserts, planned.leftOut]).toEqual([
      { addresses: ['0a:58:00:00:00:01 10.9.0.9'] },
      [],
      [],
    ]);
  });

  it("is left where it was another's, and owners were named", () => {
    const theirs = op.map([['neutron:port_name', 'p']]);
    const ours = op.map([
      ['vendor', 'kube-ovn'],
      ['ls', 'net'],
      ['pod', 'shop/web-0'],
    ]);
    const planned = plan(
      { ...net(PORT), ...port({ name: 'web-0.shop', external_ids: theirs }) },
      { ...net(PORT), ...port({ name: 'web-0.shop', external_ids: ours }) },
      { ...ALL, owners: new Set(['kube-ovn']) },
    );
    expect([planned.updates, left(planned)]).toEqual([
      [],
      { [PORT]: "it was neutron's and is kube-ovn's now" },
    ]);
  });

  it('is left where a person keeps it', () => {
    const planned = plan(
      { ...net(PORT), ...port() },
      { ...net(PORT), ...port({ external_ids: PROTECT }) },
    );
    expect([planned.updates, left(planned)]).toEqual([
      [],
      { [PORT]: expect.stringContaining('a person keeps it is') },
    ]);
  });
});

describe('a row that is new', () => {
  const then = net();
  const now = { ...net(NEW), ...added };

  it('stays, and goes only where that was asked for: out of what holds it', () => {
    expect(plan(then, now)).toEqual({
      inserts: [],
      updates: [],
      removals: [],
      leftOut: [],
      losses: [],
    });
    const planned = plan(then, now, AND_REMOVE);
    expect([planned.removals, written(planned.updates, NET)]).toEqual([
      [{ table: 'Logical_Switch_Port', uuid: NEW }],
      { ports: [] },
    ]);
  });

  it('goes out of what holds it where only its table was named', () => {
    const planned = plan(then, now, { ...AND_REMOVE, tables: new Set(['Logical_Switch_Port']) });
    expect([planned.removals, written(planned.updates, NET)]).toEqual([
      [{ table: 'Logical_Switch_Port', uuid: NEW }],
      { ports: [] },
    ]);
  });

  it('stays where a person keeps it', () => {
    const planned = plan(
      then,
      { ...net(NEW), [`Logical_Switch_Port ${NEW}`]: { name: 'new', external_ids: PROTECT } },
      AND_REMOVE,
    );
    expect([planned.removals, left(planned)]).toEqual([
      [],
      { [NEW]: expect.stringContaining('a person keeps it is') },
    ]);
  });

  it('stays where it alone holds what is not to be removed', () => {
    const planned = plan(
      {},
      { ...net(NEW), [`Logical_Switch_Port ${NEW}`]: { name: 'new', external_ids: PROTECT } },
      AND_REMOVE,
    );
    expect([planned.removals, left(planned)[NET]]).toEqual([
      [],
      expect.stringContaining('it alone holds Logical_Switch_Port new'),
    ]);
  });

  it('stays where a row that stays needs it', () => {
    const user: Rows = {
      [`Logical_Switch_Port ${NEW}`]: {
        name: 'new',
        ha_chassis_group: op.uuid(CHASSIS),
        external_ids: PROTECT,
      },
    };
    const planned = plan(
      net(),
      { ...net(NEW), ...user, [`HA_Chassis_Group ${CHASSIS}`]: { name: 'g' } },
      AND_REMOVE,
    );
    expect([planned.removals, left(planned)[CHASSIS]]).toEqual([
      [],
      expect.stringMatching(/^Logical_Switch_Port new .* needs it \(ha_chassis_group\)$/),
    ]);
  });
});
