import { operation, type Operation } from '@ovn-steward/ovsdb';
import {
  attached,
  clone,
  otherValue,
  pictureOf,
  referring,
  rowsOf,
  takeAway,
} from '../testing/nb-picture';
import { outcomeText, refusedAs } from '../testing/outcome-text';
import {
  type ActionBench,
  NEW_UID,
  externalIds,
  on,
  type Running,
  STRANGER,
} from '../testing/running-action';
import type { Action, Prepared } from '../action-kit/action';

/** What every action that removes a row keeps, besides. */
export function describeRow(action: Action, bench: ActionBench): void {
  const { plant } = bench;
  const { kind, uid } = plant.target;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);

  it(
    'refuses when any column that people and controllers write changed meanwhile, of any row that would go',
    run(async ({ schema, northbound, peer, prepared, send }) => {
      const northds = ['up', 'dynamic_addresses', 'ipv6_prefix', 'status'];
      for (const key of plant.removes) {
        const [table, uuid] = key.split(' ') as [string, string];
        for (const column of schema.tables.get(table)!.columns.values()) {
          const was = (await rowsOf(northbound)).get(key)![column.name]!;
          const someRow =
            column.key.refTable &&
            [...(await rowsOf(northbound)).keys()]
              .find((it) => it.startsWith(`${column.key.refTable} `))
              ?.split(' ')[1];
          const other = otherValue(column, was, someRow);
          if (other === undefined || !column.mutable || northds.includes(column.name)) continue;
          const ready = await prepared();
          await peer([operation.update(table, operation.byUuid(uuid), { [column.name]: other })]);
          const before = await pictureOf(northbound);
          expect([column.name, await send(ready)]).toEqual([column.name, 'timed out']);
          expect(await pictureOf(northbound)).toEqual(before);
          await peer([operation.update(table, operation.byUuid(uuid), { [column.name]: was })]);
        }
      }
      expect(await send(await prepared())).toBe('committed');
    }),
  );

  it(
    'is not hindered by what northd writes',
    run(async ({ schema, peer, prepared, send }) => {
      const { columns } = schema.tables.get(kind)!;
      const written = ['up', 'dynamic_addresses', 'ipv6_prefix'].filter((it) => columns.has(it));
      const ready = await prepared();
      if (written.length > 0)
        await peer([
          operation.update(
            kind,
            operation.byUuid(uid),
            Object.fromEntries(written.map((it) => [it, it === 'up' ? false : 'other'])),
          ),
        ]);
      expect((await prepared()).version).toBe(ready.version);
      expect(await send(ready)).toBe('committed');
    }),
  );

  it(
    'does not touch another of the same name, made after it went',
    run(async ({ schema, northbound, peer, prepare, prepared, send }) => {
      const ready = await prepared();
      const made = clone(schema, kind, uid, await rowsOf(northbound), NEW_UID);
      await peer(removal(ready));
      await peer(made);
      const before = await pictureOf(northbound);
      expect(before.has(`${kind} ${NEW_UID}`)).toBe(true);
      expect(await send(ready)).toBe('timed out');
      expect(outcomeText(await prepare())).toMatch(refusedAs('gone'));
      expect(await pictureOf(northbound)).toEqual(before);
    }),
  );

  it(
    'refuses when another row holds it, before or since',
    run(async ({ schema, northbound, peer, refuses, prepared, send }) => {
      for (const { table, column } of referring(schema, kind, 'strong')) {
        const ready = await prepared();
        await peer(
          attached(
            schema,
            table,
            {
              [column]: operation.uuid(uid),
              external_ids: operation.map([['vendor', 'kube-ovn']]),
            },
            STRANGER,
          ),
        );
        const before = await pictureOf(northbound);
        expect(await send(ready)).toBe('timed out');
        expect(await pictureOf(northbound)).toEqual(before);
        await refuses('protected');
        await peer(takeAway(schema, table, STRANGER, await rowsOf(northbound)));
      }
    }),
  );

  it(
    'refuses when what it holds is held by another meanwhile',
    run(async ({ schema, northbound, peer, prepared, send }) => {
      for (const key of plant.removes.slice(1)) {
        const [table, uuid] = key.split(' ') as [string, string];
        for (const by of referring(schema, table, 'strong')) {
          const ready = await prepared();
          await peer(attached(schema, by.table, { [by.column]: operation.uuid(uuid) }, STRANGER));
          const before = await pictureOf(northbound);
          expect(await send(ready)).toBe('timed out');
          expect(await pictureOf(northbound)).toEqual(before);
          await peer(takeAway(schema, by.table, STRANGER, await rowsOf(northbound)));
        }
      }
    }),
  );

  it("keeps it when what it holds is somebody else's", async () => {
    for (const key of plant.removes.slice(1)) {
      const [table, uuid] = key.split(' ') as [string, string];
      await on(bench, action, async ({ peer, refuses }) => {
        await peer([externalIds(table, uuid, ['neutron:port_name', 'x'])]);
        await refuses('protected');
      });
    }
  });

  it("keeps it when what holds it is somebody else's, and refuses when that became so meanwhile", async () => {
    await on(bench, action, async ({ schema, northbound, peer, refuses, refusesAfter }) => {
      const holders = referring(schema, kind, 'strong');
      const found = [...(await rowsOf(northbound))].find(([key, row]) =>
        holders.some(
          (it) => key.startsWith(`${it.table} `) && JSON.stringify(row[it.column]).includes(uid),
        ),
      );
      if (found === undefined) return expect(schema.tables.get(kind)?.isRoot).toBe(true);
      const [table, uuid] = found[0].split(' ') as [string, string];
      await refusesAfter([externalIds(table, uuid, ['ovn-steward.dev/protect', 'x'])]);
      await refuses('protected');
      await peer([
        operation.mutate(table, operation.byUuid(uuid), [
          ['external_ids', 'delete', operation.set(['ovn-steward.dev/protect'])],
        ]),
        externalIds(table, uuid, ['neutron:network_name', 'x']),
      ]);
      await refuses('protected');
    });
  });
}

/** What it does once its guards hold. */
function removal({ effect }: Prepared): readonly Operation[] {
  if (effect.on !== 'ovn-nb') throw new Error('not for Northbound');
  return effect.operations.filter((it) => it.op === 'mutate' || it.op === 'delete');
}
