import type { Omitted } from '@ovn-steward/contracts/changes/change';
import type { Unreadable } from './world-input';

/**
 * Something of a stream that was published and could not be read: nothing of the stream can be
 * taken for absent.
 */
export interface Gap {
  readonly kind: string;
  readonly uid: string;
  /** A clause for a person, which names the thing. */
  readonly why: string;
  /** Where the stream stood: only what was published after that can fill it. */
  readonly epoch: number;
  readonly seq: number;
  /**
   * What the collector counts it with, where we know: then it is only the content that is missing.
   */
  readonly hash?: string;
}

type Position = Pick<Gap, 'epoch' | 'seq'>;

/**
 * Each is searched for at every change of the stream, and is saved with it. What is counted without
 * its content has one of its own beyond that, since a full read does not bring it.
 */
const MOST = 1000;
/** Stands for all others beyond that, and nothing fills it but a full read. */
const MORE: Pick<Gap, 'kind' | 'uid'> = { kind: '', uid: '' };

export const find = (
  gaps: readonly Gap[],
  { kind, uid }: Pick<Gap, 'kind' | 'uid'>,
): Gap | undefined => gaps.find((it) => it.uid === uid && it.kind === kind);

export const withoutGap = (gaps: readonly Gap[], gap: Gap): Gap[] =>
  gaps.filter((it) => it !== gap);

/** With one more; of two for the same thing the later counts. */
export function withGap(gaps: readonly Gap[], gap: Gap): Gap[] {
  const known = find(gaps, gap);
  if (known) return gaps.map((it) => (it === known ? gap : it));
  if (gaps.length < MOST || gap.hash !== undefined) return [...gaps, gap];
  return find(gaps, MORE)
    ? [...gaps]
    : [...gaps, { ...MORE, why: gap.why, epoch: gap.epoch, seq: gap.seq }];
}

export const unreadGap = (
  { kind, uid, at, why }: Unreadable,
  { epoch, seq }: Position,
  hash: string | undefined,
): Gap => ({
  kind,
  uid,
  why: `the record ${at} about ${kind.startsWith('_') ? `the stream (${kind.slice(1)})` : `${kind} ${uid}`} could not be read: ${why}`,
  epoch,
  seq,
  ...(hash === undefined ? {} : { hash }),
});

/** The whole may still be published under the position at which it was left out. */
export const omittedGap = ({
  kind,
  uid,
  namespace,
  name,
  bytes,
  epoch,
  seq,
  hash,
}: Omitted): Gap => ({
  kind,
  uid,
  why: `${kind} ${namespace ? `${namespace}/` : ''}${name || uid} is too large for the log (${bytes} bytes), so that its content is not known`,
  epoch,
  seq: seq - 1,
  hash,
});

/** What is wrong and how to mend it, for a person. */
export function gapsDetail(stream: string, gaps: readonly Gap[]): string {
  const rest = gaps.length - 1;
  const others =
    rest === 0
      ? ''
      : `, and so with ${rest === 1 ? 'one other' : `${rest}${find(gaps, MORE) ? ' or more' : ''} others`}`;
  return `${stream} is not known in full: ${gaps[0]!.why}${others}. It is known again when each was published again, or replayed as docs/dead-letters.md says`;
}
