import type { ExecutorActivity } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Unsettled } from '@ovn-steward/contracts/actions/unsettled';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colourOf } from './actions-text';
import { colours as pc } from './colours';

const FINDING_COLOUR = {
  suspected: pc.yellow,
  confirmed: pc.red,
  resolved: pc.green,
  suppressed: pc.dim,
} as const;
const STATE_WIDTH = 9;
const SHORT_ID = 10;

/**
 * A line of what `steward run` prints: on standard output, or a note of one of its parts, which is
 * not repeated.
 */
export type RunLine =
  | { readonly on: 'output'; readonly text: string }
  | { readonly on: 'note'; readonly of: 'executor' | 'guard' | 'backup'; readonly text: string };

/**
 * What the executor of `steward run` does, for a person; undefined for what need not be shown. A
 * note is made safe where it is printed.
 */
export function executorText(event: ExecutorActivity): RunLine | undefined {
  const output = (text: string): RunLine => ({ on: 'output', text });
  const noteLine = (of: 'executor' | 'guard' | 'backup', text: string): RunLine => ({
    on: 'note',
    of,
    text,
  });
  switch (event.type) {
    case 'action':
      return event.action.state === 'observed' ? undefined : output(actionText(event.action));
    case 'failed':
      return noteLine('executor', event.error);
    case 'waits':
      return noteLine('executor', event.why);
    case 'unsettled':
      return noteLine('executor', unsettledText(event.unsettled));
    case 'guarded':
      return output(
        `${padded(event.did === 'add' ? 'guarded' : 'freed')} Vpc ${safeText(event.vpc)}`,
      );
    case 'guard-failed':
      return noteLine('guard', event.error);
    case 'backup-failed':
      return noteLine('backup', event.error);
    case 'backup-taken':
      return output(`${padded('backup')} ${safeText(event.path, 500)}`);
    default:
      return undefined;
  }
}

const padded = (state: string): string => safeText(state, 20).padEnd(STATE_WIDTH);
const shortId = (id: string): string => pc.dim(safeText(id.slice(0, SHORT_ID)));

const actionText = ({ id, state, action, target, reason }: ActionRecord): string =>
  `${colourOf(state)(padded(state))} ${shortId(id)} ${safeText(action)} ${safeText(describe(target))}: ${safeText(reason, 300)}`;

/** The same for each try, so that it is printed once. */
const unsettledText = ({ id, since, why }: Unsettled & Pick<ActionRecord, 'id'>): string =>
  `action ${id.slice(0, SHORT_ID)} is not settled since ${since}, and is tried again: ${why}`;

/** A finding in one line. A state of a later version has no colour. */
export function findingText({ id, rule, state, summary }: Finding): string {
  const colour = Object.hasOwn(FINDING_COLOUR, state) ? FINDING_COLOUR[state] : String;
  return `${colour(padded(state))} ${shortId(id)} ${safeText(rule)}: ${safeText(summary)}`;
}

/**
 * How `steward run` ends: what stands, what was removed, and what to type next. Where something
 * could not be judged, a small number of findings does not mean that all is well.
 */
export function endingText(
  open: readonly Finding[],
  unknowns: number,
  removed: number,
  stateDir: string,
): string {
  const folder = safeText(stateDir, 500);
  const confirmed = open.filter((it) => it.state === 'confirmed').length;
  const changed =
    removed === 0
      ? 'Nothing was changed.'
      : `${removed} things were removed: steward actions --state done --state-dir ${folder}`;
  const suppressed = open.filter((it) => it.state === 'suppressed').length;
  const known = suppressed === 0 ? '' : ` ${suppressed} more are suppressed.`;
  const standing = open.length - suppressed;
  const unjudged = unknowns === 0 ? '' : ' Not everything could be judged.';
  return `\n${standing === 1 ? '1 finding stands' : `${standing} findings stand`}, ${confirmed} of them confirmed.${known}${unjudged} ${changed}\nNext: steward findings --state-dir ${folder}, or steward explain <id> --state-dir ${folder}\n`;
}
