import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { type ClusterIdentity, sameIdentity } from '@ovn-steward/shared/cluster-identity';

type GiveUp = Extract<Control, { type: 'give-up' }>;

const GIVEN_UP = 'given-up';
/**
 * What may be reported of an action that was given up: that a person wants it back, and what came
 * of that.
 */
const AFTERWARDS: ReadonlySet<string> = new Set([
  GIVEN_UP,
  'undoing',
  'undo-held',
  'undo-impossible',
  'undo-unclear',
  'undone',
]);

/** Whether it ended so that nobody knows whether it was done, and says so. */
export const isLeftUnknown = ({ state, code }: Pick<ActionRecord, 'state' | 'code'>): boolean =>
  code === GIVEN_UP || (state === 'failed' && ['undo-held', 'undo-impossible'].includes(code));

const isUnderWay = ({ state, code }: ActionRecord): boolean =>
  state === 'claimed' ||
  state === 'terminating' ||
  (state === 'failed' && code === 'not-finished') ||
  (state === 'done' && ['racing', 'putting-back'].includes(code));

export interface GivenUpJudge {
  /** A decision that the log has acknowledged, of somebody who may decide. */
  read(control: Control): void;
  /**
   * Why an executor was not to write this; undefined when it was.
   * @param before what stood in its own ledger.
   */
  recorded(action: ActionRecord, before: ActionRecord): string | undefined;
  /** Why nothing was to be sent by whom has this in his own ledger; undefined when it was. */
  sent(claim: ActionRecord): string | undefined;
}

/** Claims that people give up, by a fold of its own. @param identity of the living systems. */
export function judgeGivenUp(cluster: string, identity: () => ClusterIdentity): GivenUpJudge {
  const decisions: GiveUp[] = [];

  const counts = (giveUp: GiveUp, { id, claimedAt }: ActionRecord): boolean =>
    giveUp.cluster === cluster &&
    giveUp.of === id &&
    giveUp.claimedAt === claimedAt &&
    (giveUp.reason as string | undefined) !== undefined &&
    (giveUp.identity === undefined || sameIdentity(giveUp.identity, identity()));

  const ended = (action: ActionRecord, before: ActionRecord): string | undefined => {
    if (!isUnderWay(before)) return `it was given up, and was ${before.state} (${before.code})`;
    if (action.identity === undefined || !sameIdentity(action.identity, identity()))
      return 'it was given up here, and is of other systems';
    const respected = decisions.filter((it) => counts(it, action));
    if (respected.length === 0)
      return 'it was given up, and nobody who may had given this claim up';
    return respected.some(({ by, reason }) =>
      action.reason.includes(`${by} gave it up (${reason})`),
    )
      ? undefined
      : `it was given up, and does not say by whom or why: ${action.reason}`;
  };

  return {
    read(control) {
      if (control.type === 'give-up') decisions.push(control);
    },
    recorded(action, before) {
      if (action.code === GIVEN_UP && before.code !== GIVEN_UP) return ended(action, before);
      return isLeftUnknown(before) && !AFTERWARDS.has(action.code)
        ? `it was given up, and is reported as ${action.state} (${action.code})`
        : undefined;
    },
    sent: (claim) =>
      isLeftUnknown(claim) ? 'it was given up before, as who sent this had written' : undefined,
  };
}
