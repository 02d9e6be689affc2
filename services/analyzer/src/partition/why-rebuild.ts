import { CHANGES, FINDINGS } from '@ovn-steward/shared/log/topics';
import type { Checkpoint } from '../store/checkpoint';
import type { Place } from './place';
import { within } from './positions';
import { othersPublished } from './published';
import { MISSED_MS } from './whole-from';

/**
 * Why the checkpoint is not the state of the partition now, so that it is read from its beginning;
 * undefined when it is.
 *
 * @param isTakingUp whether this process began to take it up already.
 */
export async function whyRebuild(
  { judged, position, findingsNext, savedAt, id }: Checkpoint,
  isTakingUp: boolean,
  { log, partition, clock }: Place,
): Promise<string | undefined> {
  if (!judged && !isTakingUp)
    return position === 0n
      ? 'nothing is remembered of it'
      : 'it was not read to the end the last time';
  if (!within(position, await log.watermarks(CHANGES, partition)))
    return 'the log does not have the changes it stopped at any more';
  if (!within(findingsNext, await log.watermarks(FINDINGS, partition)))
    return 'the log does not have the findings it published any more';
  if (judged && clock().getTime() - savedAt > MISSED_MS)
    return 'it was not read for so long that deletions may have been missed';
  return (await othersPublished(log, partition, findingsNext, id))
    ? 'another analyzer went on with it'
    : undefined;
}
