import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Proposal } from '../findings/proposal';
import { itemOf } from '../gate/item';
import { Ledger } from '../ledger/ledger';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { action } from '../testing/actions';
import { CLUSTER, finding, NOW } from '../testing/findings';
import { thosePutBack } from './put-back-before';

const AT = NOW.toISOString();
const ANNA = { by: 'anna', plan: null, overCeilings: false };
let ledger: Ledger;
beforeEach(() => {
  ledger = new Ledger(openStateFile(':memory:'));
});

const undone = (port: string, more: Partial<ActionRecord> = {}): ActionRecord => {
  const record = action(port, { state: 'undone', code: 'undone', endedAt: AT, ...more });
  ledger.write([record]);
  return record;
};
const item = (
  port: string,
  target: Partial<ActionRecord['target']> = {},
  approval?: typeof ANNA,
) => {
  const proposal = finding(port) as Proposal;
  const remedy = { ...proposal.remedy, target: { ...proposal.remedy.target, ...target } };
  return itemOf({ ...proposal, remedy }, 'enforce', approval);
};
const before = (it: ReturnType<typeof item>) => thosePutBack(ledger, CLUSTER)()(it)?.id;

test('what a person had put back is known by its name, whatever its incarnation', () => {
  const { id } = undone('a');
  expect([before(item('a')), before(item('a', { uid: 'another' })), before(item('b'))]).toEqual([
    id,
    id,
    undefined,
  ]);
});

test.each<[string, Partial<ActionRecord['target']>]>([
  ['of another kind', { kind: 'Load_Balancer' }],
  ['of the other system', { source: 'kubernetes' }],
  ['of a namespace', { namespace: 'shop' }],
  ['which is an entry of it', { part: { column: 'addresses', key: 'x' } }],
])('a namesake %s is not it', (_, target) => {
  undone('a');
  expect(before(item('a', target))).toBeUndefined();
});

test('what has no name is its uid, an entry its column and key', () => {
  const { target } = action('a');
  const named = (more: Partial<ActionRecord['target']>) => ({ target: { ...target, ...more } });
  const { id } = undone('a', named({ name: '', uid: 'u' }));
  const entry = undone('b', named({ name: 'lb', part: { column: 'vips', key: 'k' } })).id;
  expect([
    before(item('a', { name: '', uid: 'u' })),
    before(item('a', { name: '', uid: 'v' })),
    before(item('b', { name: 'lb', part: { column: 'vips', key: 'k' } })),
    before(item('b', { name: 'lb', part: { column: 'vips', key: 'l' } })),
    before(item('b', { name: 'lb', part: { column: 'options', key: 'k' } })),
  ]).toEqual([id, undefined, entry, undefined, undefined]);
});

test('a person may approve that it goes again', () => {
  undone('a');
  expect(before(item('a', {}, ANNA))).toBeUndefined();
});

test('what came back in a race, or is only done, is judged like anything else', () => {
  undone('a', { code: 'raced' });
  ledger.write([action('b', { state: 'done', endedAt: AT })]);
  expect([before(item('a')), before(item('b'))]).toEqual([undefined, undefined]);
});

test('what is put back later is known in the next turn, of this cluster only', () => {
  const turn = thosePutBack(ledger, CLUSTER);
  expect(turn()(item('a'))).toBeUndefined();
  const { id } = undone('a');
  expect(turn()(item('a'))?.id).toBe(id);
  expect(thosePutBack(ledger, 'elsewhere')()(item('a'))).toBeUndefined();
});
