import { Failure } from '@ovn-steward/shared/errors';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { LedgerOwner } from '../ledger/ledger-identity';
import type { BelongingEvent } from './belonging';
import { guardGate, type GuardGateOptions } from './guard-gate';
import { livingIdentity } from '@ovn-steward/systems/living-identity';

const A: ClusterIdentity = { northbound: 'nb:a', kubernetes: 'kube-a' };
const B: ClusterIdentity = { northbound: 'nb:b', kubernetes: 'kube-b' };
const never = new AbortController().signal;
const owned = (identity: ClusterIdentity): LedgerOwner => ({
  identity,
  unnamed: false,
  adopted: null,
});

let here: ClusterIdentity;
let owner: LedgerOwner | undefined;
let reported: BelongingEvent[];
beforeEach(() => {
  here = A;
  owner = owned(A);
  reported = [];
});

/** A gate before systems that say they are `here`; each asking is again. */
function gate(more: Partial<GuardGateOptions> = {}): (signal: AbortSignal) => Promise<void> {
  let now = 0;
  return guardGate({
    cluster: 'berlin',
    living: livingIdentity(
      {
        northbound: { identity: async () => here.northbound, connections: () => 1 },
        kubernetes: { identity: async () => here.kubernetes },
      },
      () => (now += 60_000),
    ),
    owners: { get: () => owner, set: () => undefined },
    newest: () => undefined,
    caughtUp: Promise.resolve(),
    onEvent: (it) => reported.push(it),
    ...more,
  });
}

test('its own systems are written to, and nothing is reported', async () => {
  await expect(gate()(never)).resolves.toBeUndefined();
  expect(reported).toEqual([]);
});

test.each([
  ['another pair', B],
  ['another Northbound', { ...A, northbound: 'nb:b' }],
  ['another Kubernetes', { ...A, kubernetes: 'kube-b' }],
])('%s is refused with the sentence of the executor, and reported each time', async (_, other) => {
  const check = gate();
  await check(never);
  here = other;
  for (const times of [1, 2]) {
    const failure = (await check(never).catch((error: unknown) => error)) as Failure;
    expect([failure.code, failure.message]).toEqual([
      'other-cluster',
      expect.stringContaining('The ledger of cluster berlin belongs to the Northbound nb:a'),
    ]);
    expect(reported).toEqual(
      Array.from({ length: times }, () => ({
        type: 'other-cluster',
        what: 'guard',
        why: failure.message,
      })),
    );
  }
});

test('a cluster a person adopted meanwhile is written to', async () => {
  const check = gate();
  here = B;
  await expect(check(never)).rejects.toMatchObject({ code: 'other-cluster' });
  owner = owned(B);
  await expect(check(never)).resolves.toBeUndefined();
});

test('a file that is new goes by the newest claim, once the log was read', async () => {
  owner = undefined;
  let known: ClusterIdentity | undefined;
  let caughtUp = (): void => undefined;
  const check = gate({
    newest: () => known,
    caughtUp: new Promise<void>((resolve) => (caughtUp = resolve)),
  });
  const requested = check(never);
  known = B;
  caughtUp();
  await expect(requested).rejects.toMatchObject({ code: 'other-cluster' });
});

test('a ledger that belongs to nobody yet stands against nobody', async () => {
  owner = undefined;
  await expect(gate()(never)).resolves.toBeUndefined();
});

test('where nobody can be asked, or all is ending, nothing is written', async () => {
  const lost = new Failure('source-unreachable', 'no answer');
  const living = {
    read: () => Promise.reject(lost),
    recent: () => Promise.reject(lost),
    isRecent: () => false,
  };
  await expect(gate({ living })(never)).rejects.toBe(lost);
  await expect(gate()(AbortSignal.abort(lost))).rejects.toBe(lost);
});
