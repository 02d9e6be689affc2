import type { FreedVpc } from '@ovn-steward/guard/free-vpcs';
import type { PolicyState } from '@ovn-steward/guard/policy-state';
import type { WaitingVpc } from '@ovn-steward/guard/waiting';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';
import { waitingText } from './guard-status-text';
import { indentedJson } from '@ovn-steward/shared/indented-json';

export interface GuardRemoval {
  readonly policies: readonly PolicyState[];
  /** Vpcs that have our finalizer. */
  readonly guarded: readonly string[];
  /** Those of them that are being deleted. */
  readonly waiting: readonly WaitingVpc[];
  /** Pods that wait for their subnet by our scheduling gate, `<namespace>/<name>`. */
  readonly held: readonly string[];
}

/** What became of what was to be taken away; of policies nothing is left. */
export interface TakenAway {
  /** The Vpcs that had our finalizer. */
  readonly freed: readonly FreedVpc[];
  /** The pods that keep our gate, and why. */
  readonly refusedGates: readonly string[];
}

const MOST_NAMED = 20;

const named = (names: readonly string[]): string =>
  `${names
    .slice(0, MOST_NAMED)
    .map((it) => safeText(it))
    .join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`;

/** What would be taken away, and what would happen then. */
export function removalText({ policies, guarded, waiting, held }: GuardRemoval, now: Date): string {
  return [
    ...policies.map(({ policy }) => `Policy ${policy.id}: no longer: ${policy.does}`),
    ...(guarded.length > 0
      ? [
          `Our finalizer comes off ${guarded.length === 1 ? 'one Vpc' : `${guarded.length} Vpcs`}: ${named(guarded)}`,
          'An executor with executor.guard.vpcFinalizer, or steward guard run, would put it back: stop that first.',
        ]
      : []),
    ...(waiting.length > 0
      ? [
          pc.bold('These are being deleted and would go at once, whatever still lies in them:'),
          ...waiting.map((it) => `  ${waitingText(it, now)}`),
        ]
      : []),
    ...(held.length > 0
      ? [
          `Our scheduling gate comes off ${held.length === 1 ? 'one pod that waits for its subnet' : `${held.length} pods that wait for their subnet`}: ${named(held)}`,
        ]
      : []),
    '',
  ].join('\n');
}

/** `taken` is undefined where nothing was written. */
export const removalJson = (
  { policies, guarded, waiting, held }: GuardRemoval,
  taken: TakenAway | undefined,
): string =>
  indentedJson({
    policies: policies.map(({ policy }) => policy.id),
    guarded,
    waiting,
    held,
    written: taken !== undefined,
    left: (taken?.freed ?? []).filter((it) => it.left !== undefined),
    refusedGates: taken?.refusedGates ?? [],
  });

/** What became of it; `taken` is undefined where nothing was written. */
export function removalEnding(isEmpty: boolean, taken: TakenAway | undefined): string {
  if (isEmpty) return 'Nothing of ours is there.\n';
  if (!taken) return 'Nothing was written. To take it away, run the command again with --yes.\n';
  const left = taken.freed.flatMap(({ name, left: why }) =>
    why === undefined ? [] : [`Vpc ${safeText(name)} still has our finalizer: ${safeText(why)}`],
  );
  const most = taken.refusedGates.length > 0 ? 'Taken away, except some gates.' : 'Taken away.';
  return [most, ...left, ''].join('\n');
}
