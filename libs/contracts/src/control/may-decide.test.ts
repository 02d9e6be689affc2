import type { Signer } from '@ovn-steward/shared/log/signer';

import { whyMayNotDecide } from './may-decide';

const CLUSTER = 'berlin-1';
const APPROVER: Signer = { keyId: 'k', role: 'approver', name: 'anna' };
const EXECUTOR: Signer = { keyId: 'k', role: 'executor', name: 'e' };
const HOLD = `${CLUSTER}/hold/["*","*","*"]`;
const HEARD = `${CLUSTER}/heard/e`;

test.each<[string, Signer, string, string | undefined, boolean]>([
  ['a person decides', APPROVER, HOLD, 'hold', true],
  ['a person forgets', APPROVER, HOLD, undefined, true],
  ['an executor decides', EXECUTOR, HOLD, 'hold', false],
  ['an executor forgets a hold', EXECUTOR, HOLD, undefined, false],
  ['an executor says that it heard', EXECUTOR, HEARD, 'heard', true],
  ['an executor says that another heard', EXECUTOR, `${CLUSTER}/heard/e2`, 'heard', false],
  ['an executor forgets that another heard', EXECUTOR, `${CLUSTER}/heard/e2`, undefined, false],
  ['a person says that an executor heard', APPROVER, HEARD, 'heard', false],
  ['about no cluster, which who reads it refuses', APPROVER, 'hold', 'hold', true],
  ['of this cluster', { ...APPROVER, clusters: [CLUSTER] }, HOLD, 'hold', true],
  ['of another cluster', { ...APPROVER, clusters: ['paris-1'] }, HOLD, 'hold', false],
  ['of no cluster', { ...APPROVER, clusters: [] }, HOLD, 'hold', false],
  ['who may hold holds', { ...APPROVER, decisions: ['hold'] }, HOLD, 'hold', true],
  ['who may only resume holds', { ...APPROVER, decisions: ['resume'] }, HOLD, 'hold', false],
  ['who may only hold forgets', { ...APPROVER, decisions: ['hold'] }, HOLD, undefined, false],
  [
    'who may only hold writes nonsense',
    { ...APPROVER, decisions: ['hold'] },
    HOLD,
    undefined,
    false,
  ],
])('%s', (_, signer, key, type, may) => {
  expect(whyMayNotDecide(signer, key, type) === undefined).toBe(may);
});
