import { setTimeout as sleep } from 'node:timers/promises';
import type { Objects, Thing } from '../incidents/actor/objects';

const ALLOCATED = '.kubernetes.io/allocated';

/** The port of a pod at a provider (kube-ovn.md §3.1). */
const portOf = (
  { metadata: { name, namespace, annotations = {} } }: Thing,
  provider: string,
): string =>
  `${annotations[`${provider}.kubernetes.io/virtualmachine`] ?? name}.${String(namespace)}${provider === 'ovn' ? '' : `.${provider}`}`;

/** Those whose ports are OVN's: of other networks Kube-OVN only gives the addresses. */
const providersOf = ({ metadata: { annotations = {} } }: Thing): readonly string[] =>
  Object.entries(annotations)
    .filter(([key, value]) => key.endsWith(ALLOCATED) && value === 'true')
    .map(([key]) => key.slice(0, -ALLOCATED.length))
    .filter((it) => it === 'ovn' || /\.ovn(?:\.[^.]+)?$/.test(it));

/**
 * What kubelets, the network plugin and the garbage collector of Kubernetes do, as far as Kube-OVN
 * and Steward see it.
 */
export interface Kubelet {
  /** Nothing runs on that node any more, and nothing lets go of its ports. */
  die(node: string): void;
  stop(): Promise<void>;
}

/** @param chassis of each node. @param sbctl ovn-sbctl of the Southbound. */
export function startKubelet(
  objects: Objects,
  chassis: ReadonlyMap<string, string>,
  sbctl: (...words: string[]) => Promise<string>,
): Kubelet {
  let stopped = false;
  /** Ports by the uid of the pod that they were bound for. */
  const bound = new Map<string, Set<string>>();
  /** Nodes by the uid of the pod. */
  const nodes = new Map<string, string>();
  /** Nodes that let go of no port. */
  const dead = new Set<string>();
  const turn = async (): Promise<void> => {
    const pods = await objects.list('Pod');
    const living = new Set(pods.map((it) => String(it.metadata.uid)));
    for (const [uid, ports] of bound) {
      if (living.has(uid)) continue;
      bound.delete(uid);
      if (dead.has(nodes.get(uid) ?? '')) continue;
      // The same name may be another pod's by now; a port that went with its pod cannot be unbound.
      const others = new Set([...bound.values()].flatMap((it) => [...it]));
      for (const port of ports)
        if (!others.has(port)) await sbctl('lsp-unbind', port).catch(() => undefined);
    }
    for (const pod of pods) {
      const node = String(pod.spec?.['nodeName'] ?? '');
      if (dead.has(node)) continue;
      if (pod.metadata.deletionTimestamp !== undefined) {
        await objects.remove(pod, true);
        continue;
      }
      const providers = providersOf(pod);
      if (providers.length === 0 || node === '') continue;
      const uid = String(pod.metadata.uid);
      const ports = bound.get(uid) ?? new Set<string>();
      bound.set(uid, ports);
      nodes.set(uid, node);
      for (const port of providers.map((it) => portOf(pod, it))) {
        if (ports.has(port)) continue;
        // northd may not have it yet: the next turn reads again.
        const done = await sbctl('--may-exist', 'lsp-bind', port, chassis.get(node)!).then(
          () => true,
          () => false,
        );
        if (done) ports.add(port);
      }
      if (pod.status?.['phase'] !== 'Running') await objects.writeStatus(running(pod));
    }
  };
  const loop = (async () => {
    while (!stopped) {
      await turn().catch((error: unknown) => {
        if (!stopped) process.stderr.write(`kubelet: ${String(error)}\n`);
      });
      await sleep(500);
    }
  })();
  return {
    die: (node) => void dead.add(node),
    async stop() {
      stopped = true;
      await loop;
    },
  };
}

function running(pod: Thing): Thing {
  const address = pod.metadata.annotations?.['ovn.kubernetes.io/ip_address'] ?? '';
  const now = new Date().toISOString().replace(/\.\d+/, '');
  return {
    ...pod,
    status: {
      phase: 'Running',
      startTime: now,
      podIP: address.split(',')[0],
      podIPs: address.split(',').map((ip) => ({ ip })),
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: now,
      })),
    },
  };
}
