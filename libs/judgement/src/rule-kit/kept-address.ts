import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { ipsIn } from '@ovn-steward/shared/address';
import { DEFAULT_NETWORK, NETWORKS } from '../kube-ovn/attachments';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { namesIn, SUBNET_ANNOTATION } from '../kube-ovn/namespace-subnets';
import { isReserved } from '../kube-ovn/reservation';
import { requestsAttachment } from './requested-attachment';
import { workloadClaimants } from './claimants';
import type { Entity } from '../world/entity';
import type { Keeper } from '../world/former-address';

/** Reads of the world what an address record may be kept for. */
export interface KeeperSource {
  find(kind: 'Namespace' | Keeper['kind'], key: string): Entity | undefined;
}

type Owner = Entity<Keeper['kind']>;
type MachineTemplate = NonNullable<
  NonNullable<Entity<'VirtualMachine'>['object']['spec']>['template']
>;

/**
 * Who has Kube-OVN keep the record though no pod may exist: a StatefulSet that wants the ordinal,
 * or a machine (kube-ovn.md §6.3). Undefined also where the owner, or its namespace, requests
 * something else by now: another subnet, an address or a pool, or no such interface.
 */
export function keeperOf(ip: Entity<'IP'>, source: KeeperSource): Owner | undefined {
  const { podType, podName = '', namespace = '' } = ip.object.spec ?? {};
  const kind = podType === 'StatefulSet' || podType === 'VirtualMachine' ? podType : undefined;
  const claimant = workloadClaimants(namespace, podName).find((it) => it.kind === kind);
  const owner = claimant && (source.find(kind!, claimant.key) as Owner | undefined);
  if (!owner || isBeingDeleted(owner) || claimant.claims?.(owner) === false) return undefined;
  return requestsAsBefore(ip, owner, source) ? owner : undefined;
}

/**
 * Whether nothing says that the interface is to have another address, as far as that can be read.
 */
function requestsAsBefore(ip: Entity<'IP'>, owner: Owner, source: KeeperSource): boolean {
  const { podName, namespace = '', subnet = '' } = ip.object.spec ?? {};
  const stem = `${podName}.${namespace}`;
  const attachment = ip.name.startsWith(`${stem}.`) ? ip.name.slice(stem.length + 1) : undefined;
  if (attachment === undefined && (ip.name !== stem || hasOtherDefault(owner))) return false;
  if (attachment !== undefined && requestsAttachment(owner, attachment) !== true) return false;
  const requested = owner.object.spec?.template?.metadata?.annotations ?? {};
  if (attachment !== undefined && requestsItsAddress(requested, attachment)) return false;
  const prefix = `${attachment ?? 'ovn'}.kubernetes.io`;
  const all = [requested];
  if (attachment === undefined) {
    const annotations = source.find('Namespace', namespace)?.object['metadata'] as
      { readonly annotations?: Readonly<Record<string, string>> } | undefined;
    if (annotations === undefined) return false;
    all.push(annotations.annotations ?? {});
  }
  const annotations = [`${prefix}/ip_address`, `${prefix}/ip_pool`];
  if (all.some((it) => annotations.some((key) => Object.hasOwn(it, key)))) return false;
  const subnets = all
    .map((it) => it[attachment === undefined ? SUBNET_ANNOTATION : `${prefix}/logical_switch`])
    .find((it) => it !== undefined);
  return subnets === undefined || namesIn(subnets).some((it) => it.trim() === subnet);
}

/**
 * Whether an attached interface has its address from a person in another way than by the annotation
 * of its provider: as Multus writes one, or from v1.16 on by the interface's name behind that of
 * the definition (pkg/controller/pod.go, syncKubeOvnNet and perInterfaceIPAnnotationKey).
 */
function requestsItsAddress(
  requested: Readonly<Record<string, string>>,
  attachment: string,
): boolean {
  const [definition, namespace] = attachment.split('.');
  const perInterface = `${definition}.${namespace}.kubernetes.io/ip_address.`;
  return (
    (requested[NETWORKS] ?? '').includes('"ips"') ||
    Object.keys(requested).some((it) => it.startsWith(perInterface))
  );
}

/** Whether its first interface is, or may be, of another network than the cluster's. */
function hasOtherDefault({ object: { spec } }: Owner): boolean {
  const template = spec?.template;
  if (template === undefined) return true;
  if (Object.hasOwn(template.metadata?.annotations ?? {}, DEFAULT_NETWORK)) return true;
  const networks = (template as MachineTemplate).spec?.networks ?? [];
  return networks.length > 0 && !networks.some((it) => it.pod !== undefined);
}

/** Whether it is a reservation that a person made, by the label that the controller confirmed. */
export const isMadeReservation = (ip: Entity<'IP'>): boolean =>
  isReserved(ip) && ip.object.metadata.labels?.['ovn.kubernetes.io/ip_reserved'] === 'true';

/** The pod or machine by which the record is named, `namespace/name`. */
export const heldFor = ({ spec }: Pick<Entity<'IP'>['object'], 'spec'>): string =>
  objectKey(spec?.namespace, spec?.podName ?? '');

/** The addresses of a record, each in one spelling; none that cannot be read. */
export const recordedAddresses = (spec: Entity<'IP'>['object']['spec']) =>
  ipsIn([spec?.v4IpAddress, spec?.v6IpAddress]);
