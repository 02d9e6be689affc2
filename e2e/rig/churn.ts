import { setTimeout as sleep } from 'node:timers/promises';
import { oneOf, type Random } from '../support/random';
import type { Objects } from '../incidents/actor/objects';
import { addressed, ownerOf, pod, service, statefulSet, subnet, WORKERS } from './cluster';
import { addGateway, type GatewayPlan, partsOf, removeGateway } from './gateways';

/**
 * What comes and goes in a cluster that is used, and all of it goes at the end. Each knows what it
 * made.
 */
type Act = (objects: Objects, random: Random, id: string) => Promise<void>;

const pause = (random: Random, least: number, most: number): Promise<void> =>
  sleep(1000 * (least + random() * (most - least)));

const ofPod = (namespace: string, name: string) => ({
  kind: 'Pod',
  metadata: { namespace, name },
});

export const ACTS: Readonly<Record<string, Act>> = {
  async pods(objects, random, id) {
    const namespace = oneOf(random, ['shop', 'tenant']);
    await objects.create(pod(namespace, `burst-${id}`, oneOf(random, WORKERS)));
    await pause(random, 0.2, 6);
    await objects.remove(ofPod(namespace, `burst-${id}`));
  },
  /** Before and while Kube-OVN addresses it. */
  async forced(objects, random, id) {
    await objects.create(pod('shop', `forced-${id}`, oneOf(random, WORKERS)));
    await pause(random, 0.01, 2);
    await objects.remove(ofPod('shop', `forced-${id}`), true);
  },
  /** The same name again at once, as StatefulSets do. */
  async restarted(objects, random, id) {
    const set = await objects.create(statefulSet('shop', `set${id}`, 1));
    const one = pod('shop', `set${id}-0`, oneOf(random, WORKERS), {
      ownerReferences: [ownerOf(set)],
    });
    for (let turn = 0; turn < 3; turn += 1) {
      await addressed(objects, one);
      await pause(random, 0.2, 3);
      await objects.remove(ofPod('shop', `set${id}-0`), true);
    }
    await objects.remove(set);
    // Nothing collects what a set leaves: its record is its own to free.
    await objects.remove({ kind: 'IP', metadata: { name: `set${id}-0.shop` } });
  },
  async services(objects, random, id) {
    await objects.create(service('shop', `svc-${id}`));
    await pause(random, 0.5, 5);
    await objects.remove({ kind: 'Service', metadata: { namespace: 'shop', name: `svc-${id}` } });
  },
  async policies(objects, random, id) {
    const metadata = { namespace: 'shop', name: `np-${id}` };
    await objects.create({
      kind: 'NetworkPolicy',
      metadata,
      spec: {
        podSelector: { matchLabels: { app: oneOf(random, ['redis', 'web', 'burst']) } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [{ podSelector: {} }] }],
      },
    });
    await pause(random, 0.5, 6);
    await objects.remove({ kind: 'NetworkPolicy', metadata });
  },
  async vips(objects, random, id) {
    await objects.create({
      kind: 'Vip',
      metadata: { name: `vip-${id}` },
      spec: {
        namespace: 'shop',
        subnet: 'apps',
        type: oneOf(random, ['', 'switch_lb_vip']),
        v4ip: '',
        selector: [],
      },
    });
    await pause(random, 0.5, 5);
    await objects.remove({ kind: 'Vip', metadata: { name: `vip-${id}` } });
  },
  /**
   * A NAT gateway in a VPC that stays, with addresses and rules; rules and addresses go in whatever
   * order.
   */
  async gateways(objects, random, id) {
    const plan: GatewayPlan = {
      name: `gw-${id}`,
      vpc: 'blue',
      subnet: 'blue-a',
      lanIp: `10.50.0.${100 + (Number(id) % 100)}`,
      cidr: '10.50.0.0/24',
      leadsTo: ['10.50.0.210', '10.50.0.211'],
    };
    await addGateway(objects, plan);
    await pause(random, 0.2, 3);
    if (random() < 0.5) for (const it of partsOf(plan).slice(0, 3)) await objects.remove(it);
    await removeGateway(objects, plan);
  },
  /** A VPC with a subnet and pods, which go in whatever order. */
  async subnets(objects, random, id) {
    const vpc = `vpc-${id}`;
    const name = `net-${id}`;
    const namespace = `ns-${id}`;
    await objects.create({ kind: 'Namespace', metadata: { name: namespace } });
    await objects.create({
      kind: 'Vpc',
      metadata: { name: vpc },
      spec: { namespaces: [namespace] },
    });
    await objects.create(
      subnet(name, `10.${100 + (Number(id) % 100)}.${Math.floor(random() * 250)}.0/24`, {
        vpc,
        namespaces: [namespace],
      }),
    );
    await pause(random, 1, 3);
    await objects.create(pod(namespace, 'p', oneOf(random, WORKERS)));
    await pause(random, 1, 5);
    const goes = [
      ofPod(namespace, 'p'),
      { kind: 'Subnet', metadata: { name } },
      { kind: 'Vpc', metadata: { name: vpc } },
    ];
    for (const object of random() < 0.5 ? goes : [goes[1]!, goes[0]!, goes[2]!]) {
      await objects.remove(object);
      await pause(random, 0.2, 2);
    }
  },
};

export interface Churned {
  /** How many of each were played. */
  readonly acts: Readonly<Record<string, number>>;
  /** The Vpcs that were made, all of which were deleted. */
  readonly vpcs: readonly string[];
}

/** Plays acts by chance, several at once, until the time is over. */
export async function churn(objects: Objects, random: Random, seconds: number): Promise<Churned> {
  const until = Date.now() + seconds * 1000;
  const ran: Record<string, number> = {};
  let made = 0;
  const player = async (): Promise<void> => {
    while (Date.now() < until) {
      const name = oneOf(random, Object.keys(ACTS));
      await ACTS[name]!(objects, random, String((made += 1)));
      ran[name] = (ran[name] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, player));
  return { acts: ran, vpcs: Array.from({ length: made }, (_, nth) => `vpc-${nth + 1}`) };
}
