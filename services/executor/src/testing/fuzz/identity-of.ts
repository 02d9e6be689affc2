import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Cluster } from './cluster';

/** Of which systems the cluster is, read once. */
export function identityOf({
  northbound: { database },
  kubernetes,
}: Pick<Cluster, 'northbound' | 'kubernetes'>): () => ClusterIdentity {
  let known: ClusterIdentity | undefined;
  return () =>
    (known ??= {
      northbound:
        database.cid === undefined
          ? `nb:${[...database.rows('NB_Global').keys()][0]}`
          : `cid:${database.cid}`,
      kubernetes: kubernetes.objects('Namespace').find((it) => it.metadata.name === 'kube-system')!
        .metadata.uid,
    });
}
