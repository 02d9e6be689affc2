import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';

interface Thing {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly namespaces?: readonly string[];
    readonly hostNetwork?: boolean;
    readonly cidrBlock?: string;
  };
}

const LIST = 'ovn.kubernetes.io/logical_switch';
const DEFAULT = 'ovn-default';
const CONDITIONS = [
  { type: 'Validated', status: 'True' },
  { type: 'Ready', status: 'True' },
];

export interface KubeOvnActor {
  /** Each address that was given: the pod, and the subnet it is of. */
  readonly given: readonly (readonly [pod: string, subnet: string])[];
  stop(): Promise<void>;
}

/**
 * Plays Kube-OVN's part in who gets which subnet (kube-ovn.md §7.2, §8), one round after the other:
 * Subnets become ready; a namespace is bound to those that list it, else to the default one, again
 * whenever that changes; every pod without an address gets one, scheduled or not, of the subnet it
 * names, else of the first its namespace is bound to, and keeps it. One that names a subnet which
 * is not ready gets none yet.
 */
export function startKubeOvnActor({ api }: KubernetesServer): KubeOvnActor {
  const given: (readonly [string, string])[] = [];
  const stop = new AbortController();
  const ready = new Set([DEFAULT]);
  const list = async (path: string): Promise<readonly Thing[]> =>
    ((await api.get(path)) as { items: Thing[] }).items;
  const annotate = (
    path: string,
    thing: Thing,
    annotations: Readonly<Record<string, string>>,
  ): Promise<unknown> =>
    api.send('PUT', path, {
      ...thing,
      metadata: {
        ...thing.metadata,
        annotations: { ...thing.metadata.annotations, ...annotations },
      },
    });

  const round = async (): Promise<void> => {
    const subnets = await list('/apis/kubeovn.io/v1/subnets');
    for (const subnet of subnets.filter(({ metadata: { name } }) => !ready.has(name))) {
      await api.send('PUT', `/apis/kubeovn.io/v1/subnets/${subnet.metadata.name}/status`, {
        ...subnet,
        status: { conditions: CONDITIONS, v4availableIPs: 250 },
      });
      ready.add(subnet.metadata.name);
    }
    for (const namespace of await list('/api/v1/namespaces')) {
      const own = subnets
        .filter(({ spec }) => spec.namespaces?.includes(namespace.metadata.name))
        .map(({ metadata }) => metadata.name);
      const wanted = own.length > 0 ? own.join(',') : DEFAULT;
      if (namespace.metadata.annotations?.[LIST] !== wanted)
        await annotate(`/api/v1/namespaces/${namespace.metadata.name}`, namespace, {
          [LIST]: wanted,
        });
    }
    const bound = new Map(
      (await list('/api/v1/namespaces')).map(({ metadata: { name, annotations } }) => [
        name,
        annotations?.[LIST]?.split(',')[0],
      ]),
    );
    for (const pod of await list('/api/v1/pods')) {
      const { name, namespace = '', annotations = {}, deletionTimestamp } = pod.metadata;
      const subnet = annotations[LIST] ?? bound.get(namespace);
      if (
        pod.spec.hostNetwork ||
        deletionTimestamp !== undefined ||
        annotations['ovn.kubernetes.io/allocated'] === 'true' ||
        subnet === undefined ||
        !ready.has(subnet)
      )
        continue;
      await annotate(`/api/v1/namespaces/${namespace}/pods/${name}`, pod, {
        [LIST]: subnet,
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/ip_address': `10.88.0.${given.length + 10}`,
      });
      given.push([`${namespace}/${name}`, subnet]);
    }
  };
  const ended = (async () => {
    while (!stop.signal.aborted) {
      await round().catch(() => undefined); // somebody else wrote in between: the next round sees it
      await sleep(50);
    }
  })();
  return {
    given,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}
