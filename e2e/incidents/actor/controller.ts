import { holdersOf } from './addresses';
import { giveEips } from './eips';
import { releaseIps } from './ips';
import { annotateNamespaces } from './namespaces';
import type { Northbound } from './northbound';
import type { Objects, Thing } from './objects';
import { allocatePods, forgetPod } from './pods';
import { forgetSubnet, reconcileSubnets } from './subnets';
import { type Controller, inTurns } from './turns';
import { reconcileVpcs, type Release } from './vpcs';
import { tendWorkloads } from './workloads';

/**
 * Kube-OVN's controller, as far as the incidents need it: it writes what that writes, in its order,
 * with its faults.
 */
export function startController(nb: Northbound, real: Objects, release: Release): Controller {
  const made = { count: 0 };
  const memory = new Map<string, Thing>();
  const lostVpcs: Thing[] = [];

  /** What the informers would report: who was there at the last turn and is not now. */
  const gone = async (kind: string): Promise<Thing[]> => {
    const now = await real.list(kind);
    const living = new Set(now.map(({ metadata }) => metadata.uid));
    const lost = [...memory.values()].filter(
      (it) => it.kind === kind && !living.has(it.metadata.uid),
    );
    for (const it of lost) memory.delete(it.metadata.uid!);
    for (const it of now) memory.set(it.metadata.uid!, it);
    return lost;
  };
  return inTurns(real, async (objects) => {
    await tendWorkloads(objects, made);
    for (const pod of await gone('Pod')) await forgetPod(nb, objects, pod);
    lostVpcs.push(...(await gone('Vpc')));
    await reconcileVpcs(nb, objects, release, lostVpcs);
    for (const subnet of await gone('Subnet')) await forgetSubnet(nb, subnet);
    await releaseIps(nb, objects);
    await giveEips(objects);
    await reconcileSubnets(nb, objects, await holdersOf(objects));
    await annotateNamespaces(objects);
    await allocatePods(nb, objects);
  });
}
