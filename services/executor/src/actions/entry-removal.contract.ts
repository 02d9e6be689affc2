import { isUuid, operation } from '@ovn-steward/ovsdb';
import { pictureOf } from '../testing/nb-picture';
import { type ActionBench, never, COMMENT, on, type Running } from '../testing/running-action';
import { prepareUndo } from '../undo/undo';
import type { Action } from '../action-kit/action';

/** What every action that takes an entry out of a column keeps, and its undo. */
export function describeEntry(action: Action, bench: ActionBench): void {
  const { kind, uid, part } = bench.plant.target;
  const { column, key } = part!;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);
  const at = operation.byUuid(uid);
  const isMap = !isUuid(key); // what a set refers to
  const entryTaken = operation.mutate(kind, at, [
    [column, 'delete', isMap ? operation.set([key]) : operation.uuid(key)],
  ]);

  it(
    'refuses when the entry went meanwhile',
    run(({ refusesAfter }) => refusesAfter([entryTaken])),
  );
  it(
    'refuses when the row got another name meanwhile',
    run(({ refusesAfter }) => refusesAfter([operation.update(kind, at, { name: 'another' })])),
  );

  if (isMap) {
    it(
      'refuses when the entry says something else meanwhile',
      run(({ refusesAfter }) =>
        refusesAfter([
          entryTaken,
          operation.mutate(kind, at, [[column, 'insert', operation.map([[key, 'another']])]]),
        ]),
      ),
    );
    it(
      'cannot be undone once the key says something else, and is refused when that came since',
      run(async ({ northbound, systems, peer, prepared, send }) => {
        const ready = await prepared();
        await send(ready);
        const plan = await prepareUndo(ready.undo, COMMENT, systems, never);
        if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
        await peer([
          operation.mutate(kind, at, [[column, 'insert', operation.map([[key, 'another']])]]),
        ]);
        const before = await pictureOf(northbound);
        expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
          is: 'impossible',
          reason: expect.stringContaining('another'),
        });
        expect(await send(plan)).toBe('timed out');
        expect(await pictureOf(northbound)).toEqual(before);
      }),
    );
  }

  it(
    'is not hindered by the entries beside it',
    run(async ({ peer, prepared, send }) => {
      const ready = await prepared();
      if (isMap)
        await peer([
          operation.mutate(kind, at, [
            [column, 'insert', operation.map([['192.0.2.1:1', 'beside']])],
          ]),
        ]);
      expect(await send(ready)).toBe('committed');
    }),
  );

  it(
    'cannot be undone in a row that is gone or has another name',
    run(async ({ systems, peer, prepared, send }) => {
      const ready = await prepared();
      await send(ready);
      const plan = await prepareUndo(ready.undo, COMMENT, systems, never);
      if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
      await peer([operation.update(kind, at, { name: 'another' })]);
      expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining('another'),
      });
      expect(await send(plan)).toBe('timed out');
      await peer([operation.remove(kind, at)]);
      expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
        is: 'impossible',
        reason: expect.stringContaining('not there'),
      });
    }),
  );
}
