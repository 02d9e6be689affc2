import type { HoldException } from '@ovn-steward/contracts/control/control';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import type { Selected } from '@ovn-steward/contracts/control/selects';
import type { ControlState } from '../control/control-state';
import { holdOn, holdText } from './holds';
import { keptCode, keptOn, keepingText } from './kept';

/** What a write is about, as holds name it; a place that is not named may be any. */
export type HeldScope = Pick<Finding, 'rule' | 'scope'>;

export interface HoldCheck {
  /**
   * The hold on this write as of now, in words, read to the log's present end: to be called right
   * before each send.
   * @param exception by which a hold may let it through; a removal has none.
   * @throws Failure `log-unavailable` when it cannot be read: then nothing may be sent.
   */
  now(
    about: HeldScope,
    exception: HoldException | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /**
   * What keeps this from being removed now: a hold, a suppression or a protection, read at once as
   * a hold is.
   * @param scopes where it lies: each of them is checked.
   * @throws Failure `log-unavailable` likewise.
   */
  removal(
    finding: Selected,
    scopes: readonly HeldScope['scope'][],
    signal: AbortSignal,
  ): Promise<NotNow | undefined>;
}

/** That something is not to be removed now. */
export interface NotNow {
  readonly code: 'held' | ReturnType<typeof keptCode>;
  readonly reason: string;
}

/**
 * @param fresh what is decided, as of a read that began after the call (`ControlFollower.fresh`).
 * @param maybeOff what the settings switch off (`RuleSwitches.maybeOff`).
 */
export const holdCheck = (
  fresh: (signal: AbortSignal) => Promise<ControlState>,
  clock: () => Date,
  maybeOff: (finding: Selected) => Keeping | undefined = () => undefined,
): HoldCheck => ({
  now: async (about, exception, signal) =>
    heldIn(await fresh(signal), about, exception, clock().getTime()),
  removal: async (finding, scopes, signal) => {
    const { holds, kept } = await fresh(signal);
    for (const { scope, ...without } of scopes.map((it) => ({ ...finding, scope: it }))) {
      const about = { ...without, ...(scope && { scope }) };
      const hold = heldIn({ holds }, about, undefined, clock().getTime());
      if (hold !== undefined) return { code: 'held', reason: hold };
      const keeping = keptOn(about, kept.values(), clock().getTime()) ?? maybeOff(about);
      if (keeping !== undefined) return { code: keptCode(keeping), reason: keepingText(keeping) };
    }
    return undefined;
  },
});

/** The same of what was read before; milliseconds since 1970. */
export function heldIn(
  { holds }: Pick<ControlState, 'holds'>,
  about: HeldScope,
  exception: HoldException | undefined,
  now: number,
): string | undefined {
  const hold = holdOn(about, holds.values(), now, exception);
  return hold && holdText(hold);
}

/** What holds are checked against for a record of the ledger. */
export const heldScopeOf = ({ rule, scope }: Pick<ActionRecord, 'rule' | 'scope'>): HeldScope => ({
  rule,
  scope: {
    ...(scope.vpc !== null && { vpc: scope.vpc }),
    ...(scope.subnet !== null && { subnet: scope.subnet }),
  },
});
