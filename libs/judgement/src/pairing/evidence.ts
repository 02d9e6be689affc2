import { PROTECT } from '@ovn-steward/shared/marks';
import type { Entity } from '../world/entity';
import { forLastTwo } from '../world/for-last-two';
import { isAlive, podNetworks } from '../kube-ovn/pod-networks';
import { isBeingDeleted } from '../kube-ovn/deletion';

/** The kinds in which the two systems speak of the same ports, and of the same networks. */
export const EVIDENCE_KINDS = [
  'Logical_Switch_Port',
  'Logical_Switch',
  'Logical_Router',
  'Pod',
  'Node',
  'Subnet',
  'Vpc',
  'OvnEip',
  'VirtualMachine',
  'VirtualMachineInstance',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/**
 * What one row or object says about the name of one port or network.
 *
 * `row`: a row of that name. `claim`: Kubernetes says that Kube-OVN made that row, a port with that
 * MAC. `other`: something else has a port of that name, so that nobody is missed who does not claim
 * it.
 */
export interface Evidence {
  readonly type: 'row' | 'claim' | 'other';
  readonly uid: string;
  readonly name: string;
  /**
   * Whose row it is: nodes and networks have no namespace. A network is a Subnet with its logical
   * switch, or a Vpc with its logical router.
   */
  readonly of: 'node' | 'pod' | 'network';
  readonly namespace: string;
  /** Lower case; several of a row with commas between; empty when none is said. */
  readonly mac: string;
  /**
   * Of a port: a chassis holds it. Of a network's row: Kube-OVN made it. Of a claim: its row must
   * be there.
   */
  readonly live: boolean;
  /**
   * That nobody can have this name or this MAC by choice: agreement in it is no chance and no
   * copied manifest.
   */
  readonly random: boolean;
}

const NODE = 'node-';
const MAC = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/;

/**
 * What an entity says about ports, both directions. Rows: Kube-OVN's ports of pods and nodes
 * (kube-ovn.md §3.1), but for those that a person protects: the person who marked one knows of it.
 * Objects: pods and nodes with the annotations `mac_address` that the controller writes when it
 * makes their ports (§2).
 */
export const evidenceOf: (entity: Entity<EvidenceKind>) => readonly Evidence[] = forLastTwo(
  (entity) => {
    switch (entity.kind) {
      case 'Logical_Switch_Port':
        return ofPort(entity as Entity<'Logical_Switch_Port'>);
      case 'Pod':
        return ofPod(entity as Entity<'Pod'>);
      case 'Node':
        return ofNode(entity as Entity<'Node'>);
      case 'Logical_Switch':
      case 'Logical_Router':
        return [ofNetworkRow(entity as Entity<'Logical_Switch' | 'Logical_Router'>)];
      case 'Subnet':
        return [claimOfNetwork(entity as Entity<'Subnet'>, hasSwitch(entity as Entity<'Subnet'>))];
      case 'Vpc':
        return [claimOfNetwork(entity as Entity<'Vpc'>, true)];
      case 'OvnEip':
        return [other(entity, entity.name)];
      default:
        return [other(entity, `${entity.name}.${entity.namespace ?? ''}`)];
    }
  },
);

/**
 * One literal for all of them: V8 keeps a layout of its own for each object that begins with a
 * spread, of 300 bytes a port.
 */
const evidence = (
  { uid, namespace: own = '' }: Entity,
  {
    type,
    name,
    of,
    namespace = own,
    mac = '',
    live,
    random = false,
  }: Pick<Evidence, 'type' | 'name' | 'of' | 'live'> & Partial<Evidence>,
): Evidence => ({ type, uid, name, of, namespace, mac, live, random });

const other = (entity: Entity, name: string): Evidence =>
  evidence(entity, { type: 'other', name, of: 'pod', live: false });

function ofPort(port: Entity<'Logical_Switch_Port'>): readonly Evidence[] {
  const { type = '', up, addresses, external_ids: ids = {} } = port.object;
  if (type !== '' || ids['vendor'] !== 'kube-ovn' || Object.hasOwn(ids, PROTECT)) return [];
  const served = Object.hasOwn(ids, 'pod') ? ids['pod']! : '';
  const slash = served.indexOf('/');
  if (slash <= 0 && !port.name.startsWith(NODE)) return [];
  return [
    evidence(port, {
      type: 'row',
      name: port.name,
      of: slash > 0 ? 'pod' : 'node',
      namespace: slash > 0 ? served.slice(0, slash) : '',
      mac: macsIn(addresses),
      live: up === true,
    }),
  ];
}

/** Each element of the column begins with the MAC, or is a word such as `dynamic`. */
const macsIn = (addresses: unknown): string =>
  (Array.isArray(addresses) ? addresses : [addresses])
    .map((it) => (typeof it === 'string' ? macOf(it.trim().split(' ', 1)[0]!) : ''))
    .filter((it) => it !== '')
    .join();

const macOf = (text: string): string => {
  const mac = text.toLowerCase();
  return MAC.test(mac) ? mac : '';
};

function ofPod(pod: Entity<'Pod'>): readonly Evidence[] {
  const networks = podNetworks(pod);
  // One without any annotation still is the owner of a port of its name.
  if (networks.length === 0) return [other(pod, `${pod.name}.${pod.namespace ?? ''}`)];
  return networks.map((network) =>
    evidence(pod, {
      type: 'claim',
      name: network.portName,
      of: 'pod',
      mac: macOf(network.mac),
      live: isAlive(pod),
      random: isNamedByChance(pod) && !network.ofMachine && isMade(network.mac),
    }),
  );
}

/**
 * Owners that give each of their pods a name with random letters in it. A StatefulSet, a machine
 * and a person give the same name in every cluster, and may give the MAC.
 */
const NAMING = new Set(['ReplicaSet', 'ReplicationController', 'DaemonSet', 'Job']);
const isNamedByChance = ({ object }: Entity<'Pod'>): boolean =>
  (object.metadata.ownerReferences ?? []).some(
    ({ controller, kind }) => controller === true && NAMING.has(kind),
  );

/**
 * What Kube-OVN makes (pkg/util, GenerateMac): at random with the local bit, in older releases
 * three random bytes behind zeros. Any other was given by somebody.
 */
const isMade = (text: string): boolean => {
  const mac = macOf(text);
  return mac !== '' && (/^.[26ae]/.test(mac) || mac.startsWith('00:00:00:'));
};

function ofNode(node: Entity<'Node'>): readonly Evidence[] {
  const annotations = node.object.metadata.annotations ?? {};
  const mac = annotations['ovn.kubernetes.io/mac_address'] ?? '';
  if (annotations['ovn.kubernetes.io/allocated'] !== 'true') return [];
  return [
    evidence(node, {
      type: 'claim',
      name: `${NODE}${node.name}`,
      of: 'node',
      mac: macOf(mac),
      live: !isBeingDeleted(node),
      random: isMade(mac),
    }),
  ];
}

/**
 * A switch or router of somebody else satisfies who claims it, as the mirror Vpcs of foreign
 * routers do (kube-ovn.md §1, label `vpc_external`), and misses nobody.
 */
function ofNetworkRow(row: Entity<'Logical_Switch' | 'Logical_Router'>): Evidence {
  const { external_ids: ids = {} } = row.object;
  return evidence(row, {
    type: 'row',
    name: `${row.kind === 'Logical_Switch' ? 'Subnet' : 'Vpc'}/${row.name}`,
    of: 'network',
    live: ids['vendor'] === 'kube-ovn' && !Object.hasOwn(ids, PROTECT),
  });
}

/** The provider of an attachment whose networks are OVN's: three parts (kube-ovn.md §2). */
const ATTACHED = /^[^.]*\.[^.]*\.ovn$/;

/**
 * Subnets of other providers have addresses and no switch; one without a finalizer was not taken up
 * by Kube-OVN yet.
 */
function hasSwitch({ object: { metadata, spec } }: Entity<'Subnet'>): boolean {
  const { provider = '' } = spec ?? {};
  const isOvn = provider === '' || provider === 'ovn' || ATTACHED.test(provider);
  return isOvn && (metadata.finalizers ?? []).length > 0;
}

const claimOfNetwork = (entity: Entity<'Subnet' | 'Vpc'>, live: boolean): Evidence =>
  evidence(entity, {
    type: 'claim',
    name: `${entity.kind}/${entity.name}`,
    of: 'network',
    live,
  });
