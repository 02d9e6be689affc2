import { ENDED, UNDER_WAY } from '@ovn-steward/contracts/actions/action';
import type { Mode } from '@ovn-steward/shared/mode';
import type { ControlState } from '../control/control-state';
import type { ControlFollower } from '../control/follow-control';
import type { Proposal } from '../findings/proposal';
import type { Ledger } from '../ledger/ledger';
import type { LedgerEntry } from './ledger-entry';
import type { LedgerWriter } from './ledger-writer';
import type { Item } from '../gate/item';
import { itemOfPlan, itemsOf } from './items';
import { recordOnce } from './record-once';
import { type CheckedPlan, plansOf } from './plans';
import { thosePutBack } from './put-back-before';
import type { ClusterWork } from './work';

export interface ApplicantOptions {
  readonly cluster: string;
  readonly work: ClusterWork;
  readonly ledger: Ledger;
  readonly modeOf: (rule: string) => Mode;
  /** Carry out this plan and no other; all that hold, by default. */
  readonly onlyPlan?: string;
  readonly clock: () => Date;
  /** Called with the plans that are over. */
  readonly control: Pick<ControlFollower, 'forget'>;
}

/**
 * How long a refusal stays visible before another record of the same id may replace it, since the
 * ledger has one record for each id; milliseconds.
 */
const REFUSAL_MS = 60_000;

/**
 * What may be acted on: what is neither claimed nor ended, and was not put back by a person. For
 * plans that do not hold, and for what was put back, it records why nothing is done.
 */
export function applicantsOf({
  cluster,
  work,
  ledger,
  modeOf,
  onlyPlan,
  clock,
  control,
}: ApplicantOptions): (
  proposals: readonly Proposal[],
  decided: ControlState,
  signal: AbortSignal,
) => Promise<readonly Item[]> {
  const plans = plansOf(work, ledger, cluster, clock);
  const putBackBefore = thosePutBack(ledger, cluster);
  return async (proposals, decided, signal) => {
    const over = [...decided.plans.values()].filter((it) => plans.isOver(it));
    control.forget(over);
    const wanted = [...decided.plans.values()].filter(
      (it) => (onlyPlan === undefined || it.plan.id === onlyPlan) && !over.includes(it),
    );
    const checked = await plans.check(wanted, signal);
    const holding = checked.flatMap((it) => (it.is === 'holds' ? [it.approved] : []));
    const refusals = refusalsOf(checked, modeOf, work.ledger);
    const before = putBackBefore();
    const putBack: [Item, LedgerEntry][] = [];
    const candidates = itemsOf(proposals, decided, holding, modeOf, clock(), work.belonging).filter(
      (item) => {
        if (isOver(item.id, work.ledger)) return false;
        if (waitsFor(refusals.get(item.id), item, clock)) return false;
        refusals.delete(item.id);
        const undone = before(item);
        if (undone !== undefined) putBack.push([item, keptPutBack(undone.at)]);
        return undone === undefined;
      },
    );
    await recordOnce(work.ledger, [
      ...putBack,
      ...[...refusals.values()].map((it): [Item, LedgerEntry] => [it.item, it.entry]),
    ]);
    return candidates;
  };
}

/** Whether nothing is to be decided about it: it ended, or is being done. */
function isOver(id: string, writer: LedgerWriter): boolean {
  const stands = writer.stateOf(id);
  return stands !== undefined && (ENDED.has(stands.state) || UNDER_WAY.has(stands.state));
}

interface Refusal {
  readonly item: Item;
  readonly entry: LedgerEntry;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A refusal delays items that no person approved; approved ones go on. */
const waitsFor = (refusal: Refusal | undefined, { approval }: Item, clock: () => Date): boolean =>
  refusal !== undefined &&
  approval === undefined &&
  Math.abs(clock().getTime() - refusal.at) < REFUSAL_MS;

const keptPutBack = (at: string): LedgerEntry => ({
  state: 'deferred',
  code: 'put-back',
  reason: `a person had it put back at ${at}: it is removed again only when a person approves that`,
});

/** What is refused with its plan, by its id: one refusal each, however many plans name it. */
function refusalsOf(
  checked: readonly CheckedPlan[],
  modeOf: (rule: string) => Mode,
  writer: LedgerWriter,
): Map<string, Refusal> {
  const refusals = new Map<string, Refusal>();
  for (const checkedPlan of checked) {
    if (checkedPlan.is !== 'refused') continue;
    for (const entry of checkedPlan.approved.plan.entries) {
      if (!isOver(entry.id, writer))
        refusals.set(entry.id, {
          item: itemOfPlan(checkedPlan.approved, entry, modeOf),
          entry: { state: 'deferred', code: checkedPlan.code, reason: checkedPlan.reason },
          at: checkedPlan.at,
        });
    }
  }
  return refusals;
}
