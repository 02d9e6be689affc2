import type { Mode } from '@ovn-steward/shared/mode';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { FindingApproval, ApprovedPlan, ControlState } from '../control/control-state';
import { NOTHING_DECIDED } from '../control/control-state';
import type { Proposal } from '../findings/proposal';
import type { Item } from '../gate/item';
import { finding, NOW } from '../testing/findings';
import { planEntry, somePlan } from '../testing/plans';
import { itemsOf } from './items';

const HERE = { northbound: 'nb:here', kubernetes: 'here' };
const ELSEWHERE = { northbound: 'nb:elsewhere', kubernetes: 'elsewhere' };
const AT = NOW.toISOString();
const enforce = (): Mode => 'enforce';

let refused: string[];
beforeEach(() => (refused = []));

const proposal = (port: string, more: Partial<Finding> = {}): Proposal =>
  finding(port, more) as Proposal;
const approval = (by: string, more: Partial<FindingApproval> = {}): FindingApproval => {
  const { id, revision } = proposal('a');
  return { finding: id, revision, by, at: AT, ...more };
};
const approvedBy = (...approvals: readonly FindingApproval[]): ControlState => ({
  ...NOTHING_DECIDED,
  approvals: new Map(approvals.map((it, nth) => [`${nth}`, it])),
});
const items = (
  proposals: readonly Proposal[],
  state: ControlState,
  plans: readonly ApprovedPlan[] = [],
): readonly Item[] =>
  itemsOf(proposals, state, plans, enforce, NOW, {
    refuses: (identity) => (identity === ELSEWHERE ? 'of another' : undefined),
    refused: (what, id, why) => void refused.push(`${what} ${id} ${why}`),
  });
const planned = (more: Partial<ApprovedPlan> = {}): ApprovedPlan => ({
  plan: somePlan(),
  by: 'anna',
  at: AT,
  overCeilings: true,
  ...more,
});

test('what nobody approved has no approval', () =>
  expect(items([proposal('a')], NOTHING_DECIDED)).toMatchObject([{ approval: undefined }]));

test('what people approved says who, that no plan did, and that ceilings count', () =>
  expect(
    items(
      [proposal('a'), proposal('b')],
      approvedBy(approval('anna', { identity: HERE }), approval('bob', { signed: true })),
    ).map((it) => it.approval),
  ).toEqual([
    {
      by: 'anna',
      approvers: ['anna', 'bob'],
      signers: ['bob'],
      plan: null,
      overCeilings: false,
    },
    undefined,
  ]));

test('an approval of other living systems counts for nothing, which is reported', () => {
  const [item] = items([proposal('a')], approvedBy(approval('anna', { identity: ELSEWHERE })));
  expect(item!.approval).toBeUndefined();
  expect(refused).toEqual([`approval ${proposal('a').id} of another`]);
});

test('an entry of a plan is what the plan says, in the version it was read in', () => {
  const plan = somePlan({ entries: [planEntry('a')] });
  expect(items([], NOTHING_DECIDED, [planned({ plan })])).toMatchObject([
    {
      id: plan.entries[0]!.id,
      version: 'version of a',
      approval: { by: 'anna', plan: plan.id, overCeilings: true, approvers: ['anna'] },
    },
  ]);
});

test('who approved the finding of an entry as well counts with who approved the plan', () =>
  expect(
    items([], approvedBy(approval('bob', { signed: true })), [
      planned({ plan: somePlan({ entries: [planEntry('a')] }) }),
    ])[0]!.approval,
  ).toMatchObject({ by: 'anna', approvers: ['anna', 'bob'], signers: ['bob'] }));

test('an entry that is not ripe yet is left out; what is found by itself stays', () => {
  const ripeAt = new Date(NOW.getTime() + 1).toISOString();
  const plan = somePlan({ entries: [planEntry('a', { ripeAt }), planEntry('b')] });
  expect(items([proposal('a')], NOTHING_DECIDED, [planned({ plan })])).toMatchObject([
    { approval: undefined },
    { version: 'version of b' },
  ]);
});
