import { Failure } from '@ovn-steward/shared/errors';
import { KUBERNETES_KINDS, KUBERNETES_STREAMS, kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Observation, Source } from '../../source-kit/source';
import { readDump } from './dump';
import { recordingLayoutOf } from './layout';
import { replayWatch } from './watch';

interface KubernetesRecordingOptions {
  /** A file or a folder of kubectl's output, or of our own recordings (docs/recordings.md). */
  readonly path: string;
  /**
   * `final`: the dump only. `watch`: the recorded watch first, then the dump, if there is one, as
   * the full read that settles everything.
   */
  readonly replay: 'final' | 'watch';
}

/** Without a dump to end with, kinds the watch never listed stay unknown, and that is said. */
function unlisted(listed: ReadonlySet<string>): Observation[] {
  return KUBERNETES_KINDS.filter((it) => !listed.has(kubernetesStream(it.kind))).map(
    ({ kind }) => ({
      type: 'unavailable',
      stream: kubernetesStream(kind),
      kinds: [kind],
      reason: 'not-listed',
      detail: `The recorded watch does not say whether there is any ${kind}.`,
    }),
  );
}

async function* observe(
  { path, replay }: KubernetesRecordingOptions,
  signal: AbortSignal,
): AsyncIterable<readonly Observation[]> {
  const layout = await recordingLayoutOf(path);
  let last = 0;
  if (replay === 'watch') {
    if (layout.watch === undefined)
      throw new Failure(
        'input-not-found',
        `${path} has no watch.ndjson to replay. Read its dump instead.`,
      );
    const listed = new Set<string>();
    for await (const batch of replayWatch(layout.watch, signal, (ms) => {
      last = ms;
    })) {
      for (const observation of batch) listed.add(observation.stream);
      yield batch;
    }
    if (layout.files.length === 0 && !signal.aborted) yield unlisted(listed);
  } else if (layout.files.length === 0) {
    throw new Failure(
      'input-not-a-dump',
      layout.watch === path
        ? `${path} is a recorded watch, not a dump: replay it, or give the dump beside it.`
        : `${path} holds neither kubernetes.json nor a file per kind such as pods.json. See docs/recordings.md for the commands that make one.`,
    );
  }
  if (layout.files.length > 0 && !signal.aborted) yield* readDump(layout, signal, last);
}

/**
 * A recording of a cluster's Kubernetes objects as a source: observes once and ends. Every kind of
 * the catalogue gets `complete` or `unavailable`; what is wrong with one object is held against its
 * kind, what is wrong with a file ends the reading.
 *
 * `observe` throws Failure `input-not-found`, `input-unreadable`, `input-truncated`,
 * `input-not-a-dump`.
 */
export const kubernetesRecording = (options: KubernetesRecordingOptions): Source => ({
  id: `recording:${options.path}`,
  source: 'kubernetes',
  streams: KUBERNETES_STREAMS,
  observe: (signal) => observe(options, signal),
});
