import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Adoption } from '../control/control-state';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { LedgerIdentity } from '../ledger/ledger-identity';
import { Belonging, type BelongingEvent } from './belonging';
import { livingIdentity } from '@ovn-steward/systems/living-identity';

const never = new AbortController().signal;
const A: ClusterIdentity = { northbound: 'nb:a', kubernetes: 'kube-a' };
const B: ClusterIdentity = { northbound: 'nb:b', kubernetes: 'kube-b' };
const CLAIMED = '2026-03-02T10:00:00.000Z';

let file: StateFile;
let here: ClusterIdentity;
let connections: number;
let requested: number;
let now: number;
let events: BelongingEvent[];
beforeEach(() => {
  file = openStateFile(':memory:');
  here = A;
  connections = 1;
  requested = 0;
  now = 0;
  events = [];
});
afterEach(() => file.close());

/** As a process that starts has it, on whoever answers. */
const started = (newest?: ClusterIdentity): Belonging =>
  new Belonging({
    cluster: 'c',
    living: livingIdentity(
      {
        northbound: {
          identity: async () => {
            requested += 1;
            return here.northbound;
          },
          connections: () => connections,
        },
        kubernetes: { identity: async () => here.kubernetes },
      },
      () => now,
    ),
    owners: new LedgerIdentity(file),
    newest: () => newest,
    onEvent: (it) => void events.push(it),
  });
const adoption = (to: ClusterIdentity, more: Partial<Adoption> = {}): Adoption => ({
  id: 'adopt-1',
  to,
  unnamed: false,
  by: 'anna',
  at: '2026-03-02T12:00:00.000Z',
  reason: 'rebuilt',
  ...more,
});
const OTHER = { code: 'other-cluster' };

test('a ledger belongs to nobody until the first claim, and then to whoever answered, over restarts', async () => {
  const belonging = started();
  expect(await belonging.begin(undefined, never)).toBeUndefined();
  await expect(belonging.check(never)).rejects.toMatchObject(OTHER);
  expect(belonging.foreign({ identity: A, claimedAt: CLAIMED })).toMatch(
    /belongs to no living systems/,
  );
  await belonging.claim(A, never);
  await belonging.check(never);
  here = B;
  expect(await started().begin(undefined, never)).toMatch(/Northbound nb:a .* are .*nb:b/);
});

test.each([
  ['another Northbound', { ...A, northbound: 'nb:b' }],
  ['another Kubernetes', { ...A, kubernetes: 'kube-b' }],
])('%s is refused, with what to do, and counted each time', async (_, other) => {
  await started().claim(A, never);
  here = other;
  const belonging = started();
  const why = await belonging.begin(undefined, never);
  expect(why).toContain(
    `steward adopt --cluster c --northbound ${other.northbound} --kubernetes-uid ${other.kubernetes}`,
  );
  await belonging.begin(undefined, never);
  expect(events.filter(({ type }) => type === 'other-cluster')).toHaveLength(2);
  expect(events).toContainEqual({ type: 'identity', ledger: A, here: other, refuses: why });
  await expect(belonging.check(never)).rejects.toMatchObject(OTHER);
  await expect(belonging.sending(never)).rejects.toMatchObject(OTHER);
  for (const proven of [A, other])
    await expect(belonging.claim(proven, never)).rejects.toMatchObject(OTHER);
});

test.each<[string, ClusterIdentity | undefined, ClusterIdentity, ClusterIdentity]>([
  ['proven on one and claimed on another', undefined, A, B],
  ['proven on another than the turn began on', A, B, B],
  ['proven on another, when the turn and the claim are on one', A, B, A],
])('what was %s is refused, and the ledger belongs to neither', async (_, began, proven, now) => {
  const belonging = started();
  if (began !== undefined) await belonging.begin(undefined, never);
  here = now;
  await expect(belonging.claim(proven, never)).rejects.toMatchObject(OTHER);
  expect(new LedgerIdentity(file).get('c')).toBeUndefined();
});

test('what was proven on one is claimed there, and the ledger belongs to it', async () => {
  await started().claim(A, never);
  expect(new LedgerIdentity(file).get('c')?.identity).toEqual(A);
});

test('a new file knows from the log whose the newest claim is', async () => {
  here = B;
  expect(await started(A).begin(undefined, never)).toMatch(/belongs to the Northbound nb:a/);
  here = A;
  expect(await started(A).begin(undefined, never)).toBeUndefined();
});

describe('who answers is asked', () => {
  test('at the beginning of a turn when ten seconds are over, or the connection is another', async () => {
    const belonging = started();
    const after = async (ms: number): Promise<number> => {
      now += ms;
      await belonging.begin(undefined, never);
      return requested;
    };
    expect([await after(0), await after(10_000), await after(1), await after(0)]).toEqual([
      1, 1, 2, 2,
    ]);
    connections += 1;
    expect(await after(0)).toBe(3);
  });

  test('again by whoever checks; by whoever sends, when the last answer is two seconds old', async () => {
    const belonging = started();
    await belonging.claim(A, never);
    const before = requested;
    await belonging.check(never);
    await belonging.sending(never);
    expect(requested).toBe(before + 1);
    now += 2001;
    here = B;
    await expect(belonging.sending(never)).rejects.toMatchObject(OTHER);
  });
});

describe('adopted', () => {
  beforeEach(async () => {
    await started().claim(A, never);
    here = B;
  });

  test('it belongs to the others from then on, and what was claimed before is over', async () => {
    const belonging = started();
    expect(await belonging.begin(adoption(B), never)).toBeUndefined();
    await belonging.check(never);
    const old = { identity: A, claimedAt: CLAIMED };
    expect(belonging.foreign(old)).toMatch(/it is of the Northbound nb:a/);
    expect([
      belonging.isOver(old),
      belonging.isOver({ ...old, claimedAt: '2026-03-02T13:00:00.000Z' }),
      belonging.foreign({ identity: B, claimedAt: CLAIMED }),
      belonging.named(),
    ]).toEqual([true, false, undefined, B]);
    expect(await started().begin(adoption(B), never)).toBeUndefined();
  });

  test('for others than those who answer, nothing changes', async () => {
    const belonging = started();
    expect(await belonging.begin(adoption({ ...B, kubernetes: 'kube-c' }), never)).toMatch(
      /nothing is/,
    );
    expect(belonging.isOver({ identity: B, claimedAt: CLAIMED })).toBe(false);
    expect(new LedgerIdentity(file).get('c')?.identity).toEqual(A);
  });

  test('once: those it was adopted for before do not get it back by the same word', async () => {
    await started().begin(adoption(B), never);
    here = A;
    expect(await started().begin(adoption(B), never)).toMatch(/nothing is claimed/);
    expect(await started().begin(adoption(A, { id: 'adopt-2' }), never)).toBeUndefined();
  });
});

test('a record that names nobody is foreign until a person says that those are of these', async () => {
  const belonging = started();
  await belonging.claim(A, never);
  const unnamed = { claimedAt: CLAIMED };
  expect(belonging.foreign(unnamed)).toMatch(/earlier version.*--unnamed/);
  expect(belonging.isOver(unnamed)).toBe(false);
  await belonging.begin(adoption(A, { unnamed: true }), never);
  expect(belonging.foreign(unnamed)).toBeUndefined();
});

test('a decision about others counts for nothing, one that names nobody is held against the systems', async () => {
  const belonging = started();
  await belonging.begin(undefined, never);
  expect([belonging.refuses(B), belonging.refuses(A), belonging.refuses(undefined)]).toEqual([
    expect.stringMatching(/decided about the Northbound nb:b/),
    undefined,
    undefined,
  ]);
});

test('each thing that is refused is reported once', () => {
  const belonging = started();
  belonging.refused('undo', 'a', 'why');
  belonging.refused('undo', 'a', 'why');
  belonging.refused('claim', 'a', 'why');
  expect(events).toEqual([
    { type: 'other-cluster', what: 'undo', why: 'why' },
    { type: 'other-cluster', what: 'claim', why: 'why' },
  ]);
});

test('an adoption says of records that name nobody only what the person said', async () => {
  await started().claim(A, never);
  here = B;
  const next = started();
  expect(await next.begin(adoption(B), never)).toBeUndefined();
  expect(next.foreign({ claimedAt: CLAIMED })).toMatch(/--unnamed/);
});

test('a claim leaves what a person said of the ledger as it is', async () => {
  const belonging = started();
  await belonging.claim(A, never);
  await belonging.begin(adoption(A, { unnamed: true }), never);
  await belonging.claim(A, never);
  expect([
    belonging.foreign({ claimedAt: CLAIMED }),
    belonging.isOver({ claimedAt: CLAIMED }),
    new LedgerIdentity(file).get('c'),
  ]).toEqual([undefined, true, { identity: A, unnamed: true, adopted: 'adopt-1' }]);
});
