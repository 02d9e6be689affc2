import { type DatabaseSchema, type Json, operation, type Operation, parseSchema } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/shared/events/reference';
import type { Northbound } from '../northbound/northbound';
import type { Systems } from '../systems';
import { memoryKubernetes } from '../testing/memory-kubernetes';
import { attached, clone, otherValue, pictureOf, rowsOf, without } from '../testing/nb-picture';
import { ground, GROUND, type Plant } from '../testing/plants';
import { prepareUndo } from '../undo/undo';
import type { Action, Note, Prepared } from './action';

/** A Northbound to act on, and somebody else who writes to it. */
export interface ActionBed {
  readonly northbound: Northbound;
  /** As somebody else: committed, or the test fails. */
  peer(operations: readonly Operation[]): Promise<void>;
  /** The next write is committed and its reply lost. Absent where that cannot be arranged. */
  readonly loseReply?: () => void;
  close(): Promise<void>;
}

export interface ActionBench {
  readonly plant: Plant;
  /** With a recording of a shared Northbound, or empty with this schema. */
  start(schema?: DatabaseSchema): Promise<ActionBed>;
}

const never = new AbortController().signal;
const NOTE: Note = { action: 'the-key', rule: 'some-rule', finding: 'some-finding' };
const STRANGER = '00000000-0000-4000-8000-000000000abc';
const ANEW = '00000000-0000-4000-8000-000000000def';

interface Running extends ActionBed {
  readonly systems: Systems;
  readonly schema: DatabaseSchema;
  prepare(target?: Reference): ReturnType<Action['prepare']>;
  prepared(): Promise<Prepared>;
  /** Sends it: whether it was committed. */
  send(prepared: { readonly effect: Prepared['effect'] }): Promise<string>;
  refuses(code: string): Promise<void>;
  /** What a peer does between prepare and write makes the write a refusal that changes nothing. */
  refusesAfter(operations: readonly Operation[]): Promise<void>;
}

/** Starts, plants, runs, closes. */
async function on({ plant, start }: ActionBench, action: Action, body: (it: Running) => Promise<void>, schema?: DatabaseSchema): Promise<void> {
  const bed = await start(schema);
  try {
    await bed.northbound.takeOver(never);
    await bed.peer([...ground, ...plant.operations]);
    const systems: Systems = { northbound: bed.northbound, kubernetes: memoryKubernetes() };
    const prepare: Running['prepare'] = (target = plant.target) => action.prepare(target, NOTE, systems, never);
    const prepared = async (): Promise<Prepared> => {
      const it = await prepare();
      if (it.is === 'refused') throw new Error(`${it.code}: ${it.reason}`);
      return it;
    };
    const send: Running['send'] = async ({ effect }) => {
      if (effect.on !== 'ovn-nb') throw new Error('not for Northbound');
      const answer = await bed.northbound.write(effect.operations, never);
      return answer.is === 'committed' ? 'committed' : answer.error;
    };
    await body({
      ...bed, systems, schema: await bed.northbound.schema(never), prepare, prepared, send,
      async refuses(code) {
        const before = await pictureOf(bed.northbound);
        expect(await prepare()).toMatchObject({ is: 'refused', code });
        expect(await pictureOf(bed.northbound)).toEqual(before);
      },
      async refusesAfter(operations) {
        const ready = await prepared();
        await bed.peer(operations);
        const before = await pictureOf(bed.northbound);
        expect(await send(ready)).toBe('timed out');
        expect(await pictureOf(bed.northbound)).toEqual(before);
      },
    });
  } finally {
    await bed.close();
  }
}

const externalIds = (kind: string, uid: string, ...pairs: readonly (readonly [string, string])[]): Operation => operation.mutate(kind, operation.byUuid(uid), [['external_ids', 'insert', operation.map(pairs)]]);

/** What every action on Northbound rows keeps, on whatever Northbound. */
export function describeAction(action: Action, bench: ActionBench): void {
  const { plant } = bench;
  const { kind, uid, part } = plant.target;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);

  describe(`${action.id}`, () => {
    it('prepares without writing, and says the same of the same', run(async ({ northbound, prepared }) => {
      const before = await pictureOf(northbound);
      const ready = await prepared();
      expect(await prepared()).toEqual(ready);
      expect(ready.version).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.parse(JSON.stringify(ready.undo))).toEqual(ready.undo);
      expect(await pictureOf(northbound)).toEqual(before);
    }));

    it('notes in the database by what key, rule and finding', run(async ({ prepared }) => {
      const { effect } = await prepared();
      expect(effect.on === 'ovn-nb' && effect.operations.at(-1)).toMatchObject({ op: 'comment', comment: expect.stringMatching(/the-key.*some-rule.*some-finding/) });
    }));

    it('removes what it is to remove, and nothing else in the whole database', run(async ({ northbound, schema, prepared, send }) => {
      const before = await pictureOf(northbound);
      expect(await send(await prepared())).toBe('committed');
      const after = await pictureOf(northbound);
      if (part === undefined) return expect(after).toEqual(without(before, plant.goes, schema));
      const row = before.get(`${kind} ${uid}`)!;
      const left = row[part.column]!.filter((it) => !it.includes(JSON.stringify(part.key)));
      expect(left).toHaveLength(row[part.column]!.length - 1);
      expect(after).toEqual(new Map([...before, [`${kind} ${uid}`, { ...row, [part.column]: left }]]));
    }));

    it('done twice is done once', run(async ({ northbound, prepared, prepare, send }) => {
      const ready = await prepared();
      expect(await send(ready)).toBe('committed');
      const after = await pictureOf(northbound);
      expect(await send(ready)).toBe('timed out');
      expect(await prepare()).toMatchObject({ is: 'refused', code: 'gone' });
      expect(await pictureOf(northbound)).toEqual(after);
    }));

    it('whose reply is lost is seen to be done', run(async ({ northbound, loseReply, prepared, prepare, send }) => {
      if (loseReply === undefined) return;
      const ready = await prepared();
      loseReply();
      await expect(send(ready)).rejects.toMatchObject({ code: 'outcome-unknown' });
      const after = await pictureOf(northbound);
      expect(await prepare()).toMatchObject({ is: 'refused', code: 'gone' });
      expect(await send(ready)).toBe('timed out');
      expect(await pictureOf(northbound)).toEqual(after);
    }));

    it('refuses a target of another kind, another source, another shape or no uuid', run(async ({ northbound, prepare }) => {
      const before = await pictureOf(northbound);
      const { part: _, ...whole } = plant.target;
      for (const target of [
        { ...plant.target, kind: 'Logical_Switch' }, { ...plant.target, source: 'kubernetes' as const }, { ...plant.target, uid: 'nonsense' },
        part === undefined ? { ...plant.target, part: { column: 'external_ids', key: 'vendor' } } : whole,
      ]) expect(await prepare(target)).toMatchObject({ is: 'refused', code: 'unsupported' });
      expect(await prepare({ ...plant.target, uid: ANEW })).toMatchObject({ is: 'refused', code: 'gone' });
      expect(await prepare({ ...plant.target, name: 'another' })).toMatchObject({ is: 'refused', code: 'changed' });
      expect(await pictureOf(northbound)).toEqual(before);
    }));

    it.each([['a person\'s', 'ovn-steward.dev/protect'], ['Neutron\'s', 'neutron:router_name'], ['an unknown', 'somebody']])('keeps a row with %s key, whether it was there before or came after', async (_, key) => {
      await on(bench, action, async ({ peer, refuses }) => {
        await peer([externalIds(kind, uid, [key, 'x'])]);
        await refuses('protected');
      });
      await on(bench, action, ({ refusesAfter }) => refusesAfter([externalIds(kind, uid, [key, 'x'])]));
    });

    it('undone leaves every column of every row as it was; and undone twice is undone once', run(async ({ northbound, systems, prepared, send }) => {
      const before = await pictureOf(northbound);
      const ready = await prepared();
      await send(ready);
      const plan = await prepareUndo(ready.undo, NOTE, systems, never);
      if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
      expect(await send(plan)).toBe('committed');
      expect(await pictureOf(northbound)).toEqual(before);
      expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'back' });
      expect(await send(plan)).not.toBe('committed');
      expect(await pictureOf(northbound)).toEqual(before);
      // What came back can be removed again: it is the same to us.
      expect(await prepared()).toEqual(ready);
    }));

    describeWeakReferrers(action, bench);
    if (part === undefined) describeRow(action, bench);
    else describeEntry(action, bench);
  });
}

/** Whoever may refer to the row, by the schema. */
const referring = (schema: DatabaseSchema, to: string, strength: 'strong' | 'weak') =>
  [...schema.tables.values()].flatMap((table) => [...table.columns.values()].filter((it) => it.key.refTable === to && it.key.refType === strength).map((column) => ({ table: table.name, column: column.name })));

function describeWeakReferrers(action: Action, bench: ActionBench): void {
  const { kind, uid } = bench.plant.target;

  it('refuses when a row begins to refer to it meanwhile, and keeps it when that is not Kube-OVN\'s', async () => {
    await on(bench, action, async ({ schema, northbound, peer, refuses, prepared, send }) => {
      for (const { table, column } of referring(schema, kind, 'weak')) {
        const ready = await prepared();
        await peer(attached(schema, table, { [column]: operation.uuid(uid) }, STRANGER));
        const before = await pictureOf(northbound);
        expect(await send(ready)).toBe('timed out');
        expect(await pictureOf(northbound)).toEqual(before);
        await refuses('protected');
        await peer([operation.update(table, operation.byUuid(STRANGER), { [column]: operation.set([]) })]);
        await peer(takeAway(schema, table, STRANGER, await rowsOf(northbound)));
      }
    });
  });

  it('refuses when a row that referred to it does so no more', async () => {
    await on(bench, action, async ({ schema, northbound, peer, prepared, send }) => {
      for (const { table, column } of referring(schema, kind, 'weak')) {
        for (const [key, row] of await rowsOf(northbound)) {
          if (!key.startsWith(`${table} `) || !JSON.stringify(row[column]).includes(uid)) continue;
          const ready = await prepared();
          await peer([operation.mutate(table, operation.byUuid(key.slice(table.length + 1)), [[column, 'delete', operation.uuid(uid)]])]);
          const before = await pictureOf(northbound);
          expect(await send(ready)).toBe('timed out');
          expect(await pictureOf(northbound)).toEqual(before);
        }
      }
    });
  });
}

function takeAway(schema: DatabaseSchema, table: string, uuid: string, rows: Awaited<ReturnType<typeof rowsOf>>): readonly Operation[] {
  if (schema.tables.get(table)?.isRoot !== false) return [operation.remove(table, operation.byUuid(uuid))];
  return [...rows].flatMap(([key, row]) => {
    const holder = key.split(' ')[0]!;
    const columns = [...schema.tables.get(holder)!.columns.values()].filter((it) => it.key.refTable === table && it.key.refType === 'strong' && JSON.stringify(row[it.name]).includes(uuid));
    return columns.map((it) => operation.mutate(holder, operation.byUuid(key.slice(holder.length + 1)), [[it.name, 'delete', operation.uuid(uuid)]]));
  });
}

function describeRow(action: Action, bench: ActionBench): void {
  const { plant } = bench;
  const { kind, uid, name } = plant.target;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);

  it('refuses when any column that people and controllers write changed meanwhile, of any row that would go', run(async ({ schema, northbound, peer, prepared, send }) => {
    const northds = ['up', 'dynamic_addresses', 'ipv6_prefix', 'status'];
    for (const key of plant.goes) {
      const [table, uuid] = key.split(' ') as [string, string];
      for (const column of schema.tables.get(table)!.columns.values()) {
        const was = (await rowsOf(northbound)).get(key)![column.name]!;
        const someRow = column.key.refTable && [...(await rowsOf(northbound)).keys()].find((it) => it.startsWith(`${column.key.refTable} `))?.split(' ')[1];
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
  }));

  it('is not hindered by what northd writes', run(async ({ schema, peer, prepared, send }) => {
    const { columns } = schema.tables.get(kind)!;
    const written = ['up', 'dynamic_addresses', 'ipv6_prefix'].filter((it) => columns.has(it));
    const ready = await prepared();
    if (written.length > 0) await peer([operation.update(kind, operation.byUuid(uid), Object.fromEntries(written.map((it) => [it, it === 'up' ? false : 'other'])))]);
    expect((await prepared()).version).toBe(ready.version);
    expect(await send(ready)).toBe('committed');
  }));

  it('does not touch another of the same name, made after it went', run(async ({ schema, northbound, peer, prepare, prepared, send }) => {
    const ready = await prepared();
    const made = clone(schema, kind, uid, await rowsOf(northbound), ANEW);
    await peer(removal(ready));
    await peer(made);
    const before = await pictureOf(northbound);
    expect(before.has(`${kind} ${ANEW}`)).toBe(true);
    expect(await send(ready)).toBe('timed out');
    expect(await prepare()).toMatchObject({ is: 'refused', code: 'gone' });
    expect(await pictureOf(northbound)).toEqual(before);
  }));

  it('refuses when another row holds it, before or since', run(async ({ schema, northbound, peer, refuses, prepared, send }) => {
    for (const { table, column } of referring(schema, kind, 'strong')) {
      const ready = await prepared();
      await peer(attached(schema, table, { [column]: operation.uuid(uid), external_ids: operation.map([['vendor', 'kube-ovn']]) }, STRANGER));
      const before = await pictureOf(northbound);
      expect(await send(ready)).toBe('timed out');
      expect(await pictureOf(northbound)).toEqual(before);
      await refuses('protected');
      await peer(takeAway(schema, table, STRANGER, await rowsOf(northbound)));
    }
  }));

  it('refuses when what it holds is held by another meanwhile', run(async ({ schema, northbound, peer, prepared, send }) => {
    for (const key of plant.goes.slice(1)) {
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
  }));

  it('keeps it when what it holds is somebody else\'s', async () => {
    for (const key of plant.goes.slice(1)) {
      const [table, uuid] = key.split(' ') as [string, string];
      await on(bench, action, async ({ peer, refuses }) => {
        await peer([externalIds(table, uuid, ['neutron:port_name', 'x'])]);
        await refuses('protected');
      });
    }
  });

  it('keeps it when what holds it is somebody else\'s, and refuses when that became so meanwhile', async () => {
    await on(bench, action, async ({ schema, northbound, peer, refuses, refusesAfter }) => {
      const holders = referring(schema, kind, 'strong');
      const found = [...(await rowsOf(northbound))].find(([key, row]) => holders.some((it) => key.startsWith(`${it.table} `) && JSON.stringify(row[it.column]).includes(uid)));
      if (found === undefined) return expect(schema.tables.get(kind)?.isRoot).toBe(true);
      const [table, uuid] = found[0].split(' ') as [string, string];
      await refusesAfter([externalIds(table, uuid, ['ovn-steward.dev/protect', 'x'])]);
      await refuses('protected');
      await peer([operation.mutate(table, operation.byUuid(uuid), [['external_ids', 'delete', operation.set(['ovn-steward.dev/protect'])]]), externalIds(table, uuid, ['neutron:network_name', 'x'])]);
      await refuses('protected');
    });
  });

  describe('under a schema of tomorrow', () => {
    const strength = (it: 'strong' | 'weak') => ({ key: { type: 'uuid', refTable: kind, refType: it }, min: 0, max: 'unlimited' });
    const tomorrow = async (columns: object, ownColumns: object = {}): Promise<DatabaseSchema> => {
      const bed = await bench.start();
      const { json } = await bed.northbound.schema(never);
      await bed.close();
      const copy = structuredClone(json) as { version: string; cksum?: string; tables: Record<string, { columns: object }> };
      copy.version = '99.0.0';
      delete copy.cksum;
      copy.tables['Tomorrow'] = { columns: { kept: { type: { key: 'string', min: 0 } }, ...columns }, isRoot: true } as { columns: object };
      Object.assign(copy.tables[kind]!.columns, ownColumns);
      return parseSchema(copy);
    };
    const refusing = async (columns: object, row: Readonly<Record<string, Json>>): Promise<void> => {
      const schema = await tomorrow(columns);
      await on(bench, action, async ({ refusesAfter, refuses }) => {
        await refusesAfter([operation.insert('Tomorrow', row, STRANGER)]);
        await refuses('protected');
      }, schema);
    };

    it('goes on while nothing new says anything', async () => {
      const schema = await tomorrow({ strong: { type: strength('strong') }, weak: { type: strength('weak') }, text: { type: 'string' } }, { news: { type: 'string' } });
      await on(bench, action, async ({ peer, prepared, send }) => {
        await peer([operation.insert('Tomorrow', { text: 'nobody' }, STRANGER)]);
        expect(await send(await prepared())).toBe('committed');
      }, schema);
    });
    it('heeds a new table that holds it', () => refusing({ strong: { type: strength('strong') } }, { strong: operation.uuid(uid) }));
    it('heeds a new table that refers to it', () => refusing({ weak: { type: strength('weak') } }, { weak: operation.uuid(uid) }));
    it('refuses where a map may refer to it', async () => {
      const schema = await tomorrow({ places: { type: { key: 'string', value: { type: 'uuid', refTable: kind }, min: 0, max: 'unlimited' } } });
      await on(bench, action, ({ refuses }) => refuses('unsupported'), schema);
    });
    it('keeps a row that fills a column it does not know', async () => {
      const schema = await tomorrow({}, { news: { type: 'string' } });
      await on(bench, action, async ({ refusesAfter, refuses }) => {
        await refusesAfter([operation.update(kind, operation.byUuid(uid), { news: 'something' })]);
        await refuses('protected');
      }, schema);
    });
    if (name !== '' && ['Logical_Switch_Port', 'Logical_Router_Port', 'Port_Group', 'Address_Set', 'Meter'].includes(kind)) {
      it('heeds a text that may be its name', () => refusing({ text: { type: 'string' } }, { text: name }));
      it('heeds a text in a new map that may be its name', async () => {
        const schema = await tomorrow({ texts: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } } });
        await on(bench, action, async ({ peer, refuses }) => {
          await peer([operation.insert('Tomorrow', { texts: operation.map([['x', name]]) }, STRANGER)]);
          await refuses('protected');
        }, schema);
      });
    }
  });

  describeRowUndo(action, bench);
}

/** What it does once its guards hold. */
function removal({ effect }: Prepared): readonly Operation[] {
  if (effect.on !== 'ovn-nb') throw new Error('not for Northbound');
  return effect.operations.filter((it) => it.op === 'mutate' || it.op === 'delete');
}

function describeRowUndo(action: Action, bench: ActionBench): void {
  const { kind, uid } = bench.plant.target;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);

  it('cannot be undone once another has its place, and is refused when that came since', run(async ({ schema, northbound, systems, peer, prepared, send }) => {
    const made = clone(schema, kind, uid, await rowsOf(northbound), ANEW);
    const ready = await prepared();
    await send(ready);
    const plan = await prepareUndo(ready.undo, NOTE, systems, never);
    if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
    await peer(made);
    const before = await pictureOf(northbound);
    expect(before.has(`${kind} ${ANEW}`)).toBe(true);
    // An address set of the same name has its place; HA groups and the like are all found by an index.
    expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'impossible', reason: expect.stringContaining(ANEW) });
    expect(await send(plan)).not.toBe('committed');
    expect(await pictureOf(northbound)).toEqual(before);
  }));

  it('cannot be undone without the row that held it, or when that has another name', run(async ({ schema, northbound, systems, peer, prepared, send }) => {
    if (schema.tables.get(kind)?.isRoot === true) return;
    const ready = await prepared();
    await send(ready);
    const plan = await prepareUndo(ready.undo, NOTE, systems, never);
    if (plan.is !== 'ready' || ready.undo.of !== 'rows') throw new Error(JSON.stringify(plan));
    const holder = ready.undo.links.find((it) => it.strength === 'strong')!;
    await peer([operation.update(holder.table, operation.byUuid(holder.uuid), { name: 'renamed' })]);
    const before = await pictureOf(northbound);
    expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'impossible', reason: expect.stringContaining('renamed') });
    expect(await send(plan)).toBe('timed out');
    expect(await pictureOf(northbound)).toEqual(before);
    await peer([operation.remove(holder.table, operation.byUuid(holder.uuid))]);
    expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'impossible', reason: expect.stringContaining('is gone') });
  }));

  it('is undone without those who referred to it and went, and says so', run(async ({ northbound, systems, peer, prepared, send }) => {
    const ready = await prepared();
    if (ready.undo.of !== 'rows') throw new Error(ready.undo.of);
    const weak = ready.undo.links.find((it) => it.strength === 'weak' && it.uuid !== GROUND.switch && it.uuid !== GROUND.router && it.uuid !== GROUND.neighbour);
    if (weak === undefined) return;
    await send(ready);
    const schema = await northbound.schema(never);
    await peer(takeAway(schema, weak.table, weak.uuid, await rowsOf(northbound)));
    const plan = await prepareUndo(ready.undo, NOTE, systems, never);
    if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
    expect(plan.losses).toContainEqual(expect.stringMatching(new RegExp(`${weak.table} .* is gone$`)));
    expect(await send(plan)).toBe('committed');
  }));
}

function describeEntry(action: Action, bench: ActionBench): void {
  const { kind, uid, part } = bench.plant.target;
  const { column, key } = part!;
  const run = (body: (it: Running) => Promise<void>) => () => on(bench, action, body);
  const at = operation.byUuid(uid);
  const isMap = column !== 'ports';
  const entryTaken = operation.mutate(kind, at, [[column, 'delete', isMap ? operation.set([key]) : operation.uuid(key)]]);

  it('refuses when the entry went meanwhile', run(({ refusesAfter }) => refusesAfter([entryTaken])));
  it('refuses when the row got another name meanwhile', run(({ refusesAfter }) => refusesAfter([operation.update(kind, at, { name: 'another' })])));

  if (isMap) {
    it('refuses when the entry says something else meanwhile', run(({ refusesAfter }) => refusesAfter([entryTaken, operation.mutate(kind, at, [[column, 'insert', operation.map([[key, 'another']])]])])));
    it('cannot be undone once the key says something else, and is refused when that came since', run(async ({ northbound, systems, peer, prepared, send }) => {
      const ready = await prepared();
      await send(ready);
      const plan = await prepareUndo(ready.undo, NOTE, systems, never);
      if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
      await peer([operation.mutate(kind, at, [[column, 'insert', operation.map([[key, 'another']])]])]);
      const before = await pictureOf(northbound);
      expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'impossible', reason: expect.stringContaining('another') });
      expect(await send(plan)).toBe('timed out');
      expect(await pictureOf(northbound)).toEqual(before);
    }));
  }

  it('is not hindered by the entries beside it', run(async ({ peer, prepared, send }) => {
    const ready = await prepared();
    if (isMap) await peer([operation.mutate(kind, at, [[column, 'insert', operation.map([['192.0.2.1:1', 'beside']])]])]);
    expect(await send(ready)).toBe('committed');
  }));

  it('cannot be undone in a row that is gone or has another name', run(async ({ systems, peer, prepared, send }) => {
    const ready = await prepared();
    await send(ready);
    const plan = await prepareUndo(ready.undo, NOTE, systems, never);
    if (plan.is !== 'ready') throw new Error(JSON.stringify(plan));
    await peer([operation.update(kind, at, { name: 'another' })]);
    expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'impossible', reason: expect.stringContaining('another') });
    expect(await send(plan)).toBe('timed out');
    await peer([operation.remove(kind, at)]);
    expect(await prepareUndo(ready.undo, NOTE, systems, never)).toMatchObject({ is: 'impossible', reason: expect.stringContaining('not there') });
  }));
}
