import { isOpen } from '@ovn-steward/client';
import { pageOf } from '@ovn-steward/service/http/page';
import type { AnalyzedCluster } from '../partition/analyzed-cluster';
import type { FindingsPage, FindingsQuery } from './schemas';

/** One cluster, as far as it is known. */
export interface ClusterView {
  readonly cluster: string;
  readonly picture: AnalyzedCluster;
  /** Whether everything that some rule needs is known in full and fresh. */
  readonly ready: boolean;
}

/** What a page is made from. */
export type Shown = Pick<ClusterView, 'cluster' | 'ready'> & {
  readonly picture: Pick<AnalyzedCluster, 'findings' | 'resolved' | 'now'>;
};

/**
 * One page of the findings that match, in the order of their ids, so that pages fit together while
 * findings come and go.
 */
export function findingsPage(views: readonly Shown[], query: FindingsQuery): FindingsPage {
  const ofCluster = views.filter(
    (it) => query.cluster === undefined || it.cluster === query.cluster,
  );
  const candidates = ofCluster.flatMap(({ picture }) => [
    ...(query.state === 'resolved' ? picture.resolved() : picture.findings()),
  ]);
  const matching = candidates.filter(
    (finding) =>
      (query.state === undefined ? isOpen(finding) : finding.state === query.state) &&
      (query.rule === undefined || finding.rule === query.rule) &&
      (query.class === undefined || finding.class === query.class),
  );
  const { shown, next } = pageOf(matching, query);
  return {
    // Of several clusters: what is true of all. Of none nothing is known, and an empty list says
    // so.
    asOf: ofCluster.map((it) => it.picture.now).sort()[0] || null,
    ready: ofCluster.length > 0 && ofCluster.every((it) => it.ready),
    total: matching.length,
    findings: shown,
    next,
  };
}
