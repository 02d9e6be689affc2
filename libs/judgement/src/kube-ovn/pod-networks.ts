import type { Entity } from '../world/entity';
import { forLastTwo } from '../world/for-last-two';

/** One network interface of a pod that Kube-OVN gave a port on a logical switch. */
export interface PodNetwork {
  /** `ovn` for the default network, `<nad>.<namespace>.ovn[.<interface>]` for an attachment. */
  readonly provider: string;
  readonly logicalSwitch: string;
  readonly portName: string;
  readonly addresses: string;
  /** As the annotation has it; empty when there is none. */
  readonly mac: string;
  /** The port has a machine's name, not the pod's. */
  readonly ofMachine: boolean;
}

const SUFFIX = '.kubernetes.io/allocated';

/**
 * The interfaces Kube-OVN says it made ports for: annotation
 * `<provider>.kubernetes.io/allocated=true` together with the switch. IPAM-only interfaces (macvlan
 * and the like) have no `logical_switch` and no port. A machine's interfaces are named after the
 * machine, not after the launcher pod (kube-ovn.md §2, §3.1).
 */
export const podNetworks: (pod: Entity<'Pod'>) => readonly PodNetwork[] = forLastTwo((pod) => {
  const annotations = pod.object.metadata.annotations ?? {};
  const networks: PodNetwork[] = [];
  for (const [key, value] of Object.entries(annotations)) {
    if (!key.endsWith(SUFFIX) || value !== 'true') continue;
    const provider = key.slice(0, -SUFFIX.length);
    const of = (what: string): string => annotations[`${provider}.kubernetes.io/${what}`] ?? '';
    const logicalSwitch = of('logical_switch');
    if (logicalSwitch === '' || !isOvnProvider(provider)) continue;
    const owner = of('virtualmachine') || pod.name;
    const base = `${owner}.${pod.namespace ?? ''}`;
    networks.push({
      provider,
      logicalSwitch,
      portName: provider === 'ovn' ? base : `${base}.${provider}`,
      addresses: of('ip_address'),
      mac: of('mac_address'),
      ofMachine: of('virtualmachine') !== '',
    });
  }
  return networks;
});

/**
 * `ovn`, or three dotted parts ending in `ovn`; a fourth names the interface when one attachment is
 * used twice.
 */
const isOvnProvider = (provider: string): boolean => {
  const parts = provider.split('.');
  return provider === 'ovn' || ((parts.length === 3 || parts.length === 4) && parts[2] === 'ovn');
};

/**
 * Whether Kube-OVN counts the pod as alive, so that it should have its ports (kube-ovn.md §4.17).
 */
export function isAlive(pod: Entity<'Pod'>): boolean {
  const { spec, status, metadata } = pod.object;
  if (metadata.deletionTimestamp !== undefined || spec?.hostNetwork === true) return false;
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
