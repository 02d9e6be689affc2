import { between } from '@ovn-steward/shared/jitter';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubeClient } from './kube-client';
import { type WatchBatch, watchEvents } from './watch-events';

/**
 * The request has the server end a watch after so many seconds, drawn again each time: what a watch
 * may have swallowed is then read, and the watchers do not come back together.
 */
export const WATCH_SECONDS: readonly [number, number] = [240, 300];

export interface WatchOptions {
  readonly client: KubeClient;
  readonly kind: KubernetesKind;
  /** Where the kind is served. */
  readonly path: string;
  /** The resourceVersion to follow from. */
  readonly from: string;
  /** What else the query says, from `&` on. */
  readonly selecting?: string;
  readonly within?: readonly [number, number];
}

/** A watch the server has accepted. */
export interface Watch {
  /** As `watchEvents` gives and throws them. */
  readonly batches: AsyncIterable<WatchBatch>;
  /** After how long the server ends it, by the request. */
  readonly seconds: number;
  /** Closes the connection; to be called also where no batch is taken. */
  close(): void;
}

/**
 * Requests a watch with bookmarks.
 * @throws KubeFailure as the client does.
 */
export async function openWatch(
  { client, kind, path, from, selecting = '', within = WATCH_SECONDS }: WatchOptions,
  signal: AbortSignal,
): Promise<Watch> {
  const seconds = Math.round(between(...within));
  const answer = await client.get(
    `${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(from)}&timeoutSeconds=${seconds}${selecting}`,
    signal,
  );
  return {
    batches: watchEvents(answer, kind, Date.now),
    seconds,
    close: () => answer.close(),
  };
}
