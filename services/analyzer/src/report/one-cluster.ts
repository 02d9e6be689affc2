import { problem } from '@ovn-steward/service/http/problem';
import type { ClusterView } from './findings-page';

/**
 * The clusters that a query means: the one it names, or all. An empty list for a cluster that is
 * not known would look like nothing found.
 * @throws HttpException 404 where nothing is known of the one it names.
 */
export const viewsOf = (
  views: readonly ClusterView[],
  cluster: string | undefined,
): readonly ClusterView[] => (cluster === undefined ? views : [oneCluster(views, cluster)]);

/**
 * The cluster that a query means: the one it names, or the only one.
 * @throws HttpException 400 where there are several and none is named, 404 where nothing is known
 *   of it.
 */
export function oneCluster(
  views: readonly ClusterView[],
  cluster: string | undefined,
): ClusterView {
  if (cluster === undefined && views.length > 1)
    throw problem(
      400,
      `Name one with ?cluster=: ${views.map((it) => it.cluster).join(', ')} are known here`,
    );
  const found = views.find((it) => cluster === undefined || it.cluster === cluster);
  if (found !== undefined) return found;
  throw problem(
    404,
    cluster === undefined
      ? 'Nothing is known of any cluster here'
      : `Nothing is known of the cluster ${cluster} here`,
  );
}
