import { type DatabaseSchema, type Json, operation, parseSchema } from '@ovn-steward/ovsdb';
import { pictureOf, referring } from '../testing/nb-picture';
import { type ActionBench, never, on, STRANGER } from '../testing/running-action';
import type { Action, Refusal } from '../action-kit/action';
import { isNamedInTexts, namesKnown } from '../action-kit/text-columns';

/** What every action that removes a row keeps under a schema this version does not know. */
export function describeTomorrow(action: Action, bench: ActionBench): void {
  const { kind, uid, name } = bench.plant.target;

  describe('under a schema of tomorrow', () => {
    const strength = (refType: 'strong' | 'weak') => ({
      key: { type: 'uuid', refTable: kind, refType },
      min: 0,
      max: 'unlimited',
    });
    const tomorrow = async (
      columns: object,
      ownColumns: object = {},
      of = kind,
    ): Promise<DatabaseSchema> => {
      const bed = await bench.start();
      const { json } = await bed.northbound.schema(never);
      await bed.close();
      const copy = structuredClone(json) as {
        version: string;
        cksum?: string;
        tables: Record<string, { columns: object }>;
      };
      copy.version = '99.0.0';
      delete copy.cksum;
      copy.tables['Tomorrow'] = {
        columns: { kept: { type: { key: 'string', min: 0 } }, ...columns },
        isRoot: true,
      } as { columns: object };
      Object.assign(copy.tables[of]!.columns, ownColumns);
      return parseSchema(copy);
    };
    const refusing = async (
      columns: object,
      row: Readonly<Record<string, Json>>,
      code: Refusal['code'] = 'protected',
    ): Promise<void> => {
      const schema = await tomorrow(columns);
      await on(
        bench,
        action,
        async ({ refusesAfter, refuses }) => {
          await refusesAfter([operation.insert('Tomorrow', row, STRANGER)]);
          await refuses(code);
        },
        schema,
      );
    };

    it('goes on while nothing new says anything', async () => {
      const schema = await tomorrow(
        {
          strong: { type: strength('strong') },
          weak: { type: strength('weak') },
          text: { type: 'string' },
        },
        { news: { type: 'string' } },
      );
      await on(
        bench,
        action,
        async ({ peer, prepared, send }) => {
          await peer([operation.insert('Tomorrow', { text: 'nobody' }, STRANGER)]);
          expect(await send(await prepared())).toBe('committed');
        },
        schema,
      );
    });
    it('reads a new table that holds it', () =>
      refusing({ strong: { type: strength('strong') } }, { strong: operation.uuid(uid) }));
    it('reads a new table that refers to it', () =>
      refusing({ weak: { type: strength('weak') } }, { weak: operation.uuid(uid) }));
    it('refuses where a map may refer to it', async () => {
      const schema = await tomorrow({
        places: {
          type: {
            key: 'string',
            value: { type: 'uuid', refTable: kind },
            min: 0,
            max: 'unlimited',
          },
        },
      });
      await on(bench, action, ({ refuses }) => refuses('unsupported'), schema);
    });
    it('keeps a row that fills a column it does not know', async () => {
      const schema = await tomorrow({}, { news: { type: 'string' } });
      await on(
        bench,
        action,
        async ({ refusesAfter, refuses }) => {
          await refusesAfter([
            operation.update(kind, operation.byUuid(uid), { news: 'something' }),
          ]);
          await refuses('protected');
        },
        schema,
      );
    });
    it('keeps a row whose holder refers to somebody by a column it does not know', async () => {
      const holder = await holderOf(action, bench);
      if (holder === undefined) return;
      const news = {
        type: { key: { type: 'uuid', refTable: 'DNS', refType: 'weak' }, min: 0, max: 'unlimited' },
      };
      await on(
        bench,
        action,
        async ({ peer, prepared, refuses }) => {
          await prepared();
          await peer([
            operation.insert('DNS', {}, STRANGER),
            operation.update(holder.table, operation.byUuid(holder.uuid), {
              news: operation.uuid(STRANGER),
            }),
          ]);
          await refuses('protected');
        },
        await tomorrow({}, { news }, holder.table),
      );
    });
    if (name !== '')
      it('has a table of which NAMING (action-kit/text-columns.ts) knows what names its rows', () =>
        expect(namesKnown(kind)).toBe(true));
    if (name !== '' && isNamedInTexts(kind)) {
      it('reads a text that may be its name', () =>
        refusing({ text: { type: 'string' } }, { text: name }, 'in-use'));
      it('reads a text in a new map that may be its name', async () => {
        const schema = await tomorrow({
          texts: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } },
        });
        await on(
          bench,
          action,
          async ({ peer, refuses }) => {
            await peer([
              operation.insert('Tomorrow', { texts: operation.map([['x', name]]) }, STRANGER),
            ]);
            await refuses('in-use');
          },
          schema,
        );
      });
    }
  });
}

interface Holder {
  readonly table: string;
  readonly uuid: string;
}

/** The row that holds the target; undefined for a target of a root table. */
async function holderOf(action: Action, bench: ActionBench): Promise<Holder | undefined> {
  const { kind, uid } = bench.plant.target;
  let found: Holder | undefined;
  await on(bench, action, async ({ schema, northbound }) => {
    const holders = referring(schema, kind, 'strong');
    for (const [key, row] of await pictureOf(northbound)) {
      const [table = '', uuid = ''] = key.split(' ');
      const holds = holders.some(
        (it) => it.table === table && row[it.column]!.some((each) => each.includes(uid)),
      );
      if (holds) found = { table, uuid };
    }
    expect([kind, 'held', found !== undefined]).toEqual([
      kind,
      'held',
      schema.tables.get(kind)?.isRoot !== true,
    ]);
  });
  return found;
}
