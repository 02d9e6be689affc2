import type { Change } from '@ovn-steward/contracts/changes/change';
import { Change as ChangeSchema } from '@ovn-steward/contracts/changes/change';
import { Failure } from '@ovn-steward/shared/errors';
import fc from 'fast-check';
import type { Mirror } from '../mirror/mirror';
import { memoryMirror } from '../mirror/mirror-memory';
import type { Observation } from '../source-kit/source';
import { ObservedStream } from './observed-stream';
import { contentsOf } from '../testing/fold';
import { begin, complete, fullRead, gone, object, progress, unavailable } from '../testing/script';

const AT = '2026-01-01T00:00:00.000Z';

/** Feeds observations to a stream as the collector does, each step settled before the next. */
function feeder(mirror: Mirror = memoryMirror()) {
  const log: Change[] = [];
  const stream = new ObservedStream('s', {
    cluster: 'c',
    owner: { id: 'src', source: 'kubernetes' },
    mirror,
    firstEpoch: 0,
    heartbeatEveryMs: 5000,
  });
  const settle = (
    steps: Iterable<{ changes: readonly Change[]; writes: Parameters<Mirror['commit']>[1] }>,
  ): void => {
    for (const { changes, writes } of steps) {
      log.push(...changes);
      mirror.commit('s', writes);
    }
  };
  return {
    log,
    stream,
    /** Returns what these observations alone brought about. */
    feed(...observations: Observation[]): Change[] {
      const from = log.length;
      for (const it of observations) settle(stream.take(it, AT));
      settle(stream.rest());
      return log.slice(from);
    },
    end(): Change[] {
      const from = log.length;
      settle(stream.lastHeartbeat(AT));
      return log.slice(from);
    },
  };
}

const reported = (changes: readonly Change[]): string[] =>
  changes.map((it) => ('uid' in it ? `${it.type} ${it.uid}` : it.type));

it('reports a full read, counted from 1, and schema-true', () => {
  const { feed } = feeder();
  const changes = feed(...fullRead({ a: { x: 1 }, b: { x: 2 } }, '17'));
  expect(reported(changes)).toEqual(['snapshot-begin', 'put a', 'put b', 'snapshot-end']);
  expect(changes.map((it) => [it.epoch, it.seq])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [1, 4],
  ]);
  expect(changes.at(-1)).toMatchObject({ count: 2, kinds: ['Pod'], cursor: '17' });
  for (const it of changes) expect(ChangeSchema.parse(it)).toEqual(it);
});

it('reports of a second read only what changed, and what vanished explicitly', () => {
  const { feed, log } = feeder();
  feed(...fullRead({ same: {}, changed: { x: 1 }, vanished: {} }));
  expect(reported(feed(...fullRead({ same: {}, changed: { x: 2 }, added: {} })))).toEqual([
    'snapshot-begin',
    'put changed',
    'put added',
    'delete vanished',
    'snapshot-end',
  ]);
  expect(contentsOf(log)).toEqual({ same: {}, changed: { x: 2 }, added: {} });
});

it('reports a change of name or namespace alone', () => {
  const { feed } = feeder();
  feed(...fullRead({ a: {} }));
  const moved = { ...object('a', {}), name: 'other' } as Observation;
  expect(reported(feed(moved))).toEqual(['put a']);
  expect(reported(feed(moved))).toEqual([]);
});

it('keeps apart two kinds with one uid', () => {
  const { feed, log } = feeder();
  feed(
    begin('s', ['Pod', 'Node']),
    object('a', { pod: 1 }),
    object('a', { node: 1 }, 's', 'Node'),
    complete(),
  );
  expect(reported(feed(gone('a', 's', 'Node')))).toEqual(['delete a']);
  expect(contentsOf(log)).toEqual({ a: { pod: 1 } });
});

it('takes the last word on an object inside a read', () => {
  const { feed, log } = feeder();
  feed(...fullRead({ a: {}, b: {} }));
  expect(
    reported(
      feed(
        begin(),
        object('a', {}),
        gone('a'),
        gone('b'),
        object('b', { again: 1 }),
        object('c', {}),
        gone('c'),
        complete(),
      ),
    ),
  ).toEqual([
    'snapshot-begin',
    'delete a',
    'delete b',
    'put b',
    'put c',
    'delete c',
    'snapshot-end',
  ]);
  expect(contentsOf(log)).toEqual({ b: { again: 1 } });
});

it('abandons a read when another begins, and deletes nothing on its account', () => {
  const { feed, log } = feeder();
  feed(...fullRead({ a: {}, b: {} }));
  expect(
    reported(feed(begin(), object('a', {}), begin(), object('a', {}), object('b', {}), complete())),
  ).toEqual(['snapshot-begin', 'snapshot-begin', 'snapshot-end']);
  expect(log.at(-1)).toMatchObject({ epoch: 3, count: 2 });
});

it('does not report the deletion of what was never reported', () => {
  const { feed } = feeder();
  feed(...fullRead({}));
  expect(feed(gone('a'))).toEqual([]);
});

it.each([
  ['object', object('a', {})],
  ['gone', gone('a')],
  ['complete', complete()],
])('refuses %s without begin', (_type, observation) => {
  const refused = expect.objectContaining({ code: 'source-broken' });
  const { feed, stream } = feeder();
  expect(() => feed(observation)).toThrow(refused);
  feed(begin());
  stream.restart();
  expect(() => feed(observation)).toThrow(Failure);
});

it('refuses a second end of one read, and the end of one that was lost', () => {
  const { feed } = feeder();
  feed(...fullRead({}));
  expect(() => feed(complete())).toThrow(Failure);
  feed(begin(), unavailable());
  expect(() => feed(complete())).toThrow(Failure);
});

it('begins again over what was just reported in the same step', () => {
  const { feed, log } = feeder();
  feed(...fullRead({ a: {} }));
  expect(reported(feed(gone('a'), object('b', {}), begin(), object('b', {}), complete()))).toEqual([
    'delete a',
    'put b',
    'snapshot-begin',
    'snapshot-end',
  ]);
  expect(contentsOf(log)).toEqual({ b: {} });
});

it('becomes unavailable once per reason, deletes nothing, and recovers by a full read', () => {
  const { feed, log } = feeder();
  feed(...fullRead({ a: {} }));
  expect(reported(feed(unavailable(), unavailable(), unavailable('unreachable')))).toEqual([
    'unavailable',
    'unavailable',
  ]);
  expect(reported(feed(object('a', { x: 1 })))).toEqual(['put a']);
  expect(reported(feed(...fullRead({ a: { x: 1 } })))).toEqual(['snapshot-begin', 'snapshot-end']);
  expect(reported(feed(unavailable('unreachable')))).toEqual(['unavailable']);
  expect(contentsOf(log)).toEqual({ a: { x: 1 } });
});

it('publishes another detail of the same reason, once in half a minute', () => {
  const { stream } = feeder();
  const changes = (detail: string, seconds: number): object[] => {
    const at = new Date(Date.parse(AT) + seconds * 1000).toISOString();
    const observation = { ...unavailable(), detail } as Observation;
    return [...stream.take(observation, at), ...stream.rest()].flatMap((step) => step.changes);
  };
  expect(changes('because', 0)).toMatchObject([{ type: 'unavailable', detail: 'because' }]);
  expect(changes('for another cause', 29)).toEqual([]);
  expect(changes('for another cause', 30)).toMatchObject([
    { type: 'unavailable', detail: 'for another cause' },
  ]);
  expect(changes('for another cause', 90)).toEqual([]);
});

it('can be unavailable from the start', () => {
  const changes = feeder().feed(unavailable());
  expect(changes).toMatchObject([
    { type: 'unavailable', epoch: 1, seq: 1, kinds: ['Pod'], detail: 'because' },
  ]);
});

it('names the kinds of an earlier process when the source knows none yet', () => {
  const mirror = memoryMirror();
  feeder(mirror).feed(...fullRead({}));
  const nameless = { ...unavailable('unreachable'), kinds: [] } as Observation;
  expect(feeder(mirror).feed(nameless)).toMatchObject([
    { type: 'unavailable', epoch: 2, kinds: ['Pod'] },
  ]);
  expect(feeder().feed(nameless)).toMatchObject([{ kinds: [] }]);
});

it('survives contents after a read that a loss cut short, with doubts from before', () => {
  const mirror = memoryMirror();
  mirror.commit('s', [{ kind: 'Pod', uid: 'a', entry: { hash: '', name: 'a' } }]);
  const { feed, log } = feeder(mirror);
  feed(begin(), unavailable(), object('a', { x: 1 }), gone('a'), object('b', {}));
  feed(...fullRead({ b: {} }));
  expect(contentsOf(log)).toEqual({ b: {} });
});

const second = (n: number): Observation =>
  progress(new Date(Date.parse(AT) + n * 1000).toISOString(), String(n));

it('reports progress at most every five seconds of the source, the first at once, never backwards', () => {
  const { feed, end } = feeder();
  feed(...fullRead({}));
  const heard = feed(second(1), second(2), second(5), second(6), second(4), second(7));
  expect(heard.map((it) => it.type === 'heartbeat' && it.observedThrough)).toEqual([
    '2026-01-01T00:00:01.000Z',
    '2026-01-01T00:00:06.000Z',
  ]);
  expect(end()).toMatchObject([
    { type: 'heartbeat', observedThrough: '2026-01-01T00:00:07.000Z', cursor: '7' },
  ]);
  expect(end()).toEqual([]);
});

it('does not end with a heartbeat older than the last, or from before a loss', () => {
  const { feed, end } = feeder();
  feed(...fullRead({}), second(6), second(4));
  expect(end()).toEqual([]);
  feed(second(8), unavailable());
  expect(end()).toEqual([]);
});

it('reports the first progress of every full read at once', () => {
  const { feed } = feeder();
  feed(...fullRead({}), second(6));
  expect(reported(feed(...fullRead({}), second(7)))).toEqual([
    'snapshot-begin',
    'snapshot-end',
    'heartbeat',
  ]);
});

it('has no watermark during a read, after a loss, or before anything', () => {
  const { feed } = feeder();
  expect(feed(second(1))).toEqual([]);
  expect(reported(feed(begin(), second(2), complete(), second(3)))).toEqual([
    'snapshot-begin',
    'snapshot-end',
    'heartbeat',
  ]);
  expect(reported(feed(unavailable(), second(9)))).toEqual(['unavailable']);
});

it('reports a great vanishing in steps', () => {
  const mirror = memoryMirror();
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`u${i}`, { i }]));
  const { feed, stream } = feeder(mirror);
  feed(...fullRead(many));
  feed(begin());
  const sizes = [...stream.take(complete(), AT), ...stream.rest()].map((it) => it.changes.length);
  expect(sizes).toEqual([1000, 1000, 1000, 1]);
});

it('gives a repetition the same ids, and everything else its own', () => {
  const run = (): string[] =>
    feeder()
      .feed(...fullRead({ a: {}, b: {} }))
      .map((it) => it.id);
  expect(run()).toEqual(run());
  expect(new Set(run()).size).toBe(4);
});

describe('whatever the order of observations', () => {
  const uid = fc.constantFrom('a', 'b', 'c', '__proto__');
  const change = fc.oneof(
    fc.record({ uid, x: fc.integer({ min: 0, max: 2 }) }).map((it) => object(it.uid, { x: it.x })),
    uid.map((it) => gone(it)),
  );
  const observation = fc.oneof(
    { weight: 6, arbitrary: change },
    fc.constant(begin()),
    fc.constant(unavailable()),
    fc.constant(second(1)),
  );

  it('the folded log is what was last shown, and every end counts right', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(observation, { maxLength: 8 }), { maxLength: 6 }),
        fc.array(change, { maxLength: 8 }),
        (before, last) => {
          const { feed, log } = feeder();
          feed(begin());
          for (const batch of before) feed(...batch);
          feed(begin(), ...last, complete());
          const shown = new Map<string, unknown>();
          for (const observed of last)
            if (observed.type === 'object') shown.set(observed.uid, observed.object);
            else if (observed.type === 'gone') shown.delete(observed.uid);
          expect(new Map(Object.entries(contentsOf(log)))).toEqual(shown);
        },
      ),
    );
  });
});
