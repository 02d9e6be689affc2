import { NEEDED_KINDS } from '../status/audit-sources';
import type { Known } from './readiness';
import { readinessOf } from './readiness';

type Stream = Known['streams'][number];

const NOW = Date.parse('2026-01-01T00:10:00Z');
const EXPECTED = {
  streams: ['ovn-nb', 'kubernetes/Pod', 'kubernetes/Lease', 'kubernetes/VirtualMachine'],
  staleAfterMs: 360_000,
};

const stream = (name: string, changed: Partial<Stream> = {}): Stream => ({
  stream: name,
  source: name === 'ovn-nb' ? 'ovn-nb' : 'kubernetes',
  epoch: 1,
  seq: 1,
  cursor: '',
  observedThrough: '2026-01-01T00:09:00Z',
  kinds: name === 'ovn-nb' ? ['Logical_Switch_Port'] : [name.slice('kubernetes/'.length)],
  completeness: { state: 'complete' },
  ...changed,
});
const ALL = EXPECTED.streams.map((it) => stream(it));
const CRD = stream('kubernetes/CustomResourceDefinition');

/** What is missing when these streams stand in place of complete and fresh ones. */
const missing = (
  changed: readonly Stream[],
  absent: readonly string[] = [],
  notInstalled: readonly string[] = [],
  expected = EXPECTED,
): string[] => {
  const streams = [CRD, ...ALL]
    .filter((it) => !absent.includes(it.stream))
    .map((it) => changed.find((other) => other.stream === it.stream) ?? it);
  const { ready, missing } = readinessOf(
    { streams, notInstalled: (kind) => notInstalled.includes(kind) },
    expected,
    NOW,
  );
  expect(ready).toBe(missing.length === 0);
  return missing.map((it) => `${it.stream} ${it.reason}`);
};

test('ready when all that rules need is complete and fresh', () => expect(missing([])).toEqual([]));

test('a stream that has said nothing is missing', () => {
  expect(missing([], ['ovn-nb'])).toEqual(['ovn-nb silent']);
  expect(missing([], ['kubernetes/Pod'])).toEqual(['kubernetes/Pod silent']);
});

test('so is one that is being read, cannot be read, or never said up to when it knows', () => {
  expect(
    missing([stream('kubernetes/Pod', { completeness: { state: 'listing' }, kinds: [] })]),
  ).toEqual(['kubernetes/Pod listing']);
  expect(
    missing([
      stream('ovn-nb', {
        completeness: { state: 'unavailable', reason: 'unreachable', detail: 'down' },
      }),
    ]),
  ).toEqual(['ovn-nb unavailable']);
  expect(missing([stream('ovn-nb', { observedThrough: '' })])).toEqual(['ovn-nb stale']);
});

test('so is a Southbound that is expected, before it said which tables it has', () => {
  const expected = { ...EXPECTED, streams: [...EXPECTED.streams, 'ovn-sb'] };
  expect(missing([], [], [], expected)).toEqual(['ovn-sb silent']);
  const reading = stream('ovn-sb', {
    source: 'ovn-sb',
    completeness: { state: 'listing' },
    kinds: [],
  });
  const { missing: lacking } = readinessOf(
    { streams: [CRD, ...ALL, reading], notInstalled: () => false },
    expected,
    NOW,
  );
  expect(lacking).toMatchObject([{ stream: 'ovn-sb', reason: 'listing' }]);
});

test('so is one not heard of for too long, and not a moment earlier', () => {
  expect(
    missing([stream('kubernetes/Pod', { observedThrough: '2026-01-01T00:04:00.000Z' })]),
  ).toEqual([]);
  expect(
    missing([stream('kubernetes/Pod', { observedThrough: '2026-01-01T00:03:59.999Z' })]),
  ).toEqual(['kubernetes/Pod stale']);
});

test('a kind no rule needs may be missing', () => {
  expect([
    NEEDED_KINDS.has('DaemonSet'),
    NEEDED_KINDS.has('Pod'),
    NEEDED_KINDS.has('VirtualMachine'),
  ]).toEqual([false, true, true]);
  expect(missing([], ['kubernetes/DaemonSet'])).toEqual([]);
});

test('a kind that is not installed is as known and as fresh as the definitions', () => {
  const away = stream('kubernetes/VirtualMachine', {
    completeness: { state: 'unavailable', reason: 'not-served', detail: 'no such API' },
    observedThrough: '',
  });
  expect(missing([away])).toEqual(['kubernetes/VirtualMachine unavailable']);
  expect(missing([away], [], ['VirtualMachine'])).toEqual([]);
  expect(
    missing([away, { ...CRD, observedThrough: '2026-01-01T00:00:00Z' }], [], ['VirtualMachine']),
  ).toEqual(['kubernetes/VirtualMachine stale']);
});
