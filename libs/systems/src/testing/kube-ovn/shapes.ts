import { type JsonRow, operation as op } from '@ovn-steward/ovsdb';
import type { GivenObject } from '../memory-objects';
import { type Address, portAddress, specOf } from './addresses';
import { ours } from './rows';

/**
 * One interface of a pod or a machine: who has it, what stands behind the owner's name in the names
 * of its port and its IP object, and its address.
 */
export interface Interface {
  readonly namespace: string;
  readonly pod: string;
  readonly subnet: string;
  readonly address: Address;
  /** Empty for the pod's own network, `.<attachment>.<namespace>.ovn` for another. */
  readonly suffix: string;
}

/** The name of the port, and of the IP object (kube-ovn.md §3.1). */
export const nameOf = ({
  namespace,
  pod,
  suffix,
}: Pick<Interface, 'namespace' | 'pod' | 'suffix'>): string => `${pod}.${namespace}${suffix}`;

/** The port of an interface as Kube-OVN writes it (§3.1). */
export const podPort = (nic: Interface): JsonRow => ({
  name: nameOf(nic),
  addresses: portAddress(nic.address),
  external_ids: ours({ ls: nic.subnet, pod: `${nic.namespace}/${nic.pod}` }),
});

/** What Kube-OVN has on it besides. */
export interface RecordOptions {
  readonly finalizer: string;
  readonly podType?: '' | 'StatefulSet' | 'VirtualMachine';
  readonly nodeName?: string;
  readonly reserved?: boolean;
}

/** The IP object of an interface as Kube-OVN writes it (§1, §6.2). */
export const ipObject = (nic: Interface, options: RecordOptions): GivenObject => ({
  kind: 'IP',
  metadata: {
    name: nameOf(nic),
    labels: {
      'ovn.kubernetes.io/ip_reserved': options.reserved === true ? 'true' : 'false',
      'ovn.kubernetes.io/subnet': nic.subnet,
    },
    finalizers: [options.finalizer],
  },
  spec: {
    namespace: nic.namespace,
    podName: nic.pod,
    podType: options.podType ?? '',
    nodeName: options.nodeName ?? '',
    subnet: nic.subnet,
    ...specOf(nic.address),
  },
});

/** The two ends of a subnet's way to its router (§3.1, §3.2). */
export const routerPort = (
  router: string,
  subnet: string,
  mac: string,
  gateway: string,
): JsonRow => ({
  name: `${router}-${subnet}`,
  mac,
  networks: gateway,
  external_ids: ours({ lr: router }),
});
export const switchPort = (router: string, subnet: string): JsonRow => ({
  name: `${subnet}-${router}`,
  type: 'router',
  addresses: 'router',
  options: op.map([['router-port', `${router}-${subnet}`]]),
  external_ids: ours({ ls: subnet }),
});
