import { publishToLog } from '@ovn-steward/collector';
import { Failure } from '@ovn-steward/shared/errors';
import { type Change, changeKey, type Unavailable } from '@ovn-steward/contracts/changes/change';
import { encodeForgottenChange } from '@ovn-steward/contracts/changes/change-codec';
import { lastEpoch } from '@ovn-steward/contracts/changes/change-bounds';
import { changeId } from '@ovn-steward/contracts/identity/ids';
import { inBatches } from '@ovn-steward/shared/log/batch-bytes';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { buriable, healingEpoch, type PoisonedStream } from './poisoned-streams';

/**
 * Makes streams healthy whose keys hold what readers refuse. First each is published as
 * unavailable, in an epoch of its own: a collector that is at work notices, gives up its turn and
 * publishes everything again, and until then no reader takes anything of the stream for deleted.
 * Then each poisoned key gets a tombstone without a position, which says nothing of the object:
 * compaction removes both, and the collector publishes the object again, or its deletion. What a
 * later version wrote stays.
 * @throws Failure `log-record-refused` when the epoch after the last that is believed is not known
 *   yet; and as `Log.append` does.
 */
export async function healStreams(
  log: Pick<Log, 'append'>,
  cluster: string,
  streams: readonly PoisonedStream[],
  now: Date,
): Promise<void> {
  const partition = partitionOf(cluster, PARTITIONS);
  const changes = streams.flatMap((it) => unknownFrom(cluster, it, now) ?? []);
  if (changes.length > 0) await publishToLog(log, cluster)(changes);
  const tombstones = streams
    .flatMap(buriable)
    .map(({ key }) => encodeForgottenChange(key, now.getTime()));
  for (const batch of inBatches(tombstones)) await log.append(CHANGES, partition, batch);
}

function unknownFrom(
  cluster: string,
  poisonedStream: PoisonedStream,
  now: Date,
): Change | undefined {
  const epoch = healingEpoch(poisonedStream);
  if (epoch === undefined) return undefined;
  if (epoch > lastEpoch(now.getTime()))
    throw new Failure(
      'log-record-refused',
      `Epoch ${epoch} of ${poisonedStream.stream} is one that readers do not believe yet, and the one before it is taken. Nothing was written; run the command again in an hour.`,
    );
  const change: Unavailable = {
    type: 'unavailable',
    version: 1,
    id: '',
    cluster,
    source: poisonedStream.source,
    stream: poisonedStream.stream,
    epoch,
    seq: 1,
    cursor: '',
    observedAt: now.toISOString(),
    kinds: [...poisonedStream.heard!.kinds],
    reason: 'broken',
    detail: `${poisonedStream.stream} held records that readers refuse, and was healed: it is known again when its collector has read it in full`,
  };
  return { ...change, id: changeId(cluster, poisonedStream.stream, epoch, 1, changeKey(change)) };
}
