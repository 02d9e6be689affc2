import { project } from './project';

const lease = (spec: Record<string, unknown>) => ({
  metadata: {
    name: 'node-1',
    namespace: 'kube-node-lease',
    uid: 'u',
    resourceVersion: String(spec['renewTime']),
  },
  spec,
});

it('is the same after it was renewed, and another when somebody else holds it', () => {
  const held = {
    holderIdentity: 'node-1',
    leaseDurationSeconds: 40,
    leaseTransitions: 1,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
  };
  const [before, renewed, taken] = [
    held,
    { ...held, renewTime: '2026-01-01T00:00:10.000000Z' },
    { ...held, holderIdentity: 'node-2' },
  ].map((it) => project('Lease', lease(it)).object);
  expect(renewed).toEqual(before);
  expect(taken).not.toEqual(before);
});
