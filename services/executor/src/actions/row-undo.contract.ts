import { operation } from '@ovn-steward/ovsdb';
import { clone, pictureOf, rowsOf, takeAway } from '../testing/nb-picture';
import { GROUND } from '../testing/plants';
import {
  type ActionBench,
  NEW_UID,
  never,
  COMMENT,
  on,
  type Running,
} from '../testing/running-action';
import { prepareUndo } from '../undo/undo';
import type { Action } from '../action-kit/action';

/** What undoing every action that removes a row keeps, besides. */
export function describeRowUndo(action: Action, bench: ActionBench): void {
  const { kind, uid } = bench.plant.target;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);

  it(
    'cannot be undone once another has its place, and is refused when that came since',
    run(async ({ schema, northbound, systems, peer, prepared, send }) => {
      const made = clone(schema, kind, uid, await rowsOf(northbound), NEW_UID);
      const ready = await prepared();
      await send(ready);
      const plan = await prepareUndo(ready.undo, COMMENT, systems, never);
      if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
      expect(plan.losses.slice(0, action.losses?.length)).toEqual(action.losses);
      await peer(made);
      const before = await pictureOf(northbound);
      expect(before.has(`${kind} ${NEW_UID}`)).toBe(true);
      // An address set of the same name has its place; HA groups and the like are all found by an
      // index.
      expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining(NEW_UID),
      });
      expect(await send(plan)).not.toBe('committed');
      expect(await pictureOf(northbound)).toEqual(before);
    }),
  );

  it(
    'cannot be undone without the row that held it, or when that has another name',
    run(async ({ schema, northbound, systems, peer, prepared, send }) => {
      if (schema.tables.get(kind)?.isRoot === true) return;
      const ready = await prepared();
      await send(ready);
      const plan = await prepareUndo(ready.undo, COMMENT, systems, never);
      if (plan.is !== 'ready' || ready.undo.of !== 'rows') throw new Error(JSON.stringify(plan));
      const holder = ready.undo.links.find((it) => it.strength === 'strong')!;
      await peer([
        operation.update(holder.table, operation.byUuid(holder.uuid), { name: 'renamed' }),
      ]);
      const before = await pictureOf(northbound);
      expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining('renamed'),
      });
      expect(await send(plan)).toBe('timed out');
      expect(await pictureOf(northbound)).toEqual(before);
      await peer(takeAway(schema, holder.table, holder.uuid, await rowsOf(northbound)));
      expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining('is gone'),
      });
    }),
  );

  it(
    'is undone without those who referred to it and went, and says so',
    run(async ({ northbound, systems, peer, prepared, send }) => {
      const ready = await prepared();
      if (ready.undo.of !== 'rows') throw new Error(ready.undo.of);
      const weak = ready.undo.links.find(
        (link) =>
          link.strength === 'weak' &&
          link.uuid !== GROUND.switch &&
          link.uuid !== GROUND.router &&
          link.uuid !== GROUND.neighbour,
      );
      if (weak === undefined) return;
      await send(ready);
      const schema = await northbound.schema(never);
      await peer(takeAway(schema, weak.table, weak.uuid, await rowsOf(northbound)));
      const plan = await prepareUndo(ready.undo, COMMENT, systems, never);
      if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
      expect(plan.losses).toContainEqual(
        expect.stringMatching(new RegExp(`${weak.table} .* is gone$`)),
      );
      expect(await send(plan)).toBe('committed');
    }),
  );
}
