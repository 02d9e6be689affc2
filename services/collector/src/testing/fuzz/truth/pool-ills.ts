import { type Cluster, hasDeletionTimestamp, rowNamed } from '../cluster';
import { SERVED_POOLS, setOfPool } from '../kube-ovn/ip-pools';
import type { Ill } from './ill';

/**
 * Pools that do not go. Who has addresses of one is not in its way; while its set is there, taking
 * its finalizer off would leave that.
 */
export function* poolIlls(cluster: Cluster): Generator<Ill> {
  for (const name of Object.keys(SERVED_POOLS)) {
    const pool = cluster.objects.get('IPPool', undefined, name);
    if (!pool || !hasDeletionTimestamp(pool)) continue;
    const isLeft = rowNamed(cluster, 'Address_Set', setOfPool(name)) !== undefined;
    yield {
      rule: 'stuck-ip-pool-deletion',
      uid: pool.metadata.uid,
      what: `IPPool ${name} does not go`,
      expected: isLeft ? 'report' : 'must',
    };
  }
}
