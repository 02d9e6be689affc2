import type { Omitted } from '@ovn-steward/contracts/changes/change';
import type { Unreadable } from './world-input';

/** Something of a stream that we do not know though it was told: nothing of the stream can be taken for absent. */
export interface Gap {
  readonly kind: string;
  readonly uid: string;
  /** A clause for a person, which names the thing. */
  readonly why: string;
  /** Where the stream stood: only what was told after that can fill it. */
  readonly epoch: number;
  readonly seq: number;
  /** What the collector counts it with, where we know: then it is only the content that is missing. */
  readonly hash?: string;
}

type Position = Pick<Gap, 'epoch' | 'seq'>;

/** Each is looked for at every change of the stream, and is saved with it. */
const MOST = 1000;
/** Stands for all beyond that, and nothing fills it but a full read. */
const MORE: Pick<Gap, 'kind' | 'uid'> = { kind: '', uid: '' };

export const find = (
  holes: readonly Gap[],
  { kind, uid }: Pick<Gap, 'kind' | 'uid'>,
): Gap | undefined => holes.find((it) => it.uid === uid && it.kind === kind);

export const withoutGap = (holes: readonly Gap[], hole: Gap): Gap[] =>
  holes.filter((it) => it !== hole);

/** With one more; of two for the same thing the later counts. */
export function withGap(holes: readonly Gap[], hole: Gap): Gap[] {
  const known = find(holes, hole);
  if (known) return holes.map((it) => (it === known ? hole : it));
  if (holes.length < MOST) return [...holes, hole];
  return find(holes, MORE)
    ? [...holes]
    : [...holes, { ...MORE, why: hole.why, epoch: hole.epoch, seq: hole.seq }];
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

/** The whole may still be told under the position at which it was left out. */
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

/** Whether a change could be what is missing, or something later. */
export const fills = (change: Position, hole: Gap): boolean =>
  change.epoch > hole.epoch || (change.epoch === hole.epoch && change.seq > hole.seq);

/** What is wrong and how to mend it, for a person. */
export function gapsDetail(stream: string, holes: readonly Gap[]): string {
  const rest = holes.length - 1;
  const others =
    rest === 0
      ? ''
      : `, and so with ${rest === 1 ? 'one other' : `${rest}${find(holes, MORE) ? ' or more' : ''} others`}`;
  return `${stream} is not known in full: ${holes[0]!.why}${others}. It is known again when each was published again, or replayed as docs/dead-letters.md says`;
}
