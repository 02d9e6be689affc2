import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { alive, type Cluster, hasDeletionTimestamp, rowNamed } from '../cluster';
import type { Controller, Handler, Job } from './controller';
import { make, take } from './networks';
import { isAtLeast } from './releases';

/** Pools that the controller serves, by the Subnet of their addresses. */
export const SERVED_POOLS: Readonly<Record<string, string>> = {
  'pool-a': 'apps',
  'pool-b': 'data',
};

/** As Kube-OVN calls the address set of a pool (util.IPPoolAddressSetName). */
export const setOfPool = (pool: string): string => pool.replaceAll('-', '.');

const poolOf = ({ objects }: Cluster, name: string): KubernetesObject | undefined =>
  objects.get('IPPool', undefined, name);

/** Finalizer, address set, status (handleAddOrUpdateIPPool, v1.15 to v1.17). */
function* serve(cluster: Cluster, name: string): Job {
  const pool = poolOf(cluster, name);
  if (!alive(pool)) return;
  const { finalizer } = cluster.release;
  if ((pool.metadata.finalizers ?? []).length === 0) {
    const metadata = { ...pool.metadata, finalizers: [finalizer] };
    cluster.put({ ...pool, metadata } as unknown as GivenObject);
    yield;
  }
  const { enableAddressSet } = pool['spec'] as { enableAddressSet: boolean };
  const isThere = rowNamed(cluster, 'Address_Set', setOfPool(name)) !== undefined;
  if (enableAddressSet && !isThere) {
    const row = { name: setOfPool(name), external_ids: ours({ ippool: name }) };
    const owner = { kind: 'IPPool', name };
    make(cluster, { table: 'Address_Set', name: setOfPool(name), row, owner });
    yield;
  } else if (!enableAddressSet && isThere && take(cluster, 'Address_Set', setOfPool(name))) yield;
  const current = poolOf(cluster, name);
  if (current?.metadata.uid !== pool.metadata.uid || current['status'] !== undefined) return;
  cluster.put({ ...current, status: statusOf(cluster, name) } as unknown as GivenObject);
  yield;
}

/** Addresses 2 to 11 of its Subnet, of which pods have some. */
function statusOf(cluster: Cluster, name: string): object {
  const used = new Set(
    [...cluster.objects.all('IP')]
      .map((it) => it['spec'] as { subnet?: string; ipAddress?: string })
      .filter((it) => it.subnet === SERVED_POOLS[name])
      .map((it) => String(it.ipAddress)),
  );
  const { ips } = poolOf(cluster, name)!['spec'] as { ips: readonly string[] };
  const [using, available] = [true, false].map((is) => ips.filter((it) => used.has(it) === is));
  return {
    v4UsingIPs: using!.length,
    v4UsingIPRange: using!.join(','),
    v4AvailableIPs: available!.length,
    v4AvailableIPRange: available!.join(','),
  };
}

/** The set, then the finalizer; whoever has addresses of it keeps them (handleDeleteIPPool). */
function* end(cluster: Cluster, name: string): Job {
  if (alive(poolOf(cluster, name))) return;
  if (take(cluster, 'Address_Set', setOfPool(name))) yield;
  const pool = poolOf(cluster, name);
  if (!pool || !hasDeletionTimestamp(pool)) return;
  cluster.objects.remove('IPPool', undefined, name);
  cluster.diary.push(`IPPool ${name} gone`);
  yield;
}

/** A deletion is handled where a change is heard of: what is added is passed over while it goes. */
export const ipPools: Handler = (controller: Controller, event) => {
  if (event.is === 'all') return;
  const { cluster, memory } = controller;
  const { name, uid } = event.object.metadata;
  if (!(name in SERVED_POOLS) || !isAtLeast(cluster.release, 1, 15)) return;
  const isChange = memory.has(`heard of ${uid}`);
  memory.set(`heard of ${uid}`, true);
  if (event.is === 'gone' || (hasDeletionTimestamp(event.object) && isChange))
    controller.enqueueOnce(`pool ${name}`, () => end(cluster, name));
  else controller.enqueueOnce(`pool ${name}`, () => serve(cluster, name));
};
