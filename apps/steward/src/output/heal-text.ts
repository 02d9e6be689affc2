import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { safeText } from '@ovn-steward/shared/safe-text';
import { healingEpoch, type PoisonedStream } from '../heal/poisoned-streams';

/** What `steward heal` wrote, or would write, for a person. */
export function healText(
  cluster: string,
  streams: readonly PoisonedStream[],
  written: boolean,
): string {
  const place = `${CHANGES}/${partitionOf(cluster, PARTITIONS)}`;
  if (streams.length === 0)
    return `Nothing to heal in ${place} of cluster ${safeText(cluster, 253)}.\n`;
  const end = written
    ? 'A collector at work notices within some ten seconds, gives up its turn and reads everything in full; one that does not run does so at its next start. Until then these streams count as unknown.'
    : 'Nothing was written. To heal, run the command again with --yes.';
  return `${[...streams.flatMap((it) => lines(it, place, written)), end].join('\n')}\n`;
}

function lines(poisonedStream: PoisonedStream, place: string, written: boolean): string[] {
  const epoch = healingEpoch(poisonedStream);
  const would = written ? 'was' : 'would be';
  return [
    `${safeText(poisonedStream.stream, 120)}${epoch === undefined ? ', of which nothing is believed' : `: ${would} published as unavailable, in epoch ${epoch}`}`,
    ...poisonedStream.keys.flatMap(({ key, offset, why }) => [
      `  ${place}/${offset}, under the key ${safeText(key, 120)}: ${would} buried by a tombstone`,
      `    ${safeText(why)}`,
    ]),
  ];
}
