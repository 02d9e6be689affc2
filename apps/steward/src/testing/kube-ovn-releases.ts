import { tryParseCidr } from '@ovn-steward/judgement/kube-ovn/cidr';
import {
  countsOf,
  field,
  freeAddress,
  holdersOf,
  isOvn,
} from '../../../../e2e/incidents/actor/addresses';
import type { Northbound } from '../../../../e2e/incidents/actor/northbound';
import { FINALIZER, type Objects, type Thing } from '../../../../e2e/incidents/actor/objects';

const EXTERNAL_NETWORK = 'ovn-vpc-external-network';
const FINALIZERS = [FINALIZER, 'kube-ovn-controller'];

/**
 * Handles one object that is in the controller's queue. False when that fails: it is tried again.
 */
export type Handle = (thing: Thing, objects: Objects, northbound: Northbound) => Promise<boolean>;

/**
 * The condition under which the controller lets each kind go, and what else it does with it
 * (kube-ovn.md §6.2, §6.6, §7.2, §7.3).
 */
export const HANDLES: Readonly<
  Record<'IP' | 'Vip' | 'IptablesEIP' | 'OvnEip' | 'Subnet' | 'Vpc', Handle>
> = {
  /** Its port goes first, unless the Subnet is gone. */
  async IP(ip, objects, northbound) {
    const subnet = await objects.get('Subnet', field(ip, 'subnet'));
    if (subnet && isOvn(subnet)) await removePorts(northbound, [ip.metadata.name]);
    return released(ip, objects);
  },

  async Vip(vip, objects, northbound) {
    if (vip.metadata.deletionTimestamp !== undefined) {
      await removePorts(northbound, [
        vip.metadata.name,
        `${vip.metadata.name}.${field(vip, 'namespace')}`,
      ]);
      return released(vip, objects);
    }
    if (vip.status?.['v4ip'] !== undefined) return true;
    const subnet = await objects.get('Subnet', field(vip, 'subnet'));
    const v4ip = subnet && freeAddress(subnet, await holdersOf(objects));
    if (v4ip === undefined) return false;
    const labels = {
      ...vip.metadata.labels,
      'ovn.kubernetes.io/subnet': field(vip, 'subnet'),
      'ovn.kubernetes.io/ip_reserved': '',
    };
    return objects.write({
      ...vip,
      metadata: { ...vip.metadata, labels, finalizers: [FINALIZER] },
      spec: { ...vip.spec, v4ip },
      status: { v4ip },
    });
  },

  /** It is taken out of the gateway's pod first, unless the gateway itself is gone. */
  async IptablesEIP(eip, objects) {
    const gateway = await objects.get('VpcNatGateway', field(eip, 'natGwDp'));
    const hasPod =
      gateway &&
      (await objects.get(
        'Pod',
        `vpc-nat-gw-${gateway.metadata.name}-0`,
        field(gateway, 'namespace') || 'kube-system',
      )) !== undefined;
    const isUsed = await anyNames(
      objects,
      ['IptablesFIPRule', 'IptablesDnatRule', 'IptablesSnatRule'],
      'eip',
      eip,
    );
    const subnet = await objects.get('Subnet', field(eip, 'externalSubnet') || EXTERNAL_NETWORK);
    return subnet === undefined || hasPod === false || isUsed ? false : released(eip, objects);
  },

  OvnEip: async (eip, objects) =>
    (await anyNames(objects, ['OvnFip', 'OvnSnatRule', 'OvnDnatRule'], 'ovnEip', eip))
      ? false
      : released(eip, objects),

  /**
   * The count is checked last: after the CIDR and the Vlan, which fail it. With addresses in use
   * it waits for the next event about it.
   */
  async Subnet(subnet, objects) {
    const vlan = field(subnet, 'vlan');
    if (
      !field(subnet, 'cidrBlock').split(',').every(tryParseCidr) ||
      (vlan !== '' && (await objects.get('Vlan', vlan)) === undefined)
    )
      return false;
    const counted = await recounted(subnet, objects);
    return counted === undefined ? false : isUnused(counted) ? released(counted, objects) : true;
  },

  /** Asked again every five seconds until its own status lists no subnet. */
  Vpc: async (vpc, objects) =>
    ((vpc.status?.['subnets'] ?? []) as string[]).length > 0 ? false : released(vpc, objects),
};

const removePorts = async (northbound: Northbound, names: readonly string[]): Promise<void> =>
  northbound.release(
    'Logical_Switch',
    'ports',
    (await northbound.rows('Logical_Switch_Port')).filter((it) => names.includes(it.name)),
  );

const anyNames = async (
  objects: Objects,
  kinds: readonly string[],
  where: string,
  { metadata }: Thing,
): Promise<boolean> =>
  (await Promise.all(kinds.map((it) => objects.list(it))))
    .flat()
    .some((it) => field(it, where) === metadata.name);

const released = ({ metadata, ...thing }: Thing, objects: Objects): Promise<boolean> =>
  objects.write({
    ...thing,
    metadata: {
      ...metadata,
      finalizers: (metadata.finalizers ?? []).filter((it) => !FINALIZERS.includes(it)),
    },
  });

/**
 * The Subnet with its status as it is counted now; undefined when somebody else wrote it meanwhile.
 */
export async function recounted(subnet: Thing, objects: Objects): Promise<Thing | undefined> {
  const counts = countsOf(subnet, await holdersOf(objects));
  const { status = {} } = subnet;
  if (status['v4usingIPs'] === counts.v4usingIPs) return subnet;
  if (!(await objects.writeStatus({ ...subnet, status: { ...status, ...counts } })))
    return undefined;
  return objects.get('Subnet', subnet.metadata.name);
}

/** Nothing is in use, but for the address between underlay and overlay. */
export function isUnused({ status = {} }: Thing): boolean {
  const own = String(status['u2oInterconnectionIP'] ?? '')
    .split(',')
    .filter((it) => it !== '').length;
  const v4 = Number(status['v4usingIPs'] ?? 0);
  const v6 = Number(status['v6usingIPs'] ?? 0);
  return (v4 === 0 && v6 === 0) || v4 + v6 === own;
}
