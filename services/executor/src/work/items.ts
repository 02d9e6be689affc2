import type { Mode } from '@ovn-steward/shared/mode';
import { approvalsFor, type ApprovedPlan, type ControlState } from '../control/control-state';
import type { Belonging } from '../identity/belonging';
import { isRipe, type PlanEntry, proposalOf } from '../plan/plan';
import type { Proposal } from '../findings/proposal';
import { type Approval, type Item, itemOf } from '../gate/item';

/**
 * What may be done something about now: the proposals as they stand, with who approved them, and
 * the entries of the plans that hold.
 */
export function itemsOf(
  proposals: readonly Proposal[],
  state: ControlState,
  plans: readonly ApprovedPlan[],
  modeOf: (rule: string) => Mode,
  now: Date,
  belonging: Pick<Belonging, 'refuses' | 'refused'>,
): readonly Item[] {
  const items = new Map<string, Item>();
  const add = (item: Item): void => void items.set(item.id, item);
  const approvedBy = (proposal: Proposal): readonly Approved[] =>
    approvalsFor(state, proposal).filter(({ identity }) => {
      const why = belonging.refuses(identity);
      if (why !== undefined) belonging.refused('approval', proposal.id, why);
      return why === undefined;
    });
  for (const proposal of proposals) {
    const approved = approvedBy(proposal);
    const by = approved[0]?.by;
    add(
      itemOf(
        proposal,
        modeOf(proposal.rule),
        by === undefined
          ? undefined
          : { by, ...peopleIn(approved), plan: null, overCeilings: false },
      ),
    );
  }
  for (const approved of plans) {
    for (const entry of approved.plan.entries)
      if (isRipe(entry, now)) {
        const item = itemOfPlan(approved, entry, modeOf);
        const people = peopleIn([approved, ...approvedBy(item.finding)]);
        add({ ...item, approval: { ...item.approval!, ...people } });
      }
  }
  return [...items.values()];
}

type Approved = Pick<ApprovedPlan, 'by' | 'signed'> & { readonly shownAs?: string };

/** Each name once: of all, of those that are proven, and as people are shown them. */
const peopleIn = (
  approved: readonly Approved[],
): Pick<Approval, 'approvers' | 'signers' | 'shownAs'> => ({
  approvers: [...new Set(approved.map(({ by }) => by))],
  signers: [...new Set(approved.flatMap(({ by, signed }) => (signed ? [by] : [])))],
  ...(approved.some(({ shownAs }) => shownAs !== undefined) && {
    shownAs: [...new Set(approved.map(({ by, shownAs = by }) => shownAs))],
  }),
});

/** An entry of a plan, ripe or not. */
export const itemOfPlan = (
  { plan, by, overCeilings }: ApprovedPlan,
  entry: PlanEntry,
  modeOf: (rule: string) => Mode,
): Item =>
  itemOf(
    proposalOf(plan, entry),
    modeOf(entry.rule),
    { by, plan: plan.id, overCeilings },
    { id: entry.id, version: entry.version, entries: plan.entries },
  );
