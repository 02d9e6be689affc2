import type { AnalyzedCluster } from '../partition/analyzed-cluster';

/**
 * A cluster's own time, as its sources report it: that of a recording may be long past, and clocks
 * of machines differ.
 */
export interface ClusterClock {
  /** Reads what the cluster's newest watermark is. */
  observe(cluster: string, streams: ReturnType<AnalyzedCluster['streams']>): void;
  /**
   * The newest watermark, and as much as has passed since it was seen to move: milliseconds.
   * Undefined until it moved once.
   */
  now(cluster: string): number | undefined;
  /** From now on only what is heard counts: what was read up to here may be old. */
  forget(clusters: Iterable<string>): void;
}

/** `elapsed`: milliseconds on a clock that only runs forward. */
export function clusterClock(elapsed: () => number = () => performance.now()): ClusterClock {
  const newestOf = new Map<string, { newest: string; at: number | undefined }>();
  return {
    observe(cluster, streams) {
      const newest = streams.reduce(
        (last, it) => (it.observedThrough > last ? it.observedThrough : last),
        '',
      );
      const before = newestOf.get(cluster);
      if (before?.newest === newest) return;
      newestOf.set(cluster, { newest, at: before ? elapsed() : undefined });
    },
    now(cluster) {
      const { newest, at } = newestOf.get(cluster) ?? {};
      return newest === undefined || newest === '' || at === undefined
        ? undefined
        : Date.parse(newest) + elapsed() - at;
    },
    forget(clusters) {
      for (const cluster of clusters) {
        const mark = newestOf.get(cluster);
        if (mark) newestOf.set(cluster, { ...mark, at: undefined });
      }
    },
  };
}
