import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import {
  operation as op,
  readDatabaseFile,
  Replica,
  writeStandaloneFile,
} from '@ovn-steward/ovsdb';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import type { RestoreSelection } from './draft';
import { ownersIn } from './owners';
import { type NorthboundSnapshot, takeSnapshot } from './snapshot';
import { applyRestore, viewRestore } from './restore';
import { firstDifference } from './same-content';
import { takeBackup } from './take-backup';

const signal = new AbortController().signal;
const NEUTRON: RestoreSelection = {
  owners: new Set(['neutron']),
  tables: undefined,
  removeNew: false,
};

/** A database to try things on, alone or as three. */
const BEDS = [
  [
    'one server',
    async () => {
      const server = await startOvnStandalone({ database: recording('shared-neutron', 'nb.db') });
      return { remotes: server.remote, stop: () => server.stop() };
    },
  ],
  [
    'a raft cluster',
    async () => {
      const cluster = await startOvnRaft({ database: recording('shared-neutron', 'nb.db') });
      return { remotes: cluster.remotes.join(), stop: () => cluster.stop() };
    },
  ],
] as const;

describeWith(ovn, 'backups of', () => {
  describe.each(BEDS)('%s', (_, start) => {
    let bed: Awaited<ReturnType<typeof start>>;
    let northbound: Northbound;
    let other: Northbound;
    let folder = '';
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'backups-'));
      bed = await start();
      northbound = liveNorthbound({ remotes: bed.remotes });
      other = liveNorthbound({ remotes: bed.remotes });
    });
    afterEach(async () => {
      await northbound.close();
      await other.close();
      await bed.stop();
      rmSync(folder, { recursive: true });
    });

    const backUp = async (snapshot: NorthboundSnapshot, name: string): Promise<string> =>
      (
        await takeBackup({
          snapshot,
          cluster: 'c',
          at: new Date(),
          to: { folder: join(folder, name) },
        })
      ).path;
    const view = (file: string, selection: RestoreSelection) =>
      viewRestore({ file, northbound, selection, otherCluster: false, signal });
    const restore = async (
      file: string,
      selection: RestoreSelection,
      between?: () => Promise<void>,
    ) => {
      const seen = await view(file, selection);
      await between?.();
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

    /** Half of Neutron's rows that stand by themselves, and every third of the ports left to it. */
    async function deleteHalf({ replica }: NorthboundSnapshot): Promise<number> {
      const owner = ownersIn(replica);
      const roots = [
        'Logical_Switch',
        'Logical_Router',
        'Port_Group',
        'Address_Set',
        'DHCP_Options',
        'DNS',
      ].flatMap((table) =>
        [...replica.rows(table)].filter((row) => owner(row).owner === 'neutron'),
      );
      const doomed = roots.filter((_row, nth) => nth % 2 === 0);
      const ports = roots
        .filter((row, nth) => nth % 2 === 1 && row.table === 'Logical_Switch')
        .map((row) => [row, [...(row.get('ports') as ReadonlySet<string>)][0]] as const);
      await other.takeOver(signal);
      const operations = [
        ...doomed.map((row) => op.remove(row.table, op.byUuid(row.uuid))),
        ...ports.flatMap(([row, port]) =>
          port === undefined
            ? []
            : [
                op.mutate('Logical_Switch', op.byUuid(row.uuid), [
                  ['ports', 'delete', op.uuid(port)],
                ]),
              ],
        ),
      ];
      expect(await other.write(operations, signal)).toMatchObject({ is: 'committed' });
      return operations.length;
    }

    /** But for `up`, which northd writes and is not restored. */
    const rowsOf = (replica: Replica, wanted: (owner: string) => boolean): Map<string, string> => {
      const owner = ownersIn(replica);
      return new Map(
        [...replica.schema.tables.keys()].flatMap((table) =>
          [...replica.rows(table)]
            .filter((row) => wanted(owner(row).owner))
            .map(
              (row) =>
                [
                  `${table} ${row.uuid}`,
                  JSON.stringify(
                    [...row.columns()]
                      .filter(([{ name }]) => name !== 'up')
                      .map(([{ name }, value]) => [
                        name,
                        value instanceof Map
                          ? [...(value as ReadonlyMap<string, string>)].sort()
                          : value instanceof Set
                            ? [...value].sort()
                            : value,
                      ]),
                  ),
                ] as const,
            ),
        ),
      );
    };

    test('a server started from the file has what the database had', async () => {
      const snapshot = await takeSnapshot(northbound, signal);
      const copy = await startOvnStandalone({ database: await backUp(snapshot, 'before') });
      const there = liveNorthbound({ remotes: copy.remote });
      try {
        expect(
          firstDifference(snapshot.replica, (await takeSnapshot(there, signal)).replica),
        ).toBeUndefined();
      } finally {
        await there.close();
        await copy.stop();
      }
    });

    test('Neutron’s rows come back as they were, and no row of anybody else’s is touched', async () => {
      const before = await takeSnapshot(northbound, signal);
      const file = await backUp(before, 'before');
      expect(await deleteHalf(before)).toBeGreaterThan(6);
      const damaged = await takeSnapshot(northbound, signal);
      const { plan, moved } = await restore(file, NEUTRON);
      expect({ left: plan.leftOut, losses: plan.losses, moved }).toEqual({
        left: [],
        losses: [],
        moved: [],
      });
      const after = await takeSnapshot(northbound, signal);
      expect(rowsOf(after.replica, (it) => it === 'neutron')).toEqual(
        rowsOf(before.replica, (it) => it === 'neutron'),
      );
      expect(rowsOf(after.replica, (it) => it !== 'neutron')).toEqual(
        rowsOf(damaged.replica, (it) => it !== 'neutron'),
      );
      expect((await view(file, NEUTRON)).difference.rows).toEqual([]);
    });

    test('a row that another writer changes between the read and the write refuses all of it', async () => {
      const before = await takeSnapshot(northbound, signal);
      const file = await backUp(before, 'before');
      await deleteHalf(before);
      const changed = (await view(file, NEUTRON)).plan.updates[0]!;
      let meanwhile: NorthboundSnapshot | undefined;
      const between = async (): Promise<void> => {
        expect(
          await other.write(
            [
              op.mutate(changed.table, op.byUuid(changed.uuid), [
                ['external_ids', 'insert', op.map([['touched', 'now']])],
              ]),
            ],
            signal,
          ),
        ).toMatchObject({ is: 'committed' });
        meanwhile = await takeSnapshot(northbound, signal);
      };
      await expect(restore(file, NEUTRON, between)).rejects.toMatchObject({
        code: 'restore-refused',
        message: expect.stringContaining('has changed since it was compared. Nothing was written.'),
      });
      expect(
        firstDifference(meanwhile!.replica, (await takeSnapshot(northbound, signal)).replica),
      ).toBeUndefined();
      await restore(file, NEUTRON);
      expect((await view(file, NEUTRON)).difference.rows).toEqual([]);
    });
  });

  test('of another database are not restored, but where that is asked for: then into a new one, from its beginning', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backups-'));
    const { schema } = await readDatabaseFile(recording('clean', 'nb.db'));
    const empty = new Replica(schema);
    empty.applyFileRow('NB_Global', '00000000-0000-4000-8000-000000000001', {}, 'full');
    await writeStandaloneFile(join(folder, 'empty.db'), schema.json, empty);
    const one = await startOvnStandalone({ database: recording('clean', 'nb.db') });
    const two = await startOvnStandalone({ database: join(folder, 'empty.db') });
    const from = liveNorthbound({ remotes: one.remote });
    const to = liveNorthbound({ remotes: two.remote });
    try {
      const { path } = await takeBackup({
        snapshot: await takeSnapshot(from, signal),
        cluster: 'c',
        at: new Date(),
        to: { folder },
      });
      const order = {
        file: path,
        northbound: to,
        selection: { owners: undefined, tables: undefined, removeNew: false },
        signal,
      };
      await expect(viewRestore({ ...order, otherCluster: false })).rejects.toMatchObject({
        code: 'restore-refused',
      });
      const seen = await viewRestore({ ...order, otherCluster: true });
      expect(seen.plan.inserts.length).toBeGreaterThan(200);
      await applyRestore(seen, { northbound: to, cluster: 'c', folder, at: new Date(), signal });
      expect(
        (await viewRestore({ ...order, otherCluster: true })).difference.rows.map((row) => [
          row.is,
          row.table,
        ]),
      ).toEqual([
        ['missing', 'NB_Global'],
        ['new', 'NB_Global'],
      ]);
    } finally {
      await Promise.all([from.close(), to.close()]);
      await Promise.all([one.stop(), two.stop()]);
      rmSync(folder, { recursive: true });
    }
  });
});
