import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import type { Systems } from '@ovn-steward/systems/systems';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { ledByController } from './controller-lease';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const WHERE = { namespace: 'network', lease: 'its-controller' };
const DEAD = { holderIdentity: 'x', renewTime: '2026-01-01T11:49:59.000000Z' };
type Spec = Record<string, unknown> | undefined;

/** What the Lease says at the first read, and what after each pause. */
function cluster(...says: readonly Spec[]) {
  let pauses = 0;
  const requested: unknown[] = [];
  const kubernetes = {
    get: async (kind: string, namespace: string | undefined, name: string) => {
      requested.push([kind, namespace, name]);
      const spec = says[Math.min(pauses, says.length - 1)];
      return spec && { metadata: { name, uid: 'u', resourceVersion: '1' }, spec };
    },
  };
  const led = () =>
    ledByController(kubernetes, WHERE, new AbortController().signal, {
      now: () => NOW,
      pause: async () => void (pauses += 1),
    });
  return { led, asked: requested, pauses: () => pauses };
}

test.each([
  ['there is no Lease', undefined],
  ['nobody holds it', { holderIdentity: '', renewTime: '2026-01-01T12:00:00Z' }],
  ['its holder is null', { holderIdentity: null, renewTime: '2026-01-01T12:00:00Z' }],
  ['its holder has been silent for more than ten minutes', DEAD],
])(
  'nobody leads when %s, seen twice; while it stays so that is not waited for again',
  async (_, spec) => {
    const { led, asked: requested, pauses } = cluster(spec);
    expect([await led(), await led(), pauses(), requested.length]).toEqual([
      undefined,
      undefined,
      1,
      3,
    ]);
    expect(requested[0]).toEqual(['Lease', 'network', 'its-controller']);
  },
);

test.each([
  ['it was just renewed', { holderIdentity: 'x', renewTime: '2026-01-01T11:59:58.123456Z' }],
  ['it was renewed ten minutes ago', { holderIdentity: 'x', renewTime: '2026-01-01T11:50:00Z' }],
  ['our clock is behind', { holderIdentity: 'x', renewTime: '2026-01-01T13:00:00Z' }],
  ['nobody says when it was renewed', { holderIdentity: 'x' }],
  ['the time cannot be read', { holderIdentity: 'x', renewTime: 'soon' }],
])('somebody may lead when %s', async (_, spec) =>
  expect(await cluster(spec).led()).toContain('(x) holds Lease network/its-controller'),
);

test.each([
  [
    'it is renewed, though by our clock it had been silent for ten minutes',
    DEAD,
    { ...DEAD, renewTime: '2026-01-01T11:49:59.900000Z' },
    'changed a moment ago',
  ],
  [
    'somebody takes it',
    { holderIdentity: '' },
    { holderIdentity: 'y', renewTime: '2026-01-01T12:00:00Z' },
    '(y) holds',
  ],
  [
    'it is made',
    undefined,
    { holderIdentity: 'y', renewTime: '2026-01-01T12:00:00Z' },
    '(y) holds',
  ],
])('somebody leads when %s meanwhile', async (_, before, after, why) => {
  const { led } = cluster(before, after);
  expect(await led()).toContain(why);
});

test('a client that is guarded anew, as for each plan, is known by the one behind it', async () => {
  const kubernetes = memoryKubernetes();
  let pauses = 0;
  const led = () =>
    ledByController(
      guardedSystems({ kubernetes, northbound: {} } as unknown as Systems, async () => undefined)
        .kubernetes,
      WHERE,
      new AbortController().signal,
      { pause: async () => void (pauses += 1) },
    );
  expect([await led(), await led(), pauses]).toEqual([undefined, undefined, 1]);
  await ledByController(memoryKubernetes(), WHERE, new AbortController().signal, {
    pause: async () => void (pauses += 1),
  });
  expect(pauses).toBe(2); // of another server nothing is known
});

test('what is renewed after it was found silent is read again', async () => {
  const renewed = (time: string): Spec => ({ ...DEAD, renewTime: `2026-01-01T11:49:59.${time}Z` });
  const each = [DEAD, DEAD, renewed('95'), renewed('96')][Symbol.iterator]();
  const kubernetes = {
    get: async (_: string, __: string | undefined, name: string) => ({
      metadata: { name, uid: 'u', resourceVersion: '1' },
      spec: each.next().value,
    }),
  };
  const led = () =>
    ledByController(kubernetes, WHERE, new AbortController().signal, {
      now: () => NOW,
      pause: async () => undefined,
    });
  expect(await led()).toBeUndefined();
  expect(await led()).toContain('changed a moment ago');
});

test('fails when it cannot be read: that is no answer', async () => {
  await expect(
    ledByController(
      { get: () => Promise.reject(new Error('away')) },
      WHERE,
      new AbortController().signal,
    ),
  ).rejects.toThrow('away');
});
