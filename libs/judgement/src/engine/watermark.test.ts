import { SetDigest } from '@ovn-steward/contracts/identity/ids';
import { World } from '../world/world';
import { lastCatchUpOf, watermarkOf } from './watermark';

const KINDS = ['Vpc', 'Pod', 'IP'];

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

/** A world whose kinds were observed through these minutes. */
function observed(minutes: Readonly<Record<string, number>>): World {
  const world = new World([], []);
  for (const [kind, minute] of Object.entries(minutes))
    world.fold({
      type: 'heartbeat',
      version: 1,
      id: `${kind}-1`,
      cluster: 'c',
      source: 'kubernetes',
      stream: `kubernetes/${kind}`,
      epoch: 1,
      seq: 1,
      cursor: '',
      observedAt: at(59),
      observedThrough: at(minute),
    });
  return world;
}

test.each<[string, Record<string, number>, string]>([
  ['the first kind', { Vpc: 1, Pod: 5, IP: 5 }, at(1)],
  ['another kind', { Vpc: 5, Pod: 2, IP: 5 }, at(2)],
  ['the last kind', { Vpc: 5, Pod: 5, IP: 3 }, at(3)],
])('is that of %s where this is the oldest', (_, minutes, oldest) => {
  expect(watermarkOf(KINDS, observed(minutes))).toBe(oldest);
});

test.each(['Vpc', 'Pod', 'IP'])('is empty while %s was not observed at all', (kind) => {
  const minutes: Record<string, number> = { Vpc: 5, Pod: 5, IP: 5 };
  delete minutes[kind];
  expect(watermarkOf(KINDS, observed(minutes))).toBe('');
});

test('a kind that is not installed is as fresh as the definitions that show it', () => {
  const world = observed({ Vpc: 5, Pod: 5 });
  const base = (kind: string) => ({
    version: 1 as const,
    id: `${kind}-2`,
    cluster: 'c',
    source: 'kubernetes' as const,
    stream: `kubernetes/${kind}`,
    epoch: 1,
    cursor: '',
    observedAt: at(59),
  });
  const none = new SetDigest();
  world.fold({
    type: 'snapshot-end',
    ...base('CustomResourceDefinition'),
    seq: 1,
    kinds: ['CustomResourceDefinition'],
    count: none.count,
    digest: none.toString(),
  });
  world.fold({
    type: 'heartbeat',
    ...base('CustomResourceDefinition'),
    seq: 2,
    observedThrough: at(2),
  });
  world.fold({
    type: 'unavailable',
    ...base('IP'),
    seq: 1,
    kinds: ['IP'],
    reason: 'not-served',
    detail: '',
  });
  expect(watermarkOf(KINDS, world)).toBe(at(2));
});

/** A world whose kinds were read in full at these minutes. */
function read(minutes: Readonly<Record<string, number>>, isRecorded = false): World {
  const world = new World([], [], isRecorded);
  const none = new SetDigest();
  for (const [kind, minute] of Object.entries(minutes))
    world.fold({
      type: 'snapshot-end',
      version: 1,
      id: `${kind}-1`,
      cluster: 'c',
      source: 'kubernetes',
      stream: `kubernetes/${kind}`,
      epoch: 1,
      seq: 1,
      cursor: '',
      observedAt: at(minute),
      kinds: [kind],
      count: none.count,
      digest: none.toString(),
    });
  return world;
}

test('of several kinds the last full read counts', () => {
  expect(lastCatchUpOf(KINDS, read({ Vpc: 3, Pod: 7, IP: 5 }))).toBe(at(7));
  expect(lastCatchUpOf(['Vpc', 'IP'], read({ Vpc: 3, Pod: 7, IP: 5 }))).toBe(at(5));
  expect(lastCatchUpOf(KINDS, new World([], []))).toBe('');
});

test('a recording is of one moment, however long its reading took', () => {
  expect(lastCatchUpOf(KINDS, read({ Vpc: 3, Pod: 7, IP: 5 }, true))).toBe('');
});

test.each([
  ['a change after 90 s without news', 90_000, 'put', ''],
  ['a change after more', 90_001, 'put', 'then'],
  ['a heartbeat, which says that nothing changed,', 90_001, 'heartbeat', ''],
] as const)('a stream is caught up with by %s or is not (%#)', (_, silentMs, type, expected) => {
  const world = read({ Pod: 1 });
  const then = new Date(Date.parse(at(1)) + silentMs).toISOString();
  const position = {
    version: 1 as const,
    cluster: 'c',
    source: 'kubernetes' as const,
    stream: 'kubernetes/Pod',
    epoch: 1,
    cursor: '',
  };
  world.fold({
    type: 'heartbeat',
    ...position,
    id: 'Pod-2',
    seq: 2,
    observedAt: at(1),
    observedThrough: at(1),
  });
  const pod = { kind: 'Pod', uid: 'u', name: 'web-0', namespace: 'shop' };
  const last = { ...position, id: 'Pod-3', seq: 3, observedAt: then };
  world.fold(
    type === 'put'
      ? { type, ...last, ...pod, object: { metadata: { name: 'web-0', uid: 'u' } }, hash: 'h' }
      : { type, ...last, observedThrough: then },
  );
  expect(lastCatchUpOf(['Pod'], world)).toBe(expected === 'then' ? then : at(1));
});
