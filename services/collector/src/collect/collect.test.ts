import type { Change } from '@ovn-steward/contracts/changes/change';
import { Failure } from '@ovn-steward/shared/errors';
import { type CollectorEvent, type CollectorOptions, createCollector } from './collect';
import type { Mirror } from '../mirror/mirror';
import { memoryMirror } from '../mirror/mirror-memory';
import type { Source } from '../source-kit/source';
import { contentsOf } from '../testing/fold';
import { begin, complete, fullRead, object, progress, scripted } from '../testing/script';

interface Run extends Partial<Omit<CollectorOptions, 'sources'>> {
  readonly log?: Change[];
}

const AT = new Date('2026-01-01T00:00:00Z');
const never = new AbortController().signal;

async function collect(
  sources: readonly Source[],
  { log = [], ...options }: Run = {},
  signal = never,
): Promise<Change[]> {
  const publish = async (changes: readonly Change[]): Promise<void> => void log.push(...changes);
  await createCollector({
    cluster: 'c',
    sources,
    publish,
    mirror: memoryMirror(),
    clock: () => AT,
    backOff: () => 1,
    ...options,
  }).run(signal);
  return log;
}

it('follows several sources at once and ends with the last', async () => {
  const other: Source = scripted('other', [
    [[begin('t', ['Node']), object('n', {}, 't', 'Node'), complete('1', 't', ['Node'])]],
  ]);
  const log = await collect([scripted('one', [[fullRead({ a: {} }), [object('b', {})]]]), other]);
  expect(contentsOf(log)).toEqual({ a: {}, b: {} });
  expect(contentsOf(log, 't')).toEqual({ n: {} });
});

it('ends when the signal fires', async () => {
  const stop = new AbortController();
  const publish = async (): Promise<void> => stop.abort();
  await collect([scripted('live', [[fullRead({ a: {} }), 'wait']])], { publish }, stop.signal);
});

it('pulls no more before what it has is published', async () => {
  let pulled = 0;
  let release = (): void => undefined;
  const source: Source = {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      for (const batch of [[begin()], [object('a', {})], [complete()]]) {
        pulled += 1;
        yield batch;
      }
    },
  };
  const publish = (): Promise<void> =>
    new Promise((resolve) => {
      release = resolve;
    });
  const running = collect([source], { publish });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pulled).toBe(1);
  const pump = setInterval(() => release(), 1);
  await running;
  clearInterval(pump);
  expect(pulled).toBe(3);
});

it('marks a failed source unavailable, starts it again, and recovers', async () => {
  const events: CollectorEvent[] = [];
  const source = scripted('x', [
    [fullRead({ a: {}, b: {} }), new Error('cut off')],
    [new Error('still cut off')],
    [fullRead({ a: {} })],
  ]);
  const log = await collect([source], { onEvent: (it) => events.push(it) });
  expect(log.map((it) => it.type)).toEqual([
    'snapshot-begin',
    'put',
    'put',
    'snapshot-end',
    'unavailable',
    'snapshot-begin',
    'delete',
    'snapshot-end',
  ]);
  expect(log.find((it) => it.type === 'unavailable')).toMatchObject({
    reason: 'unreachable',
    kinds: ['Pod'],
    detail: 'cut off',
  });
  expect(events.filter((it) => it.type === 'source-failed')).toEqual([
    { type: 'source-failed', source: 'x', error: 'cut off', retryInMs: 1 },
    { type: 'source-failed', source: 'x', error: 'still cut off', retryInMs: 1 },
  ]);
});

it('marks what only an earlier process read', async () => {
  const mirror = memoryMirror();
  const log: Change[] = [];
  await collect([scripted('x', [[fullRead({ a: {} })]])], { mirror, log });
  await collect([scripted('x', [[new Error('down')], []])], { mirror, log });
  expect(log.at(-1)).toMatchObject({ type: 'unavailable', stream: 's', epoch: 2 });
});

it('says nothing of a kind that an earlier version read and this one does not', async () => {
  const mirror = memoryMirror();
  const dropped = 'kubernetes/ConfigMap';
  const ofDropped = [
    begin(dropped, ['ConfigMap']),
    object('settings', {}, dropped, 'ConfigMap'),
    complete('1', dropped, ['ConfigMap']),
  ];
  await collect([scripted('x', [[ofDropped, fullRead({ a: {} })]])], { mirror });
  const log: Change[] = [];
  await collect([scripted('x', [[new Error('down')], [fullRead({ a: {} })]])], { mirror, log });
  expect(log.map((it) => `${it.stream} ${it.type}`)).toEqual([
    's unavailable',
    's snapshot-begin',
    's snapshot-end',
  ]);
});

it('reads an expired position again at once and without calling it unavailable', async () => {
  const log = await collect(
    [
      scripted('x', [
        [fullRead({ a: {} }), new Failure('source-expired', 'too old')],
        [fullRead({ a: {} })],
      ]),
    ],
    { backOff: () => 60_000 },
  );
  expect(log.map((it) => it.type)).toEqual([
    'snapshot-begin',
    'put',
    'snapshot-end',
    'snapshot-begin',
    'snapshot-end',
  ]);
});

it('backs off from a position that expires again and again', async () => {
  const expired = new Failure('source-expired', 'too old');
  const waits: number[] = [];
  await collect([scripted('x', [[expired], [expired], [expired], []])], {
    backOff: (attempt) => attempt,
    onEvent: (it) => it.type === 'source-failed' && waits.push(it.retryInMs),
  });
  expect(waits).toEqual([0, 2, 3]);
});

it('waits less again after a read that completed', async () => {
  const waits: number[] = [];
  const down = new Error('down');
  await collect([scripted('x', [[down], [down], [fullRead({}), down], []])], {
    backOff: (attempt) => attempt,
    onEvent: (it) => it.type === 'source-failed' && waits.push(it.retryInMs),
  });
  expect(waits).toEqual([1, 2, 1]);
});

it('stops with a source that can never work, the others with it', async () => {
  const failure = new Failure('input-foreign-schema', 'not this one');
  const live = scripted('live', [[fullRead({ a: {} }), 'wait']]);
  await expect(collect([live, scripted('x', [[failure]])])).rejects.toBe(failure);
});

it('starts a source again that breaks the rules', async () => {
  const source = scripted('x', [[[object('a', {})]], [fullRead({ a: {} })]]);
  expect(contentsOf(await collect([source]))).toEqual({ a: {} });
  expect(source.observed()).toBe(2);
});

it('sends the same changes with the same ids until they are acknowledged', async () => {
  const attempts: string[][] = [];
  const publish = async (changes: readonly Change[]): Promise<void> => {
    attempts.push(changes.map((it) => it.id));
    if (attempts.length < 3) throw new Error('broker away');
  };
  await collect([scripted('x', [[fullRead({ a: {} })]])], { publish });
  expect(attempts).toHaveLength(3);
  expect(new Set(attempts.map(String)).size).toBe(1);
});

it('stops when publishing can never work', async () => {
  const failure = new Failure('log-topic-drift', 'foreign topic');
  const publish = (): Promise<void> => Promise.reject(failure);
  await expect(collect([scripted('x', [[fullRead({ a: {} })]])], { publish })).rejects.toBe(
    failure,
  );
});

it('stops when it cannot remember, and does not blame the source', async () => {
  const full = new Error('disk full');
  const mirror: Mirror = {
    ...memoryMirror(),
    commit: () => {
      throw full;
    },
  };
  const source = scripted('x', [[fullRead({ a: {} })]]);
  await expect(collect([source], { mirror })).rejects.toBe(full);
  expect(source.observed()).toBe(1);
});

it('publishes nothing more once the signal fired between two attempts to publish', async () => {
  const stop = new AbortController();
  let calls = 0;
  const publish = async (): Promise<void> => {
    calls += 1;
    stop.abort();
    throw new Error('broker away');
  };
  await collect(
    [scripted('x', [[fullRead({ a: {} }), [object('b', {})]]])],
    { publish },
    stop.signal,
  );
  expect(calls).toBe(1);
});

it('publishes no further step once the signal fired', async () => {
  const stop = new AbortController();
  let calls = 0;
  const publish = async (): Promise<void> => {
    calls += 1;
    stop.abort();
  };
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`u${i}`, {}]));
  await collect([scripted('x', [[fullRead(many)]])], { publish }, stop.signal);
  expect(calls).toBe(1);
});

it('ends even when a source does not respect the signal', async () => {
  const stop = new AbortController();
  const source: Source = {
    id: 'x',
    source: 'kubernetes',
    streams: ['s'],
    async *observe() {
      for (;;) yield fullRead({ a: {} });
    },
  };
  await collect([source], { publish: async () => stop.abort() }, stop.signal);
});

it('takes nothing from a source started again before its full read', async () => {
  const source = scripted('x', [
    [[begin(), object('a', {})], new Error('cut off')],
    [[object('b', {})]],
    [fullRead({ a: {} })],
  ]);
  const log = await collect([source]);
  expect(log.some((it) => it.type === 'put' && it.uid === 'b')).toBe(false);
});

it('publishes the heartbeat it held back when the source ends', async () => {
  const log = await collect([
    scripted('x', [
      [[...fullRead({}), progress('2026-01-01T00:00:00Z'), progress('2026-01-01T00:00:01Z')]],
    ]),
  ]);
  expect(log.map((it) => it.type === 'heartbeat' && it.observedThrough).filter(Boolean)).toEqual([
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:01Z',
  ]);
});

it('wants sources with different ids', () => {
  const source = scripted('x', [[]]);
  expect(() =>
    createCollector({
      cluster: 'c',
      sources: [source, source],
      publish: async () => undefined,
      mirror: memoryMirror(),
      clock: () => AT,
    }),
  ).toThrow(Failure);
});
