import { field } from '../../../../e2e/incidents/actor/addresses';
import type { Northbound } from '../../../../e2e/incidents/actor/northbound';
import type { Objects, Thing } from '../../../../e2e/incidents/actor/objects';
import { type Controller, inTurns } from '../../../../e2e/incidents/actor/turns';
import { HANDLES, isUnused, recounted } from './kube-ovn-releases';

type Kind = keyof typeof HANDLES;
const KINDS = Object.keys(HANDLES) as Kind[];
const HOLDERS: readonly string[] = ['IP', 'Vip', 'IptablesEIP', 'OvnEip'];
/** Addresses of Kube-OVN's own, whose going makes nobody count (kube-ovn.md §7.2). */
const OWN = /^(?:mcast-querier|u2o-interconnection)\./;

const idOf = ({ kind, metadata }: Thing): string => `${kind} ${metadata.name}`;
const isTerminating = ({ metadata }: Thing): boolean => metadata.deletionTimestamp !== undefined;

/**
 * Kube-OVN's controller, as far as deletions wait for it. It works as that does, on what it is
 * notified of: on what comes, changes and goes from now on, and again on what failed. Of what is
 * there already it has in hand what a controller keeps asking about, Vpcs that are going and
 * Subnets that are going and count nothing, and what is named here; all else it dropped until its
 * next start, which does not come (kube-ovn.md row 35). A subnet is counted again when an address
 * in it comes, changes or goes. In the Northbound it removes the ports of addresses, and nothing
 * else: no deletion waits for that.
 * @param inHand `<kind> <name>` of what it was notified of and could not finish yet.
 */
export async function startKubeOvn(
  northbound: Northbound,
  real: Objects,
  inHand: readonly string[] = [],
): Promise<Controller> {
  const listed = async (): Promise<Map<string, Thing>> =>
    new Map(
      (await Promise.all(KINDS.map((it) => real.list(it)))).flat().map((it) => [idOf(it), it]),
    );
  let known = await listed();
  const queue = new Set<string>(inHand);
  for (const [id, thing] of known)
    if (
      isTerminating(thing) &&
      (thing.kind === 'Vpc' || (thing.kind === 'Subnet' && isUnused(thing)))
    )
      queue.add(id);

  const changed = async (thing: Thing, was: Thing | undefined, objects: Objects): Promise<void> => {
    if (HOLDERS.includes(thing.kind)) await recount(thing, objects);
    const isReported = isTerminating(thing) && (was === undefined || !isTerminating(was));
    if (
      isReported ||
      (thing.kind === 'Vip' && was === undefined) ||
      (thing.kind === 'Subnet' && isTerminating(thing) && isUnused(thing))
    )
      queue.add(idOf(thing));
  };

  return inTurns(real, async (objects) => {
    const before = known;
    known = await listed();
    for (const [id, thing] of known)
      if (thing.metadata.resourceVersion !== before.get(id)?.metadata.resourceVersion)
        await changed(thing, before.get(id), objects);
    for (const [id, it] of before) if (!known.has(id)) await gone(it, objects);
    for (const id of queue) {
      const [kind, name] = id.split(' ') as [Kind, string];
      const thing = await objects.get(kind, name);
      if (thing === undefined || (await HANDLES[kind](thing, objects, northbound)))
        queue.delete(id);
    }
  });
}

async function gone(thing: Thing, objects: Objects): Promise<void> {
  if (HOLDERS.includes(thing.kind) && !OWN.test(thing.metadata.name))
    return recount(thing, objects);
  if (thing.kind !== 'Subnet') return;
  const vpc = await objects.get('Vpc', field(thing, 'vpc'));
  const subnets = await objects.list('Subnet');
  const own = subnets
    .filter((subnet) => field(subnet, 'vpc') === field(thing, 'vpc') && !isTerminating(subnet))
    .map(({ metadata }) => metadata.name);
  if (vpc) await objects.writeStatus({ ...vpc, status: { ...vpc.status, subnets: own } });
}

/** The subnets of that address. */
async function recount(holder: Thing, objects: Objects): Promise<void> {
  const names = new Set([
    field(holder, 'subnet'),
    field(holder, 'externalSubnet'),
    holder.metadata.labels?.['ovn.kubernetes.io/subnet'] ?? '',
    ...((holder.spec?.['attachSubnets'] ?? []) as string[]),
  ]);
  for (const name of names) {
    const subnet = name === '' ? undefined : await objects.get('Subnet', name);
    if (subnet) await recounted(subnet, objects);
  }
}
