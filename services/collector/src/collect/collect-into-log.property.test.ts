import { Failure } from '@ovn-steward/shared/errors';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import fc from 'fast-check';
import { collectIntoLog } from './collect-into-log';
import type { LogMirror } from '../mirror/mirror';
import { memoryMirror } from '../mirror/mirror-memory';
import type { Observation, Source } from '../source-kit/source';
import { changesIn, contentsIn, fold, recordsIn } from '../testing/fold';
import { begin, complete, gone, object } from '../testing/script';

const AT = Date.parse('2026-01-01T00:00:00Z');
const DAY = 86_400_000;
const CLUSTER = 'c';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const NEIGHBOUR = Array.from({ length: 1000 }, (_, at) => `n${at}`).find(
  (it) => partitionOf(it, PARTITIONS) === PARTITION,
)!;

const KINDS: Readonly<Record<string, string>> = {
  'kubernetes/Pod': 'Pod',
  'kubernetes/Node': 'Node',
};
type World = Map<string, Map<string, number>>;

interface Mutation {
  readonly stream: string;
  readonly uid: string;
  /** undefined: it goes. */
  readonly value: number | undefined;
}

type Event =
  /** The world changes while nobody reads it. */
  | { readonly type: 'change'; readonly mutation: Mutation }
  /**
   * A collector with one of two mirrors reads all, sees changes, and dies with its nth effect, if
   * there are as many.
   */
  | {
      readonly type: 'run';
      readonly mirror: 0 | 1;
      readonly seen: readonly Mutation[];
      readonly dies: number;
      readonly how: 'before' | 'after' | 'late';
      readonly lateAt: number;
    }
  | { readonly type: 'lose'; readonly mirror: 0 | 1 }
  /** What a dead collector had on its way arrives. */
  | { readonly type: 'late' }
  | { readonly type: 'noise'; readonly record: NewRecord };

const uid = fc.constantFrom('a', 'b', 'c', '__proto__');
const mutation: fc.Arbitrary<Mutation> = fc.record({
  stream: fc.constantFrom(...Object.keys(KINDS)),
  uid,
  value: fc.option(fc.nat(2), { nil: undefined }),
});
const noise = fc
  .constantFrom(
    { key: `${NEIGHBOUR}/kubernetes/Pod/a`, value: '{}' },
    { key: `${NEIGHBOUR}/kubernetes/Pod/a`, value: null },
    { key: `${CLUSTER}/kubernetes/Pod/a`, value: '{"broken' },
    { key: `${CLUSTER}/kubernetes/Node/b`, value: '{"type":"renamed"}' },
    { key: `${CLUSTER}/kubernetes/Pod/b`, value: null },
    { key: `${CLUSTER}/kubernetes/_checkpoint/kubernetes/Pod`, value: '{"type":"checkpoint"}' },
    { key: `${CLUSTER}/elsewhere/Thing/x`, value: 'x' },
  )
  .map((it) => ({ ...it, timestamp: AT }));

const history = (withNoise: boolean): fc.Arbitrary<Event[]> =>
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: mutation.map((it): Event => ({ type: 'change', mutation: it })) },
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant('run' as const),
          mirror: fc.constantFrom(0 as const, 1 as const),
          seen: fc.array(mutation, { maxLength: 4 }),
          dies: fc.nat(30),
          how: withNoise
            ? fc.constantFrom('before' as const, 'after' as const, 'late' as const)
            : fc.constantFrom('before' as const, 'after' as const),
          lateAt: fc.nat(6),
        }),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(0 as const, 1 as const)
          .map((mirror): Event => ({ type: 'lose', mirror })),
      },
      ...(withNoise
        ? [
            { weight: 1, arbitrary: fc.constant<Event>({ type: 'late' }) },
            { weight: 1, arbitrary: noise.map((record): Event => ({ type: 'noise', record })) },
          ]
        : []),
    ),
    { maxLength: 9 },
  );

class Crash extends Failure {
  constructor() {
    super('log-corrupt', 'crashed');
  }
}

function apply(world: World, { stream, uid, value }: Mutation): Observation {
  if (value === undefined) world.get(stream)!.delete(uid);
  else world.get(stream)!.set(uid, value);
  return value === undefined
    ? gone(uid, stream, KINDS[stream])
    : object(uid, { value }, stream, KINDS[stream]);
}

const observing = (world: World, seen: readonly Mutation[]): Source => ({
  id: 'cluster',
  source: 'kubernetes',
  streams: Object.keys(KINDS),
  async *observe() {
    for (const [stream, kind] of Object.entries(KINDS)) {
      yield [
        begin(stream, [kind]),
        ...[...world.get(stream)!].map(([it, value]) => object(it, { value }, stream, kind)),
        complete('1', stream, [kind]),
      ];
    }
    for (const it of seen) yield [apply(world, it)];
  },
});

/**
 * The effects of one process, which dies with the nth of them: before it happens, after, or long
 * before it arrives.
 */
function mortal(
  log: SqliteLog,
  mirror: LogMirror,
  { dies, how, lateAt }: { dies: number; how: string; lateAt: number },
  onItsWay: NewRecord[][],
) {
  let effects = 0;
  let appends = 0;
  let requested = 0;
  let dead = false;
  /** Whether the effect still happens; what comes after it does not. */
  const survives = (
    isAppend: boolean,
  ): 'lives' | 'dies' | 'dies after' | 'dies before it arrives' => {
    if (dead) return 'dies';
    dead = how === 'late' ? isAppend && appends++ >= dies % 8 : effects++ >= dies;
    return !dead
      ? 'lives'
      : how === 'after'
        ? 'dies after'
        : how === 'late'
          ? 'dies before it arrives'
          : 'dies';
  };
  const step = <T>(effect: () => T): T => {
    const fate = survives(false);
    if (fate === 'lives') return effect();
    if (fate === 'dies after') effect();
    throw new Crash();
  };
  const append: Log['append'] = async (topic, partition, records) => {
    if (requested++ === lateAt)
      for (const late of onItsWay.splice(0)) await log.append(CHANGES, PARTITION, late);
    const fate = survives(true);
    if (fate === 'lives') return log.append(topic, partition, records);
    if (fate === 'dies after') await log.append(topic, partition, records);
    if (fate === 'dies before it arrives') onItsWay.push([...records]);
    throw new Crash();
  };
  return {
    mirror: {
      ...mirror,
      openEpoch: (...args: Parameters<LogMirror['openEpoch']>) =>
        step(() => mirror.openEpoch(...args)),
      commit: (...args: Parameters<LogMirror['commit']>) => step(() => mirror.commit(...args)),
      fold: (...args: Parameters<LogMirror['fold']>) => step(() => mirror.fold(...args)),
      reset: () => step(() => mirror.reset()),
    },
    log: {
      read: (...args: Parameters<Log['read']>) => log.read(...args),
      watermarks: (...args: Parameters<Log['watermarks']>) => log.watermarks(...args),
      append,
    },
  };
}

const immortal = { dies: Infinity, how: 'before', lateAt: Infinity };

async function live(
  events: readonly Event[],
  withTerms: boolean,
  check: (log: SqliteLog, world: World) => Promise<void>,
): Promise<void> {
  const log = openSqliteLog({ file: ':memory:', now: () => AT });
  await log.ensureTopics(TOPICS);
  const world: World = new Map(Object.keys(KINDS).map((it) => [it, new Map<string, number>()]));
  const mirrors = [memoryMirror(), memoryMirror()];
  const onItsWay: NewRecord[][] = [];
  let term = 0;
  const run = async (
    mirror: LogMirror,
    seen: readonly Mutation[],
    fate: { dies: number; how: string; lateAt: number },
  ): Promise<void> => {
    if (withTerms) term += 1;
    const process = mortal(log, mirror, fate, onItsWay);
    await collectIntoLog(
      {
        ...process,
        cluster: CLUSTER,
        sources: [observing(world, seen)],
        clock: () => new Date(AT),
        backOff: () => 0,
        term,
      },
      new AbortController().signal,
    ).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
  };
  for (const event of events) {
    switch (event.type) {
      case 'change':
        apply(world, event.mutation);
        break;
      case 'run':
        await run(mirrors[event.mirror]!, event.seen, event);
        break;
      case 'lose':
        mirrors[event.mirror] = memoryMirror();
        break;
      case 'late':
        for (const late of onItsWay.splice(0)) await log.append(CHANGES, PARTITION, late);
        break;
      case 'noise':
        await log.append(CHANGES, PARTITION, [event.record]);
        break;
    }
  }
  await run(mirrors[0]!, [], immortal);
  await check(log, world);
  await run(mirrors[1]!, [], immortal); // the other takes over, with what it knew
  await check(log, world);
  await log.close();
}

const contents = (world: World, stream: string): unknown =>
  Object.fromEntries([...world.get(stream)!].map(([it, value]) => [it, { value }]));

async function agrees(log: SqliteLog, world: World): Promise<{ disagreements: number }> {
  const folded = fold(changesIn(await recordsIn(log, CHANGES, PARTITION), CLUSTER));
  for (const stream of Object.keys(KINDS))
    expect(contentsIn(folded, stream)).toEqual(contents(world, stream));
  expect([...folded.disagreeing.values()]).toEqual([]);
  return folded;
}

it('whoever dies when, and whichever mirror is lost or old, the log is the world, and every full read agrees with it', async () => {
  await fc.assert(
    fc.asyncProperty(history(false), fc.boolean(), (events, withTerms) =>
      live(events, withTerms, async (log, world) => {
        expect((await agrees(log, world)).disagreements).toBe(0);
      }),
    ),
    { numRuns: 200 },
  );
});

it('what the dead still had on their way, and what nobody can read, is put right by the next full read, for those who read after compaction, too', async () => {
  await fc.assert(
    fc.asyncProperty(history(true), (events) =>
      live(events, true, async (log, world) => {
        await agrees(log, world);
        for (const days of [3, 11]) {
          const compacted = await copyOf(log);
          while (compacted.compact(AT + days * DAY).more);
          await agrees(compacted, world);
          await compacted.close();
        }
      }),
    ),
    { numRuns: 100 },
  );
});

/** Compaction cannot be undone, and the history goes on. */
async function copyOf(log: SqliteLog): Promise<SqliteLog> {
  const copy = openSqliteLog({ file: ':memory:', now: () => AT });
  await copy.ensureTopics(TOPICS);
  const records = await recordsIn(log, CHANGES, PARTITION);
  if (records.length > 0) await copy.append(CHANGES, PARTITION, records);
  return copy;
}
