import type { Proposal } from '../../findings/proposal';
import { createAnalyzer } from './analyze';
import type { Cluster } from './cluster';
import { lie } from './lies';

/** Who publishes findings: true ones, old ones beside them, and lies. */
export interface Analyst {
  /** As the topic stands. */
  proposals(): readonly Proposal[];
  /**
   * Evaluates the cluster: findings get a new revision when they say something else, or come again.
   */
  observe(): void;
  lie(): void;
}

/** @param onFound called with each true finding, as often as it is seen. */
export function createAnalyst(
  cluster: Cluster,
  now: () => Date,
  onFound: (finding: Proposal) => void,
): Analyst {
  const published = new Map<
    string,
    { readonly text: string; readonly revision: number; readonly firstSeen: string }
  >();
  const analyzer = createAnalyzer(cluster);
  let truths: readonly Proposal[] = [];
  let proposals: readonly Proposal[] = [];
  return {
    proposals: () => proposals,
    observe() {
      const fresh = analyzer.findings().map((finding) => {
        const text = JSON.stringify({ ...finding, revision: 0 });
        const known = published.get(finding.id);
        const standsStill = known !== undefined && truths.some((it) => it.id === finding.id);
        const revision =
          known === undefined
            ? 2
            : known.text === text && standsStill
              ? known.revision
              : known.revision + 1;
        const firstSeen = standsStill ? known.firstSeen : now().toISOString();
        published.set(finding.id, { text, revision, firstSeen });
        const is = { ...finding, revision, firstSeen };
        onFound(is);
        return is;
      });
      // Now and then the topic lags, and what is not true any more stands beside what is.
      const stale = cluster.random.chance(0.4)
        ? truths.filter((it) => !fresh.some(({ id }) => id === it.id))
        : [];
      truths = fresh;
      proposals = [...fresh, ...stale];
    },
    lie() {
      const lying = lie(cluster, [...truths, ...proposals]);
      if (lying) proposals = [...proposals.filter((it) => it.id !== lying.id), lying];
    },
  };
}
