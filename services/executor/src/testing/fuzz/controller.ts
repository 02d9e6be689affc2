import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { KUBE_OVN } from '../recorded-engine';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';

const RENEWED_EVERY_MS = 2000;

/** The kube-ovn-controller that leads, or led: by its Lease others know it. */
export interface Controller {
  /**
   * Since when nobody renews the Lease, in milliseconds of the steady clock; undefined while
   * somebody does.
   */
  goneSince(): number | undefined;
  /** As the API server has it now. */
  lease(): KubernetesObject | undefined;
  /** It dies, gives up, is replaced, or is there again. */
  change(): void;
  /** There is one, and stays. */
  lead(): void;
}

/** @param now the cluster's clock, milliseconds since 1970. */
export function createController(random: Random, now: () => number): Controller {
  // Of another cluster's Lease it must be distinguished.
  const uid = random.uuid();
  const epoch = (): string => new Date(now()).toISOString();
  let goneSince: number | undefined;
  let holder: string | undefined = 'kube-ovn-controller-0';
  let terms = 1;
  // The first one leads for long.
  let acquireTime = '2020-01-01T00:00:00.000Z';
  const lead = (): void => {
    if (goneSince === undefined) return;
    goneSince = undefined;
    holder = `kube-ovn-controller-${random.int(3)}`;
    acquireTime = epoch();
    terms += 1;
  };
  const gone = (): void => void (goneSince ??= performance.now());
  return {
    goneSince: () => goneSince,
    lease() {
      if (holder === undefined) return undefined;
      const renewed = Math.floor((goneSince ?? performance.now()) / RENEWED_EVERY_MS);
      return {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          namespace: KUBE_OVN.namespace,
          name: KUBE_OVN.lease,
          uid,
          resourceVersion: String(renewed),
        },
        spec: {
          holderIdentity: holder,
          acquireTime,
          leaseTransitions: terms,
          renewTime: new Date(renewed * RENEWED_EVERY_MS).toISOString(),
        },
      } as unknown as KubernetesObject;
    },
    change() {
      if (goneSince !== undefined && random.chance(0.5)) return lead();
      gone();
      switch (random.int(4)) {
        case 0: // it stopped in good order
          holder = '';
          break;
        case 1: // somebody deleted the Lease with it
          holder = undefined;
          break;
        case 2: // another takes over at once
          lead();
      }
    },
    lead,
  };
}

/** What a process saw of who leads. */
export interface LeaseReader {
  /**
   * When it first saw that the Lease had moved, on its own clock and on the steady one; undefined
   * when it never did.
   */
  movedAt(): { readonly wall: number; readonly steady: number } | undefined;
}

/** Lets this client read the Lease of that controller. */
export function lendLease(kubernetes: MemoryKubernetes, controller: Controller): void {
  const { get } = kubernetes;
  kubernetes.get = async (kind, namespace, name, signal) => {
    const found = await get(kind, namespace, name, signal);
    return kind === 'Lease' && name === KUBE_OVN.lease ? controller.lease() : found;
  };
}

/** The same client; `read` is called with each Lease it reads. */
export const reporting = <K extends Kubernetes>(
  kubernetes: K,
  read: (lease: KubernetesObject | undefined) => void,
): K =>
  Object.assign(Object.create(kubernetes) as K, {
    get: async (...given: Parameters<Kubernetes['get']>) => {
      const found = await kubernetes.get(...given);
      if (given[0] === 'Lease') read(found);
      return found;
    },
  });

/** Remembers when a process saw another term of leading. @param now its own clock. */
export function leaseReader(
  now: () => number,
): LeaseReader & { read(lease: KubernetesObject | undefined): void } {
  let last: string | undefined;
  let moved: { readonly wall: number; readonly steady: number } | undefined;
  return {
    movedAt: () => moved,
    read(lease) {
      const { holderIdentity, acquireTime, leaseTransitions } = (lease?.['spec'] ?? {}) as Record<
        string,
        unknown
      >;
      const term = JSON.stringify([holderIdentity, acquireTime, leaseTransitions]);
      if (last !== undefined && last !== term) moved = { wall: now(), steady: performance.now() };
      last = term;
    },
  };
}

/** The same client; `read` is called with its number of connections, whenever that is asked. */
export const connectionsReporting = (
  northbound: Northbound,
  read: (connections: number) => void,
): Northbound =>
  Object.assign(Object.create(northbound) as Northbound, {
    connections: () => {
      const had = northbound.connections();
      read(had);
      return had;
    },
  });

/**
 * Remembers when a process saw that it had reached the Northbound again.
 * @param now its own clock.
 */
export function connectionsReader(now: () => number): {
  movedAt(): { readonly wall: number; readonly steady: number } | undefined;
  read(connections: number): void;
} {
  let last: number | undefined;
  let moved: { readonly wall: number; readonly steady: number } | undefined;
  return {
    movedAt: () => moved,
    read(connections) {
      if (last !== undefined && last !== connections)
        moved = { wall: now(), steady: performance.now() };
      last = connections;
    },
  };
}
