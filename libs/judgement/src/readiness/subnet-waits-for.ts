import { namesIn, SUBNET_ANNOTATION } from '../kube-ovn/namespace-subnets';
import { entriesOf, textPartOf } from './part-of';

/**
 * What was read of a Subnet and of what it needs, each as the API server gives it; undefined for
 * what is not there.
 */
export interface SubnetSeen {
  readonly name: string;
  readonly subnet: unknown;
  /** The Vpc that `vpcNameOf` names. */
  readonly vpc: unknown;
  /** A namespace that is to be given the subnet, where one is. */
  readonly namespace?: { readonly name: string; readonly object: unknown };
}

/**
 * Both are set by the subnet's reconcile when it is done (kube-ovn.md §1, §7.2); an IPAM-only
 * subnet gets them too.
 */
const CONDITIONS = ['Validated', 'Ready'];

/**
 * What a Subnet still waits for before a pod may be started in it, in short phrases; none when it
 * is ready. Ready is: it exists and is not being deleted, its conditions Validated and Ready are
 * True, its Vpc exists and is not being deleted, and the namespace, where one is named, is bound to
 * it. What cannot be read in the objects counts as not there yet.
 *
 * Conditions carry no generation: after a change of its spec, a Subnet is called ready by the
 * reconcile before.
 */
export function subnetWaitsFor({ name, subnet, vpc, namespace }: SubnetSeen): readonly string[] {
  if (subnet === undefined) return [`Subnet ${name} to be made`, ...boundWaitsFor(name, namespace)];
  const deleted = textPartOf(subnet, 'metadata', 'deletionTimestamp');
  if (deleted !== undefined)
    return [`Subnet ${name} to be recreated: its deletion began at ${deleted}`];
  const conditions = CONDITIONS.flatMap((it) => conditionWaitsFor(name, it, subnet));
  return [...conditions, ...vpcWaitsFor(name, subnet, vpc), ...boundWaitsFor(name, namespace)];
}

/**
 * The Vpc a Subnet is in; undefined for one that needs none, as its addresses are all Kube-OVN
 * gives (a provider that is not its own, kube-ovn.md §2), or that was given none yet.
 */
export function vpcNameOf(subnet: unknown): string | undefined {
  return isOvnProvider(providerOf(subnet)) ? textPartOf(subnet, 'spec', 'vpc') : undefined;
}

/**
 * The provider as it stands in the annotations of pods: `ovn` where none is written
 * (kube-ovn.md §2).
 */
export const providerOf = (subnet: unknown): string =>
  textPartOf(subnet, 'spec', 'provider') ?? 'ovn';

/**
 * Whether the provider's networks are OVN's: `ovn`, or three parts that end in it (kube-ovn.md §2).
 */
export const isOvnProvider = (provider: string): boolean =>
  provider === 'ovn' || (provider.split('.').length === 3 && provider.endsWith('.ovn'));

/** The subnets a namespace is bound to. Its annotation may name one twice. */
export const boundSubnets = (namespace: unknown): ReadonlySet<string> =>
  new Set(namesIn(textPartOf(namespace, 'metadata', 'annotations', SUBNET_ANNOTATION)));

function conditionWaitsFor(name: string, type: string, subnet: unknown): string[] {
  const condition = entriesOf(subnet, 'status', 'conditions').find(
    (it) => textPartOf(it, 'type') === type,
  );
  if (condition === undefined)
    return [`Kube-OVN to look at Subnet ${name}: it has no condition ${type} yet`];
  if (textPartOf(condition, 'status') === 'True') return [];
  const why = [textPartOf(condition, 'reason'), textPartOf(condition, 'message')]
    .filter((it) => it !== undefined)
    .join(': ');
  return [
    `condition ${type} of Subnet ${name} to be True: it is ${textPartOf(condition, 'status') ?? 'not said'}${why === '' ? '' : ` (${why})`}`,
  ];
}

function vpcWaitsFor(name: string, subnet: unknown, vpc: unknown): string[] {
  if (!isOvnProvider(providerOf(subnet))) return [];
  const desired = vpcNameOf(subnet);
  if (desired === undefined) return [`Kube-OVN to put Subnet ${name} into a Vpc`];
  if (vpc === undefined) return [`Vpc ${desired}, which Subnet ${name} names, to be made`];
  const deleted = textPartOf(vpc, 'metadata', 'deletionTimestamp');
  return deleted === undefined
    ? []
    : [`Vpc ${desired} to be recreated: its deletion began at ${deleted}`];
}

function boundWaitsFor(name: string, namespace: SubnetSeen['namespace']): string[] {
  if (namespace === undefined) return [];
  if (namespace.object === undefined) return [`Namespace ${namespace.name} to be made`];
  const bound = boundSubnets(namespace.object);
  if (bound.has(name)) return [];
  return [
    `Kube-OVN to bind Namespace ${namespace.name} to Subnet ${name}: it is bound to ${bound.size === 0 ? 'none' : [...bound].join(', ')}`,
  ];
}
