import type { Log } from '@ovn-steward/shared/log/log';
import { catchUpMirror, type MirrorCatchUpOptions } from './catch-up';
import { type CollectorOptions, createCollector, firstEpochOf } from './collect';
import type { LogMirror } from '../mirror/mirror';
import { OthersWatch } from './others';
import { publishToLog } from './publish-to-log';

export interface CollectIntoLogOptions
  extends
    Omit<CollectorOptions, 'publish' | 'mirror' | 'disturbed'>,
    Pick<MirrorCatchUpOptions, 'onProgress'> {
  readonly log: Pick<Log, 'append' | 'read' | 'watermarks'>;
  readonly mirror: LogMirror;
  /**
   * Called once the mirror holds what the log says, with the number of records it took; now the
   * sources are started.
   */
  readonly onCaughtUp?: (records: number) => void;
  /** Something that will be tried again, in one sentence. */
  readonly onTrouble?: (message: string) => void;
}

/** How often, at most, the log is searched for records of other collectors, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;

/**
 * Follows all sources and publishes their changes to the log, as the one collector of the cluster:
 * first the mirror learns from the log what others published, then each source is read in full, and
 * what differs is published. Resolves when every source has ended, or soon after the signal fired.
 *
 * @throws Failure: `leadership-lost` when another collector is found at work; those of the log, of
 *   the mirror, and of sources that trying again cannot mend.
 */
export async function collectIntoLog(
  options: CollectIntoLogOptions,
  signal: AbortSignal,
): Promise<void> {
  const { log, mirror, cluster, onProgress, onCaughtUp, onTrouble } = options;
  const records = await catchUpMirror(
    {
      log,
      mirror,
      cluster,
      ...(onProgress && { onProgress }),
    },
    signal,
  ).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (records === undefined || signal.aborted) return;
  onCaughtUp?.(records);
  const others = new OthersWatch({
    log,
    mirror,
    cluster,
    firstEpoch: firstEpochOf(options.term ?? 0),
    now: () => options.clock().getTime(),
    everyMs: POLL_INTERVAL_MS,
    monotonic: () => performance.now(),
    onFailed: (error) =>
      onTrouble?.(
        `The log could not be searched for other collectors' records (${error}); it is tried again.`,
      ),
  });
  await createCollector({
    ...options,
    mirror: others.mirror,
    publish: publishToLog(log, cluster),
    disturbed: (published) => others.disturbed(published),
  }).run(signal);
}
