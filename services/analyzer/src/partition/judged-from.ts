import { CHANGES } from '@ovn-steward/shared/log/topics';
import type { Place } from './place';
import { furthest } from './positions';
import type { Unjudged } from './unjudged';
import { wholeFrom } from './whole-from';

/** From where on to judge, and up to where what changes brought about is published. */
export interface JudgedFrom extends Pick<Unjudged, 'until' | 'checked' | 'unwatched'> {
  readonly publishedBefore: bigint;
}

/**
 * From where on to judge when reading goes on at the position: what changes before `publishedBefore`
 * brought about, or those before what the group committed, needs no second judgement.
 */
export async function judgedFrom(
  position: bigint,
  publishedBefore: bigint | undefined,
  { log, partition, group, clock }: Place,
): Promise<JudgedFrom> {
  const now = clock().getTime();
  const { high } = await log.watermarks(CHANGES, partition);
  const committed = (await log.committed(group)).find(
    (it) => it.topic === CHANGES && it.partition === partition,
  )?.offset;
  const last = furthest([publishedBefore, committed], high);
  const until = last === undefined ? high : await wholeFrom(log, partition, last, now);
  return {
    until,
    checked: (await wholeFrom(log, partition, position, now)) === position,
    unwatched: until !== last,
    publishedBefore: last ?? 0n,
  };
}
