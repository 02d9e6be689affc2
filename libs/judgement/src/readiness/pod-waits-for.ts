import { BlockList, isIP } from 'node:net';
import { SUBNET_ANNOTATION } from '../kube-ovn/namespace-subnets';
import { partOf, textPartOf } from './part-of';
import { isOvnProvider, providerOf } from './subnet-waits-for';

/**
 * What was read of a pod and of the Subnet it is to have an address of; undefined for what is not
 * there.
 */
export interface PodSeen {
  readonly subnetName: string;
  readonly subnet: unknown;
  /** `<namespace>/<name>`. */
  readonly podName: string;
  readonly pod: unknown;
}

const SUFFIX = '.kubernetes.io/allocated';

/**
 * What a pod still waits for until it has an address of the Subnet, in short phrases; none when it
 * has: an interface of the subnet's provider is `allocated`, is on its switch where it has one, and
 * each address of it is in the subnet's CIDR (kube-ovn.md §2).
 */
export function podWaitsFor({ subnetName, subnet, podName, pod }: PodSeen): readonly string[] {
  if (subnet === undefined) return [`Subnet ${subnetName} to be made`];
  if (pod === undefined) return [`Pod ${podName} to be made`];
  const deleted = textPartOf(pod, 'metadata', 'deletionTimestamp');
  if (deleted !== undefined)
    return [`Pod ${podName} to be recreated: its deletion began at ${deleted}`];
  const networks = networksOf(pod, providerOf(subnet));
  if (networks.length === 0) return [`Kube-OVN to give Pod ${podName} an address`];
  const wrong = networks.map((it) => misfit(it, subnetName, subnet));
  return wrong.includes(undefined)
    ? []
    : [`Pod ${podName} to have an address of Subnet ${subnetName}: ${wrong.join('; ')}`];
}

interface Network {
  readonly provider: string;
  readonly logicalSwitch: string | undefined;
  readonly addresses: readonly string[];
}

/**
 * The interfaces of a provider; an attachment that is used more than once has its interface behind
 * it.
 */
function networksOf(pod: unknown, provider: string): Network[] {
  const annotations = partOf(pod, 'metadata', 'annotations');
  const providers = Object.entries((annotations ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([key, value]) => key.endsWith(SUFFIX) && value === 'true')
    .map(([key]) => key.slice(0, -SUFFIX.length))
    .filter((it) => it === provider || (provider !== 'ovn' && it.startsWith(`${provider}.`)));
  return providers.map((prefix) => ({
    provider: prefix,
    logicalSwitch: textPartOf(annotations, `${prefix}${SUBNET_ANNOTATION.slice('ovn'.length)}`),
    addresses: (textPartOf(annotations, `${prefix}.kubernetes.io/ip_address`) ?? '')
      .split(',')
      .filter((address) => address !== ''),
  }));
}

/** Why an interface is not in the subnet; undefined when it is. */
function misfit(
  { provider, logicalSwitch, addresses }: Network,
  name: string,
  subnet: unknown,
): string | undefined {
  if (logicalSwitch === undefined ? isOvnProvider(providerOf(subnet)) : logicalSwitch !== name)
    return `its ${provider} network is ${logicalSwitch ?? 'not said'}`;
  if (addresses.length === 0) return `its ${provider} network has no address yet`;
  const inside = networkOf(textPartOf(subnet, 'spec', 'cidrBlock') ?? '');
  const outside = addresses.filter((it) => !inside(it));
  return outside.length === 0
    ? undefined
    : `its ${provider} address ${outside.join(', ')} is not in ${textPartOf(subnet, 'spec', 'cidrBlock') ?? 'its CIDR, which is not said'}`;
}

/** By Node's own list: this is also the whole of deploy/wait, which has no packages. */
function networkOf(cidrs: string): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs.split(',')) {
    const [address = '', prefix = ''] = cidr.trim().split('/');
    const family = isIP(address);
    if (family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
      list.addSubnet(address, Number(prefix), `ipv${family as 4 | 6}`);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, `ipv${family as 4 | 6}`);
  };
}
