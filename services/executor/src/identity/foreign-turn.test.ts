import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Identified } from '@ovn-steward/systems/living-identity';
import { foreignTurn, type Whose } from './foreign-turn';

const never = new AbortController().signal;
const A: ClusterIdentity = { northbound: 'nb:a', kubernetes: 'kube-a' };
const B: ClusterIdentity = { northbound: 'nb:b', kubernetes: 'kube-b' };
const HERE: Identified = {
  northbound: { identity: async () => B.northbound, connections: () => 1 },
  kubernetes: { identity: async () => B.kubernetes },
};
const ADOPTED = {
  id: 'adopt-1',
  to: B,
  unnamed: false,
  by: 'anna',
  at: '2026-03-02T12:00:00.000Z',
  reason: 'rebuilt',
};
const owned = (identity: ClusterIdentity) => ({ identity, unnamed: false, adopted: null });
const turn = (whose: Partial<Whose>, adopted?: typeof ADOPTED) =>
  foreignTurn('c', HERE, { owner: undefined, newest: undefined, ...whose }, adopted, never);

test.each<[string, Partial<Whose>]>([
  ['whose file says another', { owner: owned(A) }],
  ['whose file says another, whatever the log says', { owner: owned(A), newest: B }],
  ['whose newest claim is of another', { newest: A }],
])('a turn on a ledger %s does nothing', async (_, whose) => {
  expect(await turn(whose)).toMatch(/belongs to the Northbound nb:a/);
});

test.each<[string, Partial<Whose>, typeof ADOPTED | undefined]>([
  ['that is of those who answer', { owner: owned(B), newest: A }, undefined],
  ['whose newest claim is of those who answer', { newest: B }, undefined],
  ['of nobody', {}, undefined],
  ['that a person gave to those who answer', { owner: owned(A) }, ADOPTED],
])('one on a ledger %s does what it does', async (_, whose, adopted) => {
  expect(await turn(whose, adopted)).toBeUndefined();
});
