import type { NbRow } from './row';
import type { StringMap } from '../../world/ovn-rows';
import { mapOf, columnText, valueOf } from './row';
import type { RowClaim } from './claim';
import { agrees, contradicts, plausible } from './claim';
import { pairOf, uplinkPortOf } from './names';

const POD = agrees('the pod key and the port name say the same');
const QUERIER = agrees('named as the multicast querier of its switch');
const NODE = agrees('named as a node port');
const SUBNET_VIP = agrees('named after its switch and its virtual address');
const FREE_NAME = plausible(
  'neither a pod key nor a generated name: a Vip, an OvnEip or somebody else may want it',
);
const ROUTER = plausible('the switch side of a router port: it goes with its switch');
const LOCALNET = plausible('the uplink of an underlay switch: it goes with its switch');
const NO_SWITCH = contradicts(
  'tagged vendor=kube-ovn but without the ls key every port of Kube-OVN has',
);
const POD_DISAGREES = contradicts('the pod key does not reproduce the port name');
const TYPE = contradicts('of a port type Kube-OVN does not make in this form');

/**
 * What follows `<pod>.<namespace>` on a port of an attached network: `.<nad>.<namespace>.ovn`, with
 * an interface maybe.
 */
const ATTACHMENT = /^(?:\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}\.ovn(?:\.[^.\s/]+)?$/;
/**
 * A node's name is a DNS-1123 subdomain; a typed Vip without a namespace leaves an empty label
 * behind.
 */
const NODE_PORT = /^node-[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Names of ports as kube-ovn.md §3.1 lists them (pkg/ovs/ovn-nb-logical_switch_port.go,
 * util.PodNameToPortName).
 */
export function logicalSwitchPort(row: NbRow, ids: StringMap): RowClaim {
  const ls = valueOf(ids, 'ls');
  if (ls === '') return NO_SWITCH;
  switch (columnText(row, 'type')) {
    case '':
      return ordinary(row.name, ls, valueOf(ids, 'pod'));
    case 'virtual':
      return virtual(row, ls);
    case 'router':
      return routerSide(row, ls) ? ROUTER : TYPE;
    case 'localnet':
      return row.name === uplinkPortOf(ls) || row.name === `ln-${ls}` ? LOCALNET : TYPE;
    default:
      return TYPE;
  }
}

function ordinary(name: string, ls: string, pod: string): RowClaim {
  if (pod === '') return NODE_PORT.test(name) ? NODE : FREE_NAME;
  const parts = pairOf(pod);
  if (!parts) return POD_DISAGREES;
  const [namespace, served] = parts;
  const stem = `${served}.${namespace}`;
  if (name === stem || (name.startsWith(stem) && ATTACHMENT.test(name.slice(stem.length))))
    return POD;
  return name === `mcast-querier.${ls}` && pod === `default/${name}` ? QUERIER : POD_DISAGREES;
}

function virtual(row: NbRow, ls: string): RowClaim {
  const address = valueOf(mapOf(row, 'options'), 'virtual-ip');
  if (address === '') return TYPE;
  return row.name === `${ls}-vip-${address}` ? SUBNET_VIP : FREE_NAME;
}

/** `<switch>-<router>` here, `<router>-<switch>` as the router port it names. */
function routerSide(row: NbRow, ls: string): boolean {
  const router = row.name.startsWith(`${ls}-`) ? row.name.slice(ls.length + 1) : '';
  return router !== '' && valueOf(mapOf(row, 'options'), 'router-port') === `${router}-${ls}`;
}
