interface MadeIp {
  readonly metadata: {
    readonly name: string;
    readonly finalizers?: readonly string[];
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * The part of Kube-OVN's controller that keeps the addresses of one subnet, as it was seen to act
 * on a real API server (v1.17-dev, provider `ovn`).
 */
export interface AddressController {
  /**
   * An IP object was made: it keeps the address for its pod, unless the object has a finalizer or
   * another name than the pod's port.
   * @returns its finalizers afterwards.
   */
  notice(made: MadeIp): readonly string[];
  /** A pod asks for an address; undefined where another has it (`AddressConflict`). */
  ask(pod: string, address: string): string | undefined;
  /** A pod asks for any: it gets what is kept for it, else the free one that is named. */
  any(pod: string, free: string): string;
}

export function addressController(): AddressController {
  const kept = new Map<string, string>();
  return {
    notice({ metadata: { name, finalizers = [] }, spec }) {
      const { podName, namespace, v4IpAddress, attachIps } = spec;
      if (finalizers.length > 0 || name !== `${String(podName)}.${String(namespace)}`)
        return finalizers;
      kept.set(String(v4IpAddress), `${String(namespace)}/${String(podName)}`);
      // It writes the object, and its finalizer with it, only where it has something to change.
      return attachIps === undefined ? ['kubeovn.io/kube-ovn-controller'] : [];
    },
    ask(pod, address) {
      if ((kept.get(address) ?? pod) !== pod) return undefined;
      kept.set(address, pod);
      return address;
    },
    any: (pod, free) => [...kept].find(([, of]) => of === pod)?.[0] ?? free,
  };
}
