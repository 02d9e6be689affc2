import { field } from './addresses';
import type { Northbound } from './northbound';
import { FINALIZER, type Objects, type Thing, unheld } from './objects';

export interface Release {
  /** Since v1.13.4 a Vpc has a finalizer (kube-ovn.md §7.3). */
  readonly vpcFinalizer: boolean;
}

/**
 * A Vpc's router, its list of subnets, and its end (kube-ovn.md §7.3). With a finalizer it goes
 * when that list is empty. Without, it is gone at once; its router is to follow when no subnet
 * names it any more, which is remembered only in memory: after a restart the collection of garbage
 * takes the router, whoever uses it.
 */
export async function reconcileVpcs(
  nb: Northbound,
  objects: Objects,
  { vpcFinalizer }: Release,
  gone: readonly Thing[],
): Promise<void> {
  const subnets = await objects.list('Subnet');
  const routers = new Set((await nb.rows('Logical_Router')).map(({ name }) => name));
  const vpcs = await objects.list('Vpc');
  for (const vpc of vpcs) {
    const { name, finalizers = [], deletionTimestamp } = vpc.metadata;
    const own = subnets
      .filter((it) => field(it, 'vpc') === name && it.metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name)
      .sort();
    if (deletionTimestamp !== undefined) {
      if (own.length === 0 && finalizers.includes(FINALIZER)) await objects.write(unheld(vpc));
      continue;
    }
    if (!routers.has(name))
      await nb.nbctl(
        'lr-add',
        name,
        '--',
        'set',
        'Logical_Router',
        name,
        'external_ids:vendor=kube-ovn',
      );
    if (vpcFinalizer && !finalizers.includes(FINALIZER))
      await objects.write({
        ...vpc,
        metadata: { ...vpc.metadata, finalizers: [...finalizers, FINALIZER] },
      });
    else if (
      JSON.stringify([...((vpc.status?.['subnets'] ?? []) as string[])].sort()) !==
      JSON.stringify(own)
    )
      await objects.writeStatus({ ...vpc, status: { ...vpc.status, router: name, subnets: own } });
  }
  for (const {
    metadata: { name },
  } of gone) {
    const isWanted =
      vpcs.some((it) => it.metadata.name === name) ||
      subnets.some((it) => field(it, 'vpc') === name);
    if (!isWanted && routers.has(name)) await nb.nbctl('lr-del', name);
  }
}
