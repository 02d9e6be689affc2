import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { readControl } from '@ovn-steward/contracts/control/read-control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import { decidedBy } from '@ovn-steward/contracts/control/decided-by';
import type { Proposal } from '../findings/proposal';
import { NOTHING_DECIDED, holdsAt } from '../control/control-state';
import { DecisionRequest } from './decision-request';
import { type DecidedAbout, makeDecision } from './make-decision';
import { foldControls } from '../control/fold-controls';

const identity = { northbound: 'nb:1', kubernetes: 'k1' };
const action = {
  id: 'a1',
  cluster: 'berlin-1',
  identity,
  finding: { id: 'f1', revision: 2 },
  state: 'done',
  undo: {},
  claimedAt: 'then',
} as unknown as ActionRecord;
const about: DecidedAbout = {
  cluster: 'berlin-1',
  approvers: { 'leaked-ip': 2 },
  proposals: () => [
    { id: 'f1', revision: 2, rule: 'orphaned-port-group' } as Proposal,
    { id: 'f2', revision: 1, rule: 'leaked-ip' } as Proposal,
  ],
  action: (id) => (id === 'a1' ? action : undefined),
  actionsOfPlan: (id) => (id === 'p1' ? [action] : []),
  actionsOfFinding: (id) => (id === 'f1' ? [action] : []),
};
const authenticated = { user: 'anna', method: 'kubernetes', from: '10.0.0.9' };
const at = new Date('2026-03-01T10:00:00Z');
const made = (request: object) =>
  makeDecision(DecisionRequest.parse(request), about, {
    id: 'id',
    at,
    authenticated,
    approver: 'key1',
  });

test('a decision is of whoever proved to make it, now, about the living systems it was about', () => {
  expect(made({ type: 'approve', finding: 'f1', revision: 2 })).toEqual({
    type: 'approve',
    version: 1,
    id: 'id',
    cluster: 'berlin-1',
    by: 'anna',
    authenticated,
    at: at.toISOString(),
    identity,
    finding: 'f1',
    revision: 2,
  });
  expect(made({ type: 'undo', of: 'a1' })).toMatchObject({ of: 'a1', identity });
  expect(made({ type: 'undo', of: 'p1' })).toMatchObject({ of: 'p1', identity });
});

test('where a rule wants several people, the word is that of the key that signs it, whoever said it', () => {
  expect(made({ type: 'approve', finding: 'f2', revision: 1 })).toMatchObject({ approver: 'key1' });
  expect(made({ type: 'withdraw', of: 'approve/f2' })).toMatchObject({ of: 'approve/f2/key1' });
  expect(made({ type: 'withdraw', of: 'approve/f1' })).toMatchObject({ of: 'approve/f1' });
});

test.each<[object, string]>([
  [{ type: 'approve', finding: 'f1', revision: 1 }, 'config-invalid'],
  [{ type: 'approve', finding: 'f3', revision: 1 }, 'input-not-found'],
  [{ type: 'undo', of: 'a2' }, 'input-not-found'],
  [{ type: 'give-up', of: 'a1', claimedAt: 'then', reason: 'x' }, 'config-invalid'],
  [{ type: 'give-up', of: 'a2', claimedAt: 'then', reason: 'x' }, 'input-not-found'],
  [{ type: 'resume', scope: {}, cluster: 'berlin-2' }, 'input-not-found'],
])('%j is refused', (request, code) =>
  expect(() => made(request)).toThrow(expect.objectContaining({ code })),
);

test.each([
  { type: 'hold', scope: { rule: 'no-such-rule' }, reason: 'x' },
  { type: 'hold', scope: { node: 'x' }, reason: 'x' },
  { type: 'hold', scope: {}, reason: '' },
  { type: 'hold', scope: {}, reason: 'x', until: 'tomorrow' },
  { type: 'suppress', selector: {}, reason: 'x' },
  { type: 'suppress', selector: { node: 'x' }, reason: 'x' },
  { type: 'withdraw', of: 'hold/x' },
  { type: 'withdraw', of: 'approve/f1/another-key' },
  { type: 'adopt', to: identity, unnamed: true, reason: 'x' },
  { type: 'plan', plan: {}, overCeilings: true },
  { type: 'resume', scope: {}, by: 'paul' },
])('%j cannot be asked for', (request) =>
  expect(DecisionRequest.safeParse(request).success).toBe(false),
);

test('on the topic it is a decision like any other, and shows who decided', () => {
  const control = made({ type: 'hold', scope: {}, reason: 'x' });
  const { key, value } = encodeControl(control, 0);
  const read = readControl({ key, value: Buffer.from(value!) });
  expect(read).toEqual({ control });
  const state = foldControls(NOTHING_DECIDED, 'berlin-1', [{ key, read }]);
  expect(holdsAt(state, at)[0]?.by).toBe('anna');
  const signed = readControl({
    key,
    value: Buffer.from(value!),
    origin: {
      is: 'proven',
      at: 0,
      by: { keyId: 'key1', name: 'door', role: 'approver' },
    } as never,
  });
  expect('control' in signed && [signed.control.by, decidedBy(signed.control)]).toEqual([
    'door',
    'anna (through door)',
  ]);
});
