import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { equal, operation as op, type Operation, type Replica } from '@ovn-steward/ovsdb';
import { rowKey } from '@ovn-steward/systems/northbound/row-key';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { desiredValue } from './difference';
import { isSelected } from './draft';
import { takeSnapshot } from './snapshot';
import { referenceColumns } from './references';
import { applyRestore, type RestoreView, viewRestore } from './restore';
import { takeBackup } from './take-backup';

const signal = new AbortController().signal;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restored-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * What another writer does to the `nth` row of a table; what the database refuses does not happen.
 */
interface Edit {
  readonly what: 'delete' | 'unlink' | 'change' | 'rename' | 'duplicate' | 'create' | 'move';
  readonly table: string;
  readonly nth: number;
}

const TABLES = [
  'Logical_Switch',
  'Logical_Switch_Port',
  'Logical_Router',
  'Logical_Router_Port',
  'Logical_Router_Static_Route',
  'Logical_Router_Policy',
  'NAT',
  'ACL',
  'Port_Group',
  'Address_Set',
  'Load_Balancer',
  'DHCP_Options',
  'HA_Chassis_Group',
  'Meter',
  'Load_Balancer_Group',
  'QoS',
  'DNS',
  'Gateway_Chassis',
];

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    what: fc.constantFrom(
      'delete',
      'delete',
      'unlink',
      'change',
      'rename',
      'duplicate',
      'create',
      'move',
    ),
    table: fc.constantFrom(...TABLES),
    nth: fc.nat(200),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Ports of everybody's go: whatever chance brings, each selection has something to put back. */
const PORTS_GO: readonly Edit[] = Array.from({ length: 20 }, (_, n) => ({
  what: 'delete',
  table: 'Logical_Switch_Port',
  nth: 7 * n,
}));

/**
 * Neutron recreated a port, and the row that it refers to is gone: it is compared under its new
 * uuid.
 */
const MADE_ANEW: readonly Edit[] = [
  { what: 'duplicate', table: 'Logical_Switch_Port', nth: 0 },
  { what: 'delete', table: 'DHCP_Options', nth: 0 },
];

let made = 0;
const newUuid = (): string => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;

/** The row that holds the one, and by which column. */
function holderOf(
  northbound: MemoryNorthbound,
  table: string,
  uuid: string,
): { readonly table: string; readonly uuid: string; readonly column: string } | undefined {
  for (const [name, columns] of referenceColumns(northbound.database.schema)) {
    for (const { column, to, strength } of columns) {
      if (to !== table || strength !== 'strong' || column.kind !== 'set') continue;
      for (const [holder, row] of northbound.database.rows(name))
        if (JSON.stringify(row[column.name]).includes(uuid))
          return { table: name, uuid: holder, column: column.name };
    }
  }
  return undefined;
}

function operationsOf(northbound: MemoryNorthbound, { what, table, nth }: Edit): Operation[] {
  const rows = [...northbound.database.rows(table)];
  const [uuid, row] = rows[nth % Math.max(1, rows.length)] ?? ['', {}];
  if (uuid === '') return [];
  const holder = holderOf(northbound, table, uuid);
  const unlink = holder
    ? [op.mutate(holder.table, op.byUuid(holder.uuid), [[holder.column, 'delete', op.uuid(uuid)]])]
    : [];
  const fresh = newUuid();
  const link = holder
    ? [op.mutate(holder.table, op.byUuid(holder.uuid), [[holder.column, 'insert', op.uuid(fresh)]])]
    : [];
  switch (what) {
    case 'delete':
      return [...unlink, op.remove(table, op.byUuid(uuid))];
    case 'unlink':
      return unlink;
    case 'change':
      return [
        op.mutate(table, op.byUuid(uuid), [
          ['external_ids', 'insert', op.map([['edited', String(nth)]])],
        ]),
      ];
    case 'rename':
      return [op.update(table, op.byUuid(uuid), { name: `renamed-${nth}` })];
    case 'duplicate':
      return [
        ...unlink,
        op.remove(table, op.byUuid(uuid)),
        op.insert(table, row as never, fresh),
        ...link,
      ];
    case 'create':
      return [op.insert(table, { name: `new-${fresh}` }, fresh), ...link];
    case 'move': {
      const others = holder ? [...northbound.database.rows(holder.table).keys()] : [];
      const other = others[nth % Math.max(1, others.length)];
      return holder && other !== undefined
        ? [
            ...unlink,
            op.mutate(holder.table, op.byUuid(other), [[holder.column, 'insert', op.uuid(uuid)]]),
          ]
        : [];
    }
  }
}

/**
 * The row's columns as a plan says they become, or as they were; what northd writes is left out.
 */
function becomes({ plan, snapshot }: RestoreView, after: Replica): string[] {
  const wrong: string[] = [];
  const planned = new Map(
    [...plan.inserts, ...plan.updates].map((it) => [rowKey(it.table, it.uuid), it.columns]),
  );
  const removed = new Set(plan.removals.map((it) => rowKey(it.table, it.uuid)));
  const before = snapshot.replica;
  for (const table of after.schema.tables.keys()) {
    for (const row of after.rows(table)) {
      const key = rowKey(table, row.uuid);
      const columns = planned.get(key);
      const old = before.get(table, row.uuid);
      if (removed.has(key)) wrong.push(`${key} was to be removed`);
      if (!old && !columns) wrong.push(`${key} came from nowhere`);
      for (const [{ name }, value] of row.columns()) {
        if (
          columns?.has(name)
            ? !equal(value, columns.get(name))
            : old && !equal(value, old.get(name)) && !lostOnlyRemoved(value, old.get(name), removed)
        )
          wrong.push(`${key} ${name}`);
      }
    }
    for (const row of before.rows(table))
      if (
        !after.get(table, row.uuid) &&
        !removed.has(rowKey(table, row.uuid)) &&
        !goesWith(before, removed, table, row.uuid)
      )
        wrong.push(`${rowKey(table, row.uuid)} went`);
  }
  for (const key of planned.keys())
    if (!after.get(...(key.split(' ') as [string, string]))) wrong.push(`${key} is not there`);
  return wrong;
}

/** A weak reference to a removed row goes by itself. */
const lostOnlyRemoved = (now: unknown, then: unknown, removed: ReadonlySet<string>): boolean => {
  const gone = new Set([...removed].map((it) => it.split(' ')[1]));
  const without = (value: unknown): string =>
    JSON.stringify(
      value instanceof Set ? [...value].filter((it) => !gone.has(it as string)).sort() : value,
    );
  return without(now) === without(then);
};

/** Removed rows take their parts along. */
const goesWith = (
  before: Replica,
  removed: ReadonlySet<string>,
  table: string,
  uuid: string,
): boolean =>
  [...removed].some((key) => {
    const row = before.get(...(key.split(' ') as [string, string]));
    return (
      row !== undefined &&
      [...row.columns()].some(
        ([column, value]) =>
          column.key.refTable === table &&
          (value instanceof Set ? value.has(uuid) : value === uuid),
      )
    );
  });

/**
 * Selected rows that are neither as in the backup, under new uuids where they were recreated, nor
 * named as an exception.
 */
function unaccounted({ pair, plan, difference, selection }: RestoreView, after: Replica): string[] {
  const excused = new Set([...plan.leftOut, ...plan.losses].map((it) => rowKey(it.table, it.uuid)));
  return difference.rows
    .filter(
      (it) =>
        it.is !== 'new' && isSelected(it, selection) && !excused.has(rowKey(it.table, it.uuid)),
    )
    .flatMap(({ table, uuid, ownerBefore }) => {
      const then = pair.backup.get(table, uuid);
      const now = after.get(table, uuid);
      if (!then || !now) return [`${table} ${uuid} is not back`];
      if (ownerBefore !== undefined && selection.owners) return [];
      return [...then.columns()]
        .filter(
          ([column]) =>
            column.key.refTable === undefined &&
            !equal(desiredValue(then, now, column, selection.tables), now.get(column.name)),
        )
        .map(([{ name }]) => `${table} ${uuid} ${name}`);
    });
}

describe('restoring after random edits', () => {
  it.each([
    ['everything', { owners: undefined, tables: undefined, removeNew: false }],
    [
      'everything, and removing what is new',
      { owners: undefined, tables: undefined, removeNew: true },
    ],
    ['Neutron’s rows', { owners: new Set(['neutron']), tables: undefined, removeNew: false }],
    [
      'Kube-OVN’s rows, and removing what is new of theirs',
      { owners: new Set(['kube-ovn']), tables: undefined, removeNew: true },
    ],
    [
      'ports and groups',
      {
        owners: undefined,
        tables: new Set(['Logical_Switch_Port', 'Port_Group']),
        removeNew: false,
      },
    ],
  ])(
    '%s: what was shown happens, and nothing else; what does not come back was named',
    async (_, selection) => {
      let written = 0;
      await fc.assert(
        fc.asyncProperty(edits, async (list) => {
          const northbound = await recordedNorthbound('shared-neutron');
          const at = join(folder, String((made += 1)));
          const { path } = await takeBackup({
            snapshot: await takeSnapshot(northbound, signal),
            cluster: 'c',
            at: new Date(),
            to: { folder: at },
          });
          for (const edit of list) northbound.database.transact(operationsOf(northbound, edit));
          const view = await viewRestore({
            file: path,
            northbound,
            selection,
            otherCluster: false,
            signal,
          });
          const { moved } = await applyRestore(view, {
            northbound,
            cluster: 'c',
            folder: join(at, 'after'),
            at: new Date(),
            signal,
          });
          const { replica } = await takeSnapshot(northbound, signal);
          expect({
            moved,
            becomes: becomes(view, replica),
            unaccounted: unaccounted(view, replica),
          }).toEqual({ moved: [], becomes: [], unaccounted: [] });
          written += view.plan.inserts.length;
          await rm(at, { recursive: true });
        }),
        { numRuns: 20, examples: [[[...PORTS_GO]], [[...MADE_ANEW]]] },
      );
      expect(written).toBeGreaterThan(0);
    },
  );
});
