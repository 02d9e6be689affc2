import { SetDigest } from '@ovn-steward/contracts/identity/ids';
import { World } from '../world/world';
import { knowledgeOfKinds } from './watermark';

const KINDS = ['Vpc', 'Pod', 'IP'];

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

/** The position of a change of the kind's stream. */
const position = (kind: string, seq: number, observedAt: string) => ({
  version: 1 as const,
  id: `${kind}-${seq}`,
  cluster: 'c',
  source: 'kubernetes' as const,
  stream: `kubernetes/${kind}`,
  epoch: 1,
  seq,
  cursor: '',
  observedAt,
});

/** A world whose kinds were observed through these minutes. */
function observed(minutes: Readonly<Record<string, number>>): World {
  const world = new World([], []);
  for (const [kind, minute] of Object.entries(minutes))
    world.fold({
      type: 'heartbeat',
      ...position(kind, 1, at(59)),
      observedThrough: at(minute),
    });
  return world;
}

test.each<[string, Record<string, number>, string]>([
  ['the first kind', { Vpc: 1, Pod: 5, IP: 5 }, at(1)],
  ['another kind', { Vpc: 5, Pod: 2, IP: 5 }, at(2)],
  ['the last kind', { Vpc: 5, Pod: 5, IP: 3 }, at(3)],
])('is that of %s where this is the oldest', (_, minutes, oldest) => {
  expect(knowledgeOfKinds(KINDS, observed(minutes)).watermark).toBe(oldest);
});

test.each(['Vpc', 'Pod', 'IP'])('is empty while %s was not observed at all', (kind) => {
  const minutes: Record<string, number> = { Vpc: 5, Pod: 5, IP: 5 };
  delete minutes[kind];
  expect(knowledgeOfKinds(KINDS, observed(minutes)).watermark).toBe('');
});

test('a kind that is not installed is as fresh as the definitions that show it', () => {
  const world = observed({ Vpc: 5, Pod: 5 });
  const none = new SetDigest();
  world.fold({
    type: 'snapshot-end',
    ...position('CustomResourceDefinition', 1, at(59)),
    kinds: ['CustomResourceDefinition'],
    count: none.count,
    digest: none.toString(),
  });
  world.fold({
    type: 'heartbeat',
    ...position('CustomResourceDefinition', 2, at(59)),
    observedThrough: at(2),
  });
  world.fold({
    type: 'unavailable',
    ...position('IP', 1, at(59)),
    kinds: ['IP'],
    reason: 'not-served',
    detail: '',
  });
  expect(knowledgeOfKinds(KINDS, world).watermark).toBe(at(2));
});

/** A world whose kinds were read in full at these minutes. */
function read(minutes: Readonly<Record<string, number>>, isRecorded = false): World {
  const world = new World([], [], isRecorded);
  const none = new SetDigest();
  for (const [kind, minute] of Object.entries(minutes))
    world.fold({
      type: 'snapshot-end',
      ...position(kind, 1, at(minute)),
      kinds: [kind],
      count: none.count,
      digest: none.toString(),
    });
  return world;
}

test('of several kinds the last full read counts', () => {
  expect(knowledgeOfKinds(KINDS, read({ Vpc: 3, Pod: 7, IP: 5 })).lastCatchUp).toBe(at(7));
  expect(knowledgeOfKinds(['Vpc', 'IP'], read({ Vpc: 3, Pod: 7, IP: 5 })).lastCatchUp).toBe(at(5));
  expect(knowledgeOfKinds(KINDS, new World([], [])).lastCatchUp).toBe('');
});

test('a recording is of one moment, however long its reading took', () => {
  expect(knowledgeOfKinds(KINDS, read({ Vpc: 3, Pod: 7, IP: 5 }, true)).lastCatchUp).toBe('');
});

test.each([
  ['a change after 90 s without news', 90_000, 'put', ''],
  ['a change after more', 90_001, 'put', 'then'],
  ['a heartbeat, which says that nothing changed,', 90_001, 'heartbeat', ''],
] as const)('a stream is caught up with by %s or is not (%#)', (_, silentMs, type, expected) => {
  const world = read({ Pod: 1 });
  const then = new Date(Date.parse(at(1)) + silentMs).toISOString();
  world.fold({
    type: 'heartbeat',
    ...position('Pod', 2, at(1)),
    observedThrough: at(1),
  });
  const pod = { kind: 'Pod', uid: 'u', name: 'web-0', namespace: 'shop' };
  const last = position('Pod', 3, then);
  world.fold(
    type === 'put'
      ? { type, ...last, ...pod, object: { metadata: { name: 'web-0', uid: 'u' } }, hash: 'h' }
      : { type, ...last, observedThrough: then },
  );
  expect(knowledgeOfKinds(['Pod'], world).lastCatchUp).toBe(expected === 'then' ? then : at(1));
});
