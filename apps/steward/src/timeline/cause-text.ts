import type { Finding } from '@ovn-steward/contracts/findings/finding';
import {
  holderOf,
  isControllerLease,
  podOfHolder,
} from '@ovn-steward/judgement/kube-ovn/lease-holder';
import { attachmentsOf } from './attachments-of';
import { isControllerChange } from './related';
import { kindAndName, type SeenChange } from './seen-change';

/** A moment that a change fixes. */
interface Moment {
  readonly at: string;
  readonly of: string;
  readonly position: string;
  readonly before: SeenChange['change'];
}

/**
 * Why it came to a finding, in one sentence, as far as the changes show it; `unknown` otherwise. A
 * moment counts only where the change came while its stream was followed: what a full read finds
 * absent may have been deleted any time before. The order of two moments is evidence, their
 * nearness is not.
 */
export function causeText({ cause }: Finding, changes: readonly SeenChange[]): string {
  const gone = momentsGone(changes);
  // The cause is a name, which later objects may bear as well: the last one that went left it.
  const its = gone.findLast((it) => cause && it.of === `${cause.kind} ${cause.key}`);
  if (its === undefined) return 'unknown: no change shows when what it rested on went';
  const away = awayTimes(changes, gone).find(({ from, to }) => from.at <= its.at && its.at < to.at);
  if (away !== undefined)
    return `${its.of} went at ${its.at} (${its.position}), while no controller of Kube-OVN led: ${away.what} at ${away.from.at} (${away.from.position}), the Lease was taken at ${away.to.at} (${away.to.position}). The event was missed.`;
  const named = attachmentsOf(its.before);
  const attachment = gone.find((it) => named.has(it.of) && it.at < its.at);
  if (attachment !== undefined)
    return `${attachment.of} went at ${attachment.at} (${attachment.position}), before ${its.of}, which was attached to it, at ${its.at} (${its.position}).`;
  return `unknown: ${its.of} went at ${its.at} (${its.position}), and no change shows why this was left`;
}

/**
 * When things went, of those that went while they were followed: the change before is of the same
 * full read.
 */
function momentsGone(changes: readonly SeenChange[]): readonly Moment[] {
  const last = new Map<string, SeenChange['change']>();
  return changes.flatMap(({ change, position }) => {
    const of = `${change.kind} ${change.uid}`;
    const before = last.get(of);
    last.set(of, change);
    return change.type === 'delete' && before?.type === 'put' && before.epoch === change.epoch
      ? [{ at: change.observedAt, of: kindAndName(change), position, before }]
      : [];
  });
}

/** A time in which no controller led. */
interface Away {
  /** What began it. */
  readonly what: string;
  readonly from: Pick<Moment, 'at' | 'position'>;
  readonly to: Pick<Moment, 'at' | 'position'>;
}

/**
 * From when the pod that held the controllers' Lease went, or gave it up, until another took it. A
 * Lease that is deleted, or has no holder, was taken by nobody.
 */
function awayTimes(changes: readonly SeenChange[], gone: readonly Moment[]): readonly Away[] {
  const leases = changes.filter(({ change }) => isControllerLease(change));
  return leases.flatMap(({ change, position }, index): readonly Away[] => {
    const before = leases[index - 1];
    const taker = holderIn(change);
    if (!taker || before?.change.epoch !== change.epoch) return [];
    const holder = holderIn(before.change);
    if (holder === undefined || holder === taker) return [];
    const began = holder === '' ? givenUp(before) : controllerGone(holder, gone);
    return began === undefined || began.from.at > change.observedAt
      ? []
      : [{ ...began, to: { at: change.observedAt, position } }];
  });
}

const givenUp = ({ change, position }: SeenChange): Omit<Away, 'to'> => ({
  what: 'the Lease was given up',
  from: { at: change.observedAt, position },
});

function controllerGone(holder: string, gone: readonly Moment[]): Omit<Away, 'to'> | undefined {
  const from = gone.find(
    (it) => isControllerChange(it.before) && podOfHolder(holder) === it.before.name,
  );
  return from && { what: `${from.of} went`, from };
}

/** Undefined of a Lease that is not there, which nobody can have given up. */
const holderIn = (change: SeenChange['change']): string | undefined =>
  change.type === 'put' ? holderOf(change) : undefined;
