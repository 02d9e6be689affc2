import { operation } from '@ovn-steward/ovsdb';
import { attached, pictureOf, referring, rowsOf, takeAway, without } from '../testing/nb-picture';
import {
  type ActionBench,
  NEW_UID,
  externalIds,
  never,
  COMMENT,
  on,
  type Running,
  STRANGER,
} from '../testing/running-action';
import { outcomeText, refusedAs } from '../testing/outcome-text';
import { prepareUndo } from '../undo/undo';
import type { Action } from '../action-kit/action';
import { describeEntry } from './entry-removal.contract';
import { describeRow } from './row-removal.contract';
import { describeRowUndo } from './row-undo.contract';
import { describeTomorrow } from './tomorrows-schema.contract';

/** What every action on Northbound rows keeps, on whatever Northbound. */
export function describeAction(action: Action, bench: ActionBench): void {
  const { plant } = bench;
  const { kind, uid, part } = plant.target;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);

  describe(`${action.id}`, () => {
    it(
      'prepares without writing, and says the same of the same',
      run(async ({ northbound, prepared }) => {
        const before = await pictureOf(northbound);
        const ready = await prepared();
        expect(await prepared()).toEqual(ready);
        expect(ready.version).toMatch(/^[0-9a-f]{64}$/);
        expect(JSON.parse(JSON.stringify(ready.undo))).toEqual(ready.undo);
        expect(await pictureOf(northbound)).toEqual(before);
      }),
    );

    it(
      'records in the database by what key, rule and finding',
      run(async ({ prepared }) => {
        const { effect } = await prepared();
        expect(effect.on === 'ovn-nb' && effect.operations.at(-1)).toMatchObject({
          op: 'comment',
          comment: expect.stringMatching(/the-key.*some-rule.*some-finding/),
        });
      }),
    );

    it(
      'removes what it is to remove, and nothing else in the whole database',
      run(async ({ northbound, schema, prepared, send }) => {
        const before = await pictureOf(northbound);
        expect(await send(await prepared())).toBe('committed');
        const after = await pictureOf(northbound);
        if (part === undefined)
          return expect(after).toEqual(without(before, plant.removes, schema));
        const row = before.get(`${kind} ${uid}`)!;
        const left = row[part.column]!.filter((it) => !it.includes(JSON.stringify(part.key)));
        expect(left).toHaveLength(row[part.column]!.length - 1);
        expect(after).toEqual(
          new Map([...before, [`${kind} ${uid}`, { ...row, [part.column]: left }]]),
        );
      }),
    );

    it(
      'done twice is done once',
      run(async ({ northbound, prepared, prepare, send }) => {
        const ready = await prepared();
        expect(await send(ready)).toBe('committed');
        const after = await pictureOf(northbound);
        expect(await send(ready)).toBe('timed out');
        expect(outcomeText(await prepare())).toMatch(refusedAs('gone'));
        expect(await pictureOf(northbound)).toEqual(after);
      }),
    );

    it(
      'whose reply is lost is seen to be done',
      run(async ({ northbound, loseReply, prepared, prepare, send }) => {
        if (loseReply === undefined) return;
        const ready = await prepared();
        loseReply();
        await expect(send(ready)).rejects.toMatchObject({ code: 'outcome-unknown' });
        const after = await pictureOf(northbound);
        expect(outcomeText(await prepare())).toMatch(refusedAs('gone'));
        expect(await send(ready)).toBe('timed out');
        expect(await pictureOf(northbound)).toEqual(after);
      }),
    );

    it(
      'refuses a target of another kind, another source, another shape or no uuid',
      run(async ({ northbound, prepare }) => {
        const before = await pictureOf(northbound);
        const { part: _, ...whole } = plant.target;
        for (const target of [
          { ...plant.target, kind: 'NB_Global' },
          { ...plant.target, source: 'kubernetes' as const },
          { ...plant.target, uid: 'nonsense' },
          part === undefined
            ? { ...plant.target, part: { column: 'external_ids', key: 'vendor' } }
            : whole,
        ])
          expect(outcomeText(await prepare(target))).toMatch(refusedAs('unsupported'));
        expect(outcomeText(await prepare({ ...plant.target, uid: NEW_UID }))).toMatch(
          refusedAs('gone'),
        );
        expect(outcomeText(await prepare({ ...plant.target, name: 'another' }))).toMatch(
          refusedAs('changed'),
        );
        expect(await pictureOf(northbound)).toEqual(before);
      }),
    );

    it.each([
      ["a person's", 'ovn-steward.dev/protect'],
      ["Neutron's", 'neutron:router_name'],
      ['an unknown', 'somebody'],
    ])('keeps a row with %s key, whether it was there before or came after', async (_, key) => {
      await on(bench, action, async ({ peer, refuses }) => {
        await peer([externalIds(kind, uid, [key, 'x'])]);
        await refuses('protected');
      });
      await on(bench, action, ({ refusesAfter }) =>
        refusesAfter([externalIds(kind, uid, [key, 'x'])]),
      );
    });

    it(
      'undone leaves every column of every row as it was; and undone twice is undone once',
      run(async ({ northbound, systems, prepared, send }) => {
        const before = await pictureOf(northbound);
        const ready = await prepared();
        expect(action.restores(bench.plant.target, ready.undo)).toBeUndefined();
        await send(ready);
        const plan = await prepareUndo(ready.undo, COMMENT, systems, never);
        if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
        expect(await send(plan)).toBe('committed');
        expect(await pictureOf(northbound)).toEqual(before);
        expect(await prepareUndo(ready.undo, COMMENT, systems, never)).toMatchObject({
          is: 'back',
        });
        expect(await send(plan)).not.toBe('committed');
        expect(await pictureOf(northbound)).toEqual(before);
        // What came back can be removed again: it is the same to us.
        expect(await prepared()).toEqual(ready);
      }),
    );

    describeWeakReferrers(action, bench);
    if (part !== undefined) return describeEntry(action, bench);
    describeRow(action, bench);
    describeTomorrow(action, bench);
    describeRowUndo(action, bench);
  });
}

function describeWeakReferrers(action: Action, bench: ActionBench): void {
  const { plant } = bench;
  const { kind, uid } = plant.target;

  it("refuses when a row begins to refer to it meanwhile, and keeps it when that is not Kube-OVN's", async () => {
    await on(bench, action, async ({ schema, northbound, peer, refuses, prepared, send }) => {
      for (const { table, column } of referring(schema, kind, 'weak')) {
        const ready = await prepared();
        await peer(attached(schema, table, { [column]: operation.uuid(uid) }, STRANGER));
        const before = await pictureOf(northbound);
        expect(await send(ready)).toBe('timed out');
        expect(await pictureOf(northbound)).toEqual(before);
        await refuses('protected');
        await peer([
          operation.update(table, operation.byUuid(STRANGER), { [column]: operation.set([]) }),
        ]);
        await peer(takeAway(schema, table, STRANGER, await rowsOf(northbound)));
      }
    });
  });

  it('refuses when a row that referred to it does so no more', async () => {
    await on(bench, action, async ({ schema, northbound, peer, prepared, send }) => {
      let tried = 0;
      const places = referring(schema, kind, 'weak');
      for (const { table, column } of places) {
        for (const [key, row] of await rowsOf(northbound)) {
          if (!key.startsWith(`${table} `) || !JSON.stringify(row[column]).includes(uid)) continue;
          const ready = await prepared();
          await peer([
            operation.mutate(table, operation.byUuid(key.slice(table.length + 1)), [
              [column, 'delete', operation.uuid(uid)],
            ]),
          ]);
          const before = await pictureOf(northbound);
          expect(await send(ready)).toBe('timed out');
          expect(await pictureOf(northbound)).toEqual(before);
          tried += 1;
        }
      }
      const isReferred = places.length > 0 && plant.notReferred === undefined;
      expect([kind, 'plant: some row refers to it, or notReferred', tried > 0]).toEqual([
        kind,
        'plant: some row refers to it, or notReferred',
        isReferred,
      ]);
    });
  });
}
