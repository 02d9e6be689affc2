import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { oneOf, type Random } from './random';

/** A pod of the made-up life: what is left of it is true or false for each part. */
interface Creature {
  readonly name: string;
  readonly address: string;
  pod: boolean;
  ip: boolean;
  port: boolean;
}

export interface LifeOptions {
  /** ovn-nbctl to the Northbound. */
  readonly nbctl: (...args: string[]) => Promise<string>;
  readonly api: KubernetesServer['api'];
  readonly random: Random;
}

/** What a Kube-OVN cluster does all day, with its accidents. */
export interface Life {
  /** Makes one change, again and again until it is made: servers may be away. */
  step(): Promise<void>;
  /** Takes away everything the life ever made, so that the next one starts from the same world. */
  end(): Promise<void>;
}

const NAMESPACE = 'shop';
const SWITCH = 'apps';
const NODE = 'worker-1';
const PATIENCE_MS = 60_000;

/**
 * Pods are born with a port and an IP object on the recorded switch `apps`, and die: some cleanly,
 * some leave their port, their IP object or both; some of what was left is cleaned up later. The
 * order of events depends on `random` alone.
 */
export function startLife({ nbctl, api, random }: LifeOptions): Life {
  const creatures: Creature[] = [];
  let born = 0;
  const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
  const ips = '/apis/kubeovn.io/v1/ips';
  const portOf = (it: Creature): string => `${it.name}.${NAMESPACE}`;

  const addPort = (creature: Creature): Promise<unknown> =>
    insist(() =>
      nbctl(
        '--may-exist',
        'lsp-add',
        SWITCH,
        portOf(creature),
        '--',
        'lsp-set-addresses',
        portOf(creature),
        `0a:00:00:00:00:01 ${creature.address}`,
        '--',
        'set',
        'Logical_Switch_Port',
        portOf(creature),
        'external_ids:vendor=kube-ovn',
        `external_ids:ls=${SWITCH}`,
        `external_ids:pod=${NAMESPACE}/${creature.name}`,
      ),
    );
  const removePort = (it: Creature): Promise<unknown> =>
    insist(() => nbctl('--if-exists', 'lsp-del', portOf(it)));
  const post = (path: string, object: object): Promise<unknown> =>
    insist(() => api.send('POST', path, object), 'AlreadyExists');
  const remove = (path: string): Promise<unknown> =>
    insist(
      () =>
        api.send('DELETE', path, {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          gracePeriodSeconds: 0,
        }),
      'NotFound',
    );
  const addPod = (creature: Creature): Promise<unknown> =>
    post(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: creature.name,
        annotations: {
          'ovn.kubernetes.io/allocated': 'true',
          'ovn.kubernetes.io/ip_address': creature.address,
          'ovn.kubernetes.io/logical_switch': SWITCH,
        },
      },
      spec: { containers: [{ name: 'main', image: 'example/none:1' }] },
    });
  const addIp = (creature: Creature): Promise<unknown> =>
    post(ips, {
      apiVersion: 'kubeovn.io/v1',
      kind: 'IP',
      metadata: {
        name: portOf(creature),
        labels: {
          [SWITCH]: '',
          'ovn.kubernetes.io/ip_reserved': 'false',
          'ovn.kubernetes.io/node-name': NODE,
          'ovn.kubernetes.io/subnet': SWITCH,
        },
      },
      spec: {
        attachIps: [],
        attachMacs: [],
        attachSubnets: [],
        containerID: '',
        ipAddress: creature.address,
        v4IpAddress: creature.address,
        v6IpAddress: '',
        macAddress: '0a:00:00:00:00:01',
        namespace: NAMESPACE,
        nodeName: NODE,
        podName: creature.name,
        podType: '',
        subnet: SWITCH,
      },
    });

  const part = {
    pod: { add: addPod, remove: (it: Creature) => remove(`${pods}/${it.name}`) },
    ip: { add: addIp, remove: (it: Creature) => remove(`${ips}/${portOf(it)}`) },
    port: { add: addPort, remove: removePort },
  } as const;
  const lose = async (creature: Creature, ...parts: (keyof typeof part)[]): Promise<void> => {
    for (const each of parts) {
      if (!creature[each]) continue;
      await part[each].remove(creature);
      creature[each] = false;
    }
  };
  const bear = async (): Promise<void> => {
    born += 1;
    const creature: Creature = {
      name: `life-${born}`,
      address: `10.17.${8 + Math.floor(born / 250)}.${1 + (born % 250)}`,
      pod: false,
      ip: false,
      port: false,
    };
    creatures.push(creature);
    for (const each of ['pod', 'ip', 'port'] as const) {
      await part[each].add(creature);
      creature[each] = true;
    }
  };

  return {
    async step() {
      const living = creatures.filter((it) => it.pod);
      const remains = creatures.filter((it) => !it.pod && (it.ip || it.port));
      const chance = random();
      if (living.length < 3 || chance < 0.4) return bear();
      if (chance < 0.55) return lose(oneOf(random, living), 'port', 'ip', 'pod');
      if (chance < 0.8 || remains.length === 0)
        return lose(
          oneOf(random, living),
          ...oneOf(random, [['pod'], ['pod', 'ip'], ['pod', 'port']] as const),
        );
      return lose(oneOf(random, remains), 'port', 'ip');
    },
    async end() {
      for (const it of creatures) await lose(it, 'port', 'ip', 'pod');
    },
  };
}

/** Until it succeeds, or the server says that it had been done already. */
async function insist(attempt: () => Promise<unknown>, done?: string): Promise<unknown> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(300)) {
    try {
      return await attempt();
    } catch (error) {
      if (done !== undefined && String(error).includes(done)) return undefined;
      if (Date.now() > end) throw error;
    }
  }
}
