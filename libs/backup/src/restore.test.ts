import { ascendingBy } from '@ovn-steward/shared/compare';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operation as op, type Operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { type MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { contentOf, recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import type { RestoreSelection } from './draft';
import { databaseDifference } from './difference';
import { ownersIn } from './owners';
import { takeSnapshot } from './snapshot';
import { applyRestore, isEmpty, type RestoreView, selectedRows, viewRestore } from './restore';
import { takeBackup } from './take-backup';

const signal = new AbortController().signal;
const ALL: RestoreSelection = { owners: undefined, tables: undefined, removeNew: false };
const of = (...owners: string[]): RestoreSelection => ({ ...ALL, owners: new Set(owners) });

let folder = '';
let file = '';
let northbound: MemoryNorthbound;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restore-'));
  northbound = await recordedNorthbound('shared-neutron');
  await backUp();
});
afterEach(() => rm(folder, { recursive: true }));

async function backUp(): Promise<void> {
  file = (
    await takeBackup({
      snapshot: await takeSnapshot(northbound, signal),
      cluster: 'c',
      at: new Date(),
      to: { folder: join(folder, 'before') },
    })
  ).path;
}

const view = (selection: RestoreSelection, otherCluster = false): Promise<RestoreView> =>
  viewRestore({ file, northbound, selection, otherCluster, signal });
const restore = async (selection: RestoreSelection) => {
  const seen = await view(selection);
  return {
    ...seen,
    ...(await applyRestore(seen, {
      northbound,
      cluster: 'c',
      folder: join(folder, 'after'),
      at: new Date(),
      signal,
    })),
  };
};

/** What another writer does. @throws Error when the database refuses it. */
function write(...operations: Operation[]): void {
  const result = northbound.database.transact(operations);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
}

const uuidOf = (table: string, name: string): string => {
  for (const [uuid, row] of northbound.database.rows(table)) if (row['name'] === name) return uuid;
  throw new Error(`no ${table} ${name}`);
};
const named = (name: string) => [['name', '==', name]] as const;
const port = (row: Readonly<Record<string, unknown>>): readonly string[] =>
  JSON.stringify(row['ports']).match(/[0-9a-f-]{36}/g) ?? [];

/** A switch of Neutron's with ports, and one of its ports. */
function neutronSwitch(): {
  readonly uuid: string;
  readonly name: string;
  readonly ports: readonly string[];
} {
  for (const [uuid, row] of northbound.database.rows('Logical_Switch')) {
    const name = String(row['name']);
    if (name.startsWith('neutron-') && port(row).length > 1)
      return { uuid, name, ports: port(row) };
  }
  throw new Error('no switch of Neutron’s');
}

/** The name of the switch that was recreated. */
const neutronName = ({ remade }: RestoreView): string =>
  remade.find((it) => it.table === 'Logical_Switch')!.name;

describe('a difference', () => {
  it('is none right after the backup, whoever’s rows are meant', async () => {
    for (const selection of [ALL, of('neutron'), of('kube-ovn'), { ...ALL, removeNew: true }]) {
      const { difference, plan } = await view(selection);
      expect(difference.rows).toEqual([]);
      expect(isEmpty(plan)).toBe(true);
    }
  });

  it('names rows that are missing, changed and new, with their owners; what northd writes is none', async () => {
    const { uuid, ports } = neutronSwitch();
    write(
      op.mutate('Logical_Switch', op.byUuid(uuid), [['ports', 'delete', op.uuid(ports[0]!)]]),
      op.update('Logical_Switch_Port', op.byUuid(ports[1]!), {
        up: false,
        addresses: '02:00:00:00:00:01',
      }),
      op.insert('Address_Set', { name: 'stranger' }),
      op.mutate(
        'NB_Global',
        [['name', '!=', 'no such']],
        [
          ['nb_cfg', '+=', 5],
          ['options', 'insert', op.map([['max_tunid', '1']])],
        ],
      ),
    );
    const { difference } = await view(ALL);
    expect(
      difference.rows.map(({ is, table, owner, columns }) => [is, table, owner, columns]),
    ).toEqual(
      expect.arrayContaining([
        ['missing', 'Logical_Switch_Port', 'neutron', []],
        ['changed', 'Logical_Switch', 'neutron', ['ports']],
        ['changed', 'Logical_Switch_Port', 'neutron', ['addresses']],
        ['new', 'Address_Set', 'unknown', []],
      ]),
    );
    expect(difference.rows.filter((it) => it.table === 'NB_Global')).toEqual([]);
  });

  it('distinguishes owners as the judgement does, and parts by what holds them', async () => {
    const { replica } = await takeSnapshot(northbound, signal);
    const owner = ownersIn(replica);
    const counts = new Map<string, number>();
    for (const table of replica.schema.tables.keys())
      for (const row of replica.rows(table))
        counts.set(owner(row).owner, (counts.get(owner(row).owner) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(expect.arrayContaining(['kube-ovn', 'neutron']));
    expect(counts.get('unknown') ?? 0).toBeLessThan((counts.get('kube-ovn') ?? 0) / 2);
  });
});

describe('restoring', () => {
  it('is not undone by ovn-northd, which says at once that a port is down', async () => {
    const { uuid, ports } = neutronSwitch();
    write(op.mutate('Logical_Switch', op.byUuid(uuid), [['ports', 'delete', op.uuid(ports[0]!)]]));
    const seen = await view(of('neutron'));
    const beside = Object.create(northbound) as MemoryNorthbound;
    const { moved } = await applyRestore(seen, {
      northbound: Object.assign(beside, {
        write: async (...words: Parameters<MemoryNorthbound['write']>) => {
          const answer = await northbound.write(...words);
          write(
            op.update('Logical_Switch_Port', op.byUuid(ports[0]!), { up: false, enabled: false }),
          );
          return answer;
        },
      }),
      cluster: 'c',
      folder: join(folder, 'after'),
      at: new Date(),
      signal,
    });
    expect(moved).toEqual([`column enabled of Logical_Switch_Port ${ports[0]} was changed again`]);
  });

  it('is done where the database cannot be read right after it was written', async () => {
    const { uuid, ports } = neutronSwitch();
    write(op.mutate('Logical_Switch', op.byUuid(uuid), [['ports', 'delete', op.uuid(ports[0]!)]]));
    const seen = await view(of('neutron'));
    const beside = Object.create(northbound) as MemoryNorthbound;
    let written = false;
    const done = await applyRestore(seen, {
      northbound: Object.assign(beside, {
        write: async (...words: Parameters<MemoryNorthbound['write']>) => {
          const answer = await northbound.write(...words);
          written = true;
          return answer;
        },
        read: async (...words: Parameters<MemoryNorthbound['read']>) => {
          if (written) throw new Failure('source-unreachable', 'Nobody answers.');
          return northbound.read(...words);
        },
      }),
      cluster: 'c',
      folder: join(folder, 'after'),
      at: new Date(),
      signal,
    });
    expect(port(northbound.database.rows('Logical_Switch').get(uuid)!)).toContain(ports[0]);
    expect(done).toMatchObject({ moved: [], unread: 'Nobody answers.', backup: {} });
  });

  it('puts half of Neutron’s rows back, with uuids, references and all, and touches no row of Kube-OVN’s', async () => {
    const before = contentOf(northbound);
    const owner = ownersIn((await takeSnapshot(northbound, signal)).replica);
    const replica = (await takeSnapshot(northbound, signal)).replica;
    let nth = 0;
    for (const table of [
      'Logical_Switch',
      'Logical_Router',
      'Port_Group',
      'Address_Set',
      'DHCP_Options',
    ]) {
      for (const row of replica.rows(table))
        if (owner(row).owner === 'neutron' && nth++ % 2 === 0)
          write(op.remove(table, op.byUuid(row.uuid)));
    }
    expect(nth).toBeGreaterThan(4);
    const damaged = contentOf(northbound);
    const { plan, moved, backup } = await restore(of('neutron'));
    expect({ left: plan.leftOut, losses: plan.losses, moved }).toEqual({
      left: [],
      losses: [],
      moved: [],
    });
    const after = contentOf(northbound);
    expect(stored(after)).toEqual(stored(before));
    for (const table of replica.schema.tables.keys())
      for (const row of replica.rows(table))
        if (owner(row).owner === 'kube-ovn')
          expect(after[table]?.[row.uuid]).toEqual(damaged[table]?.[row.uuid]);
    expect(await readdir(join(folder, 'after'))).toHaveLength(2);
    expect(backup.facts.rows['Logical_Switch']).toBe(
      Object.keys(damaged['Logical_Switch'] ?? {}).length,
    );
  });

  it('writes nothing when anything it builds on moves between the read and the write', async () => {
    const { uuid, ports } = neutronSwitch();
    write(
      op.mutate('Logical_Switch', op.byUuid(uuid), [['ports', 'delete', op.uuid(ports[0]!)]]),
      op.update('Logical_Switch_Port', op.byUuid(ports[1]!), { addresses: '02:00:00:00:00:01' }),
    );
    const moves: Operation[][] = [
      [op.update('Logical_Switch_Port', op.byUuid(ports[1]!), { addresses: '02:00:00:00:00:02' })],
      [
        op.mutate('Logical_Switch_Port', op.byUuid(ports[1]!), [
          ['external_ids', 'insert', op.map([['vendor', 'kube-ovn']])],
        ]),
      ],
      [
        op.insert(
          'Logical_Switch_Port',
          { name: 'another' },
          '00000000-0000-4000-8000-000000000001',
        ),
        op.mutate('Logical_Switch', op.byUuid(uuid), [
          ['ports', 'insert', op.uuid('00000000-0000-4000-8000-000000000001')],
        ]),
      ],
      [op.remove('Logical_Switch', op.byUuid(uuid))],
    ];
    for (const move of moves) {
      const seen = await view(ALL);
      expect(isEmpty(seen.plan)).toBe(false);
      write(...move);
      const meanwhile = contentOf(northbound);
      await expect(
        applyRestore(seen, {
          northbound,
          cluster: 'c',
          folder: join(folder, 'after'),
          at: new Date(),
          signal,
        }),
      ).rejects.toMatchObject({
        code: 'restore-refused',
        message: expect.stringMatching(/Nothing was written/),
      });
      expect(contentOf(northbound)).toEqual(meanwhile);
    }
  });

  it('stops an executor that writes', async () => {
    const executor = northbound.peer();
    await executor.takeOver(signal);
    write(op.remove('Logical_Switch', op.byUuid(neutronSwitch().uuid)));
    await restore(ALL);
    await expect(
      executor.write(
        [op.update('Logical_Switch', op.byUuid(neutronSwitch().uuid), { name: 'x' })],
        signal,
      ),
    ).resolves.toMatchObject({ is: 'refused', error: 'not owner' });
  });

  it('keeps what is new, and removes it only when asked to; what a person keeps, never', async () => {
    const { uuid, name } = neutronSwitch();
    const added = '00000000-0000-4000-8000-00000000000a';
    const kept = '00000000-0000-4000-8000-00000000000b';
    write(
      op.insert('Logical_Switch_Port', { name: 'new' }, added),
      op.mutate('Logical_Switch', op.byUuid(uuid), [['ports', 'insert', op.uuid(added)]]),
      op.update('Logical_Switch', op.byUuid(uuid), { name: 'renamed' }),
      op.insert(
        'Address_Set',
        { name: 'kept', external_ids: op.map([['ovn-steward.dev/protect', 'mine']]) },
        kept,
      ),
      op.insert('Address_Set', { name: 'gone' }),
    );
    const { plan } = await restore(ALL);
    expect(plan.removals).toEqual([]);
    expect(northbound.database.rows('Logical_Switch').get(uuid)).toMatchObject({ name });
    expect(port(northbound.database.rows('Logical_Switch').get(uuid)!)).toContain(added);
    const second = await restore({ ...ALL, removeNew: true });
    expect(second.plan.leftOut).toEqual([
      {
        table: 'Address_Set',
        uuid: kept,
        says: expect.stringContaining('ovn-steward.dev/protect'),
      },
    ]);
    expect(second.plan.removals).toHaveLength(2);
    expect([...northbound.database.rows('Address_Set').values()].map((it) => it['name'])).toEqual(
      expect.arrayContaining(['kept']),
    );
    expect(northbound.database.rows('Logical_Switch_Port').has(added)).toBe(false);
    expect(() => uuidOf('Address_Set', 'gone')).toThrow();
  });

  describe('what was recreated under another uuid', () => {
    const AGAIN = '00000000-0000-4000-8000-00000000000c';
    const ROUTE = '00000000-0000-4000-8000-00000000000d';

    /**
     * A switch of Neutron's with the first of its ports, and a route, as their owner would make
     * them again.
     */
    function makeAnew(): ReturnType<typeof neutronSwitch> & { readonly route: string } {
      const theirs = neutronSwitch();
      const lost = northbound.database.rows('Logical_Switch_Port').get(theirs.ports[0]!)!;
      const [route, row] = [...northbound.database.rows('Logical_Router_Static_Route')][0]!;
      const [router] = [...northbound.database.rows('Logical_Router')].find(([, holder]) =>
        JSON.stringify(holder['static_routes']).includes(route),
      )!;
      write(
        op.remove('Logical_Switch', op.byUuid(theirs.uuid)),
        op.insert('Logical_Switch', {
          name: theirs.name,
          ports: op.uuid(AGAIN),
          external_ids: op.map([['neutron:revision_number', '99']]),
        }),
        op.insert(
          'Logical_Switch_Port',
          {
            name: String(lost['name']),
            external_ids: op.map([['neutron:revision_number', '98']]),
          },
          AGAIN,
        ),
        op.mutate('Logical_Router', op.byUuid(router), [
          ['static_routes', 'delete', op.uuid(route)],
        ]),
        op.insert('Logical_Router_Static_Route', row as never, ROUTE),
        op.mutate('Logical_Router', op.byUuid(router), [
          ['static_routes', 'insert', op.uuid(ROUTE)],
        ]),
      );
      return { ...theirs, route };
    }
    const groupsOf = (uuid: string): string[] =>
      [...northbound.database.rows('Port_Group').values()]
        .filter((it) => JSON.stringify(it['ports']).includes(uuid))
        .map((it) => String(it['name']))
        .sort();

    it('by its owner is completed: by name, by index, by content', async () => {
      write(
        op.insert('Port_Group', { name: 'members', ports: op.uuid(neutronSwitch().ports[0]!) }),
      );
      await backUp();
      const groups = groupsOf(neutronSwitch().ports[0]!);
      expect(groups).toContain('members');
      const { uuid, name, ports, route } = makeAnew();
      expect(groupsOf(AGAIN)).toEqual([]);
      const seen = await restore(ALL);
      expect(seen.remade.map(({ table, was, is }) => [table, was, is])).toEqual(
        expect.arrayContaining([
          ['Logical_Switch', uuid, uuidOf('Logical_Switch', name)],
          ['Logical_Switch_Port', ports[0], AGAIN],
          ['Logical_Router_Static_Route', route, ROUTE],
        ]),
      );
      expect([seen.plan.leftOut, seen.plan.losses, seen.moved]).toEqual([[], [], []]);
      const now = northbound.database.rows('Logical_Switch').get(uuidOf('Logical_Switch', name))!;
      expect([...port(now)].sort()).toEqual([AGAIN, ...ports.slice(1)].sort());
      // What the owner wrote again is newer than the backup; what it left out is not.
      expect(JSON.stringify(now['external_ids'])).toContain('"neutron:revision_number","99"');
      expect(JSON.stringify(now['external_ids'])).toContain('neutron:network_name');
      expect(groupsOf(AGAIN)).toEqual(groups);
      expect(isEmpty((await view(ALL)).plan)).toBe(true);
    });

    it('goes with --remove-new, and the former comes back under its own uuid', async () => {
      const { uuid, ports, route } = makeAnew();
      const { plan, remade } = await restore({ ...ALL, removeNew: true });
      expect([remade, plan.leftOut]).toEqual([[], []]);
      const { database } = northbound;
      expect([...port(database.rows('Logical_Switch').get(uuid)!)].sort()).toEqual(
        [...ports].sort(),
      );
      expect([
        database.rows('Logical_Switch_Port').has(AGAIN),
        database.rows('Logical_Router_Static_Route').has(ROUTE),
        database.rows('Logical_Router_Static_Route').has(route),
      ]).toEqual([false, false, true]);
    });

    it('by nobody knows whom, or twice, is left as it is, and what it held with it', async () => {
      const [uuid, manual] = [...northbound.database.rows('Logical_Switch')].find(
        ([, it]) => it['name'] === 'manual-ls',
      )!;
      const { uuid: twice, name } = neutronSwitch();
      write(
        op.remove('Logical_Switch', op.byUuid(uuid)),
        op.insert('Logical_Switch', { name: 'manual-ls' }),
        op.remove('Logical_Switch', op.byUuid(twice)),
        op.insert('Logical_Switch', { name }),
        op.insert('Logical_Switch', { name }),
      );
      const seen = await view(ALL);
      const said = new Map(seen.plan.leftOut.map((it) => [it.uuid, it.says]));
      expect(seen.remade).toEqual([]);
      for (const it of [uuid, twice])
        expect(said.get(it)).toMatch(/exists again, recreated: Logical_Switch /);
      expect(port(manual).length).toBeGreaterThan(0);
      for (const it of port(manual))
        expect(said.get(it)).toMatch(/what held it is gone or not restored/);
    });

    it('while it is read and written is not written over', async () => {
      makeAnew();
      const seen = await view(ALL);
      write(op.update('Logical_Switch', named(neutronName(seen)), { name: 'renamed' }));
      await expect(
        applyRestore(seen, {
          northbound,
          cluster: 'c',
          folder: join(folder, 'after'),
          at: new Date(),
          signal,
        }),
      ).rejects.toMatchObject({ code: 'restore-refused' });
    });
  });

  it('by owner: names what it referred to and does not come back, and leaves out what cannot be without it', async () => {
    write(
      op.insert(
        'HA_Chassis_Group',
        {
          name: 'bfd@vpc1',
          external_ids: op.map([
            ['vendor', 'kube-ovn'],
            ['lrp', 'bfd@vpc1'],
          ]),
        },
        '00000000-0000-4000-8000-00000000000e',
      ),
    );
    const { uuid, ports } = neutronSwitch();
    write(
      op.update('Logical_Switch_Port', op.byUuid(ports[0]!), {
        ha_chassis_group: op.uuid('00000000-0000-4000-8000-00000000000e'),
      }),
    );
    const options =
      [...northbound.database.rows('DHCP_Options')].find(
        ([, it]) => !JSON.stringify(it['external_ids']).includes('neutron'),
      )?.[0] ?? '00000000-0000-4000-8000-00000000000f';
    if (!northbound.database.rows('DHCP_Options').has(options))
      write(
        op.insert(
          'DHCP_Options',
          { cidr: '10.0.0.0/24', external_ids: op.map([['vendor', 'kube-ovn']]) },
          options,
        ),
      );
    write(
      op.update('Logical_Switch_Port', op.byUuid(ports[1]!), { dhcpv4_options: op.uuid(options) }),
    );
    await backUp();
    write(op.remove('Logical_Switch', op.byUuid(uuid)));
    write(
      op.remove('HA_Chassis_Group', named('bfd@vpc1')),
      op.remove('DHCP_Options', op.byUuid(options)),
    );
    const { plan } = await restore(of('neutron'));
    expect(plan.leftOut).toEqual([
      {
        table: 'Logical_Switch_Port',
        uuid: ports[0],
        says: expect.stringMatching(
          /ha_chassis_group needs HA_Chassis_Group bfd@vpc1 .*gone and not put back/,
        ),
      },
    ]);
    expect(plan.losses.map((it) => [it.uuid, it.says])).toEqual(
      expect.arrayContaining([
        [
          ports[1],
          expect.stringMatching(
            /DHCP_Options .* is gone and not put back: dhcpv4_options is restored without it/,
          ),
        ],
        [uuid, expect.stringContaining('ports is restored without it')],
      ]),
    );
    expect(northbound.database.rows('Logical_Switch_Port').has(ports[1]!)).toBe(true);
    expect((await view(ALL)).plan.leftOut).toEqual([]);
    await restore(ALL);
    expect((await view(ALL)).difference.rows).toEqual([]);
  });

  it('never gives back who may connect, unless that is named', async () => {
    const connection = '00000000-0000-4000-8000-000000000011';
    write(
      op.insert('Connection', { target: 'ptcp:1' }, connection),
      op.mutate(
        'NB_Global',
        [['name', '!=', 'no such']],
        [['connections', 'insert', op.uuid(connection)]],
      ),
    );
    await backUp();
    write(
      op.mutate(
        'NB_Global',
        [['name', '!=', 'no such']],
        [['connections', 'delete', op.uuid(connection)]],
      ),
    );
    expect((await view(ALL)).difference.rows).toEqual([]);
    const seen = await restore({ ...ALL, tables: new Set(['Connection']) });
    expect(seen.plan.inserts.map((it) => it.uuid)).toEqual([connection]);
    expect(northbound.database.rows('Connection').has(connection)).toBe(true);
  });

  it('refuses the backup of another database, but where it is asked to take it', async () => {
    write(
      op.remove('NB_Global', [['name', '!=', 'no such']]),
      op.insert('NB_Global', { name: 'another' }),
    );
    await expect(view(ALL)).rejects.toMatchObject({
      code: 'restore-refused',
      message: expect.stringMatching(/taken of nb:.*and this is nb:.*--other-cluster/),
    });
    const { plan } = await view(ALL, true);
    expect(plan.leftOut.find((it) => it.table === 'NB_Global')?.says).toMatch(/no more than 1 row/);
    await expect(view({ ...ALL, tables: new Set(['Logical_Swich']) }, true)).rejects.toMatchObject({
      code: 'restore-refused',
    });
  });

  it('lists a column and a table that the living schema lacks, and leaves their rows out', async () => {
    const { replica } = await takeSnapshot(northbound, signal);
    const json = JSON.parse(JSON.stringify(replica.schema.json)) as {
      tables: Record<string, { columns: Record<string, unknown> }>;
    };
    delete json.tables['Address_Set'];
    delete json.tables['Logical_Switch_Port']!.columns['dhcpv4_options'];
    const { parseSchema, Replica } = await import('@ovn-steward/ovsdb');
    for (const table of Object.values(json.tables))
      for (const [column, type] of Object.entries(table.columns))
        if (JSON.stringify(type).includes('"Address_Set"')) delete table.columns[column];
    const difference = databaseDifference({
      backup: replica,
      live: new Replica(parseSchema(json)),
      tables: undefined,
    });
    expect([...difference.foreign]).toEqual(
      expect.arrayContaining(['Address_Set', 'Logical_Switch_Port.dhcpv4_options']),
    );
  });

  it('refuses an owner of whom there is no row in either, and names those there are', async () => {
    await expect(view(of('kube-ovn', 'kubeovn'))).rejects.toMatchObject({
      code: 'restore-refused',
      message: expect.stringMatching(
        / an owner kubeovn\. Did you mean kube-ovn\? There are rows of .*kube-ovn, .*neutron/,
      ),
    });
    await expect(view(of('nobody-like-that'))).rejects.toMatchObject({
      code: 'restore-refused',
      message: expect.not.stringContaining('Did you mean'),
    });
  });

  it('shows of a selection only what it is about', async () => {
    write(op.remove('Logical_Switch', op.byUuid(neutronSwitch().uuid)));
    expect(new Set(selectedRows(await view(of('neutron'))).map((it) => it.owner))).toEqual(
      new Set(['neutron']),
    );
    expect(selectedRows(await view(of('kube-ovn'))).filter((it) => it.is === 'missing')).toEqual(
      [],
    );
  });
});

/** Without what northd writes, which is not restored. */
function stored(content: Record<string, Record<string, unknown>>): unknown {
  return Object.entries(content).map(([table, rows]) => [
    table,
    Object.entries(rows)
      .map(
        ([uuid, row]) =>
          [
            uuid,
            Object.entries(row as object).filter(
              ([column]) => !['up', 'dynamic_addresses', 'status', 'ipv6_prefix'].includes(column),
            ),
          ] as const,
      )
      .sort(ascendingBy(([key]) => key)),
  ]);
}
