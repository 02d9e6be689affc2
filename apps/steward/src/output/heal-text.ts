import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { safeText } from '@ovn-steward/shared/safe-text';
import { buriable, healingEpoch, type PoisonedStream } from '../heal/poisoned-streams';

/** What `steward heal` wrote, or would write, for a person. */
export function healText(
  cluster: string,
  streams: readonly PoisonedStream[],
  written: boolean,
): string {
  const place = `${CHANGES}/${partitionOf(cluster, PARTITIONS)}`;
  if (streams.length === 0)
    return `Nothing to heal in ${place} of cluster ${safeText(cluster, 253)}.\n`;
  return `${[
    ...streams.flatMap((it) => lines(it, place, written)),
    ...endOf(streams, written),
  ].join('\n')}\n`;
}

function endOf(streams: readonly PoisonedStream[], written: boolean): string[] {
  const isAny = streams.some((it) => buriable(it).length > 0);
  const isLater = streams.some((it) => buriable(it).length < it.keys.length);
  return [
    !isAny
      ? 'Nothing to heal.'
      : written
        ? HEALED
        : 'Nothing was written. To heal, run the command again with --yes.',
    ...(isLater ? [OF_LATER] : []),
  ];
}

const HEALED =
  'A collector at work notices within some ten seconds, gives up its turn and reads everything in full; one that does not run does so at its next start. Until then these streams count as unknown.';
const OF_LATER =
  'What a later version wrote stays, and its streams are unknown to this version: upgrade the services and this command to that version. If you went back from it instead, restart the collector, which publishes the same things anew.';

function lines(poisonedStream: PoisonedStream, place: string, written: boolean): string[] {
  const epoch = healingEpoch(poisonedStream);
  const would = written ? 'was' : 'would be';
  return [
    `${safeText(poisonedStream.stream, 120)}${headOf(poisonedStream, epoch, would)}`,
    ...poisonedStream.keys.flatMap(({ key, offset, why, later }) => [
      `  ${place}/${offset}, under the key ${safeText(key, 120)}: ${later ? 'stays, since a later version wrote it' : `${would} buried by a tombstone`}`,
      `    ${safeText(why)}`,
    ]),
  ];
}

function headOf(poisonedStream: PoisonedStream, epoch: number | undefined, would: string): string {
  if (epoch !== undefined) return `: ${would} published as unavailable, in epoch ${epoch}`;
  return poisonedStream.heard === undefined ? ', of which nothing is believed' : '';
}
