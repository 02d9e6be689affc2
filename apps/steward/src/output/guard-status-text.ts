import type { PolicyState } from '@ovn-steward/guard/policy-state';
import type { WaitingVpc } from '@ovn-steward/guard/waiting';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';
import { indentedJson } from '@ovn-steward/shared/indented-json';

export interface GuardStatus {
  readonly policies: readonly {
    readonly id: string;
    readonly onlyByName: boolean;
    readonly does: string;
    readonly needs: string;
    readonly is: PolicyState['is'] | 'unknown';
    readonly refused: number | null;
  }[];
  /** null: not known. */
  readonly waiting: readonly WaitingVpc[] | null;
  /** What could not be read, and why. */
  readonly unread: readonly string[];
}

const WORDS: Readonly<Record<GuardStatus['policies'][number]['is'], string>> = {
  installed: 'installed',
  differs: 'differs',
  absent: 'absent',
  foreign: 'name taken',
  'not-served': 'not served',
  unknown: 'not known',
};

const MOST_NAMED = 20;

/** For a person. `now` is this machine's clock, from which ages are counted. */
export function statusText({ policies, waiting, unread }: GuardStatus, now: Date): string {
  const width = Math.max(...policies.map(({ id }) => id.length));
  return [
    pc.bold('Policies'),
    ...policies.map(
      ({ id, onlyByName, does, is, refused }) =>
        `  ${id.padEnd(width)}  ${(is === 'installed' ? pc.green : isLackingPolicy({ is, onlyByName }) ? pc.yellow : pc.dim)(WORDS[is].padEnd(10))}  ${refused === null ? '' : `${refused} refused. `}${does}`,
    ),
    '',
    ...(waiting === null
      ? []
      : waiting.length === 0
        ? ['No deletion of a Vpc waits.']
        : [pc.bold('Deletions that wait'), ...waiting.map((it) => `  ${waitingText(it, now)}`)]),
    ...unread.map((it) => pc.yellow(safeText(it, 500))),
    ...nextText(policies),
    '',
  ].join('\n');
}

/**
 * Whether a policy is not as it should be; one that is installed only by name may be absent, or not
 * be served.
 */
export const isLackingPolicy = ({
  is,
  onlyByName,
}: Pick<GuardStatus['policies'][number], 'is' | 'onlyByName'>): boolean =>
  !(['installed', 'unknown'].includes(is) || (onlyByName && ['absent', 'not-served'].includes(is)));

function nextText(policies: GuardStatus['policies']): string[] {
  const due = policies.filter((it) => isLackingPolicy(it) && ['absent', 'differs'].includes(it.is));
  return due.length === 0
    ? []
    : [
        `Next: steward guard install${due.some((it) => it.onlyByName) ? ` ${due.map((it) => it.id).join(' ')}` : ''}`,
      ];
}

/** One deletion that waits, on one line. */
export function waitingText({ name, since, subnets, finalizers }: WaitingVpc, now: Date): string {
  const names = (subnets ?? [])
    .slice(0, MOST_NAMED)
    .map((it) => safeText(it))
    .join(', ');
  const forWhat =
    subnets === undefined
      ? 'which subnets name it is not known'
      : subnets.length === 0
        ? `no subnet names it; its finalizers: ${safeText(finalizers.join(', ')) || 'none'}`
        : `for ${subnets.length === 1 ? 'the subnet' : 'the subnets'} ${names}${subnets.length > MOST_NAMED ? ` and ${subnets.length - MOST_NAMED} more` : ''}`;
  return `Vpc ${safeText(name)} since ${safeText(since, 40)} (${Math.max(0, Math.round((now.getTime() - Date.parse(since)) / 1000))} s): ${forWhat}`;
}

export const statusJson = (status: GuardStatus): string =>
  indentedJson({
    ...status,
    waiting: status.waiting?.map((it) => ({ ...it, subnets: it.subnets ?? null })) ?? null,
  });
