import { ENDED, type Mode } from '@ovn-steward/shared/events/action';
import type { ControlState } from '../control/control-state';
import type { Proposal } from '../proposal';
import type { Ledger } from '../store/ledger';
import type { Entry } from './book';
import type { Item } from './item';
import { itemsOf } from './items';
import { noteOnce } from './note-once';
import { plansOf } from './plans';
import { putBackBefore } from './put-back-before';
import type { Work } from './work';

export interface ApplicantOptions {
  readonly cluster: string;
  readonly work: Work;
  readonly ledger: Ledger;
  readonly modeOf: (rule: string) => Mode;
  /** Carry out this plan and no other; all that hold, unless told. */
  readonly onlyPlan?: string;
  readonly clock: () => Date;
}

/**
 * Who asks to be acted on: what is neither claimed nor ended, and was not put back by a person. Of plans that do not hold, and of what was put back, it
 * is noted why nothing is done.
 */
export function applicantsOf({ cluster, work, ledger, modeOf, onlyPlan, clock }: ApplicantOptions): (proposals: readonly Proposal[], decided: ControlState, signal: AbortSignal) => Promise<readonly Item[]> {
  const plans = plansOf(work, ledger, cluster, clock);
  return async (proposals, decided, signal) => {
    const wanted = [...decided.plans.values()].filter(({ plan }) => onlyPlan === undefined || plan.id === onlyPlan);
    const checked = await plans.check(wanted, signal);
    const holding = checked.flatMap((it) => (it.is === 'holds' ? [it.approved] : []));
    for (const it of checked) {
      if (it.is === 'refused') await noteOnce(work.book, itemsOf([], decided, [it.approved], modeOf, clock()).map((item) => [item, { state: 'deferred', code: it.code, reason: it.reason }]));
    }
    const before = putBackBefore(ledger, cluster);
    const putBack: [Item, Entry][] = [];
    const asking = itemsOf(proposals, decided, holding, modeOf, clock()).filter((item) => {
      const stands = ledger.stateOf(item.id);
      if (stands !== undefined && (ENDED.has(stands.state) || stands.state === 'claimed')) return false;
      const undone = before(item);
      if (undone !== undefined) putBack.push([item, { state: 'deferred', code: 'put-back', reason: `a person had it put back at ${undone.at}: it is removed again only when a person approves that` }]);
      return undone === undefined;
    });
    await noteOnce(work.book, putBack);
    return asking;
  };
}
