import { endOfKeeping } from '@ovn-steward/contracts/control/keeping';
import { frozenUntil } from './freezes';
import { holdEnd, holdOn, holdText } from './holds';
import { keptCode, keptOn, keepingText } from './kept';
import { minute } from './minute';
import { windowIsOpen, nextOpening } from './windows';
import type { Applicant, GateContext, AdmissionDecision } from './admission';

export function holdDecision(
  { finding }: Applicant,
  { holds, now }: GateContext,
): AdmissionDecision | undefined {
  const hold = holdOn(finding, holds, now);
  return (
    hold && {
      state: 'deferred',
      code: 'held',
      reason: holdText(hold),
      ...(holdEnd(hold) === Infinity ? {} : { until: holdEnd(hold) }),
    }
  );
}

export function keepingDecision(
  { finding }: Applicant,
  { kept, maybeOff, now }: GateContext,
): AdmissionDecision | undefined {
  const keeping = keptOn(finding, kept, now) ?? maybeOff?.(finding);
  if (keeping === undefined) return undefined;
  const until = endOfKeeping(keeping);
  return {
    state: 'deferred',
    code: keptCode(keeping),
    reason: keepingText(keeping),
    ...(until === Infinity ? {} : { until }),
  };
}

/** What keeps everybody from going, and passes by itself. */
export function firstRefusal({
  now,
  settings: { windows, freezes },
  yielding,
}: GateContext): AdmissionDecision | undefined {
  const thaw = frozenUntil(freezes, now);
  if (thaw !== undefined)
    return {
      state: 'deferred',
      code: 'freeze',
      reason: `executor.freezes says that nothing is removed until ${minute(thaw)}`,
      until: thaw,
    };
  if (!windowIsOpen(windows, now)) {
    const opens = nextOpening(windows, now);
    return {
      state: 'deferred',
      code: 'window',
      reason: `it is outside executor.windows; ${opens === undefined ? 'none opens within two weeks' : `the next opens at ${minute(opens)}`}`,
      ...(opens === undefined ? {} : { until: opens }),
    };
  }
  return (
    yielding && { state: 'deferred', code: 'yield', reason: yielding.why, until: yielding.until }
  );
}

/** What hangs until a controller comes is not begun. */
export function unfinishedDecision(
  { action }: Applicant,
  { noController }: GateContext,
): AdmissionDecision | undefined {
  return action?.finishedBy !== 'kube-ovn' || noController === undefined
    ? undefined
    : { state: 'deferred', code: 'no-controller', reason: noControllerText(noController) };
}

/** @param why no controller is at work. */
export const noControllerText = (why: string): string =>
  `${why}: what it would have to finish would hang, and a namesake that returns could lose its port; nothing was removed`;
