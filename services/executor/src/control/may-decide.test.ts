import type { Signer } from '@ovn-steward/shared/signing/signer';
import { decision } from '../testing/controls';
import { CLUSTER } from '../testing/findings';
import { mayDecide } from './may-decide';

const APPROVER: Signer = { keyId: 'k', role: 'approver', name: 'anna' };
const EXECUTOR: Signer = { keyId: 'k', role: 'executor', name: 'e' };
const hold = { control: decision({ type: 'hold', scope: {}, reason: 'x', until: null }) };
const HOLD = `${CLUSTER}/hold/["*","*","*"]`;
const HEARD = `${CLUSTER}/heard/e`;

test.each<[string, Signer, string, Parameters<typeof mayDecide>[2], boolean]>([
  ['a person decides', APPROVER, HOLD, hold, true],
  ['a person forgets', APPROVER, HOLD, { forgotten: true }, true],
  ['an executor decides', EXECUTOR, HOLD, hold, false],
  ['an executor forgets a hold', EXECUTOR, HOLD, { forgotten: true }, false],
  ['an executor says that it heard', EXECUTOR, HEARD, { newer: 'heard' }, true],
  ['a person says that an executor heard', APPROVER, HEARD, { newer: 'heard' }, false],
  ['of this cluster', { ...APPROVER, clusters: [CLUSTER] }, HOLD, hold, true],
  ['of another cluster', { ...APPROVER, clusters: ['paris-1'] }, HOLD, hold, false],
  ['of no cluster', { ...APPROVER, clusters: [] }, HOLD, hold, false],
  ['who may hold holds', { ...APPROVER, decisions: ['hold'] }, HOLD, hold, true],
  ['who may only resume holds', { ...APPROVER, decisions: ['resume'] }, HOLD, hold, false],
  [
    'who may only hold forgets',
    { ...APPROVER, decisions: ['hold'] },
    HOLD,
    { forgotten: true },
    false,
  ],
  [
    'who may only hold writes nonsense',
    { ...APPROVER, decisions: ['hold'] },
    HOLD,
    { poison: 'x' },
    false,
  ],
])('%s', (_, signer, key, read, may) => {
  expect(mayDecide(signer, key, read) === undefined).toBe(may);
});
