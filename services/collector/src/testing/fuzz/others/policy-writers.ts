import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { operation as op } from '@ovn-steward/ovsdb';
import {
  annotate,
  annotationOf,
  type Cluster,
  deleteObject,
  NAMESPACES,
  rowNamed,
} from '../cluster';
import { dropGroup } from '../kube-ovn/policies';
import { LOGGED, RATE } from '../kube-ovn/meters';
import { SYSTEM } from './people';
import type { PolicyPort, PolicyRule } from '../kube-ovn/policy';

const POLICIES = ['deny', 'allow-web'] as const;
const APPS = ['web', 'job', 'api', 'db', 'mq'] as const;

const PORTS: readonly PolicyPort[] = [
  { protocol: 'TCP', port: 80 },
  { protocol: 'TCP', port: 8000, endPort: 8080 },
  { protocol: 'UDP', port: 53 },
  { protocol: 'SCTP' },
  { protocol: 'TCP', port: 'http' },
];
const NETS = ['10.0.0.0/8', '192.168.7.0/24', '172.16.0.1/32'] as const;

/** Some of them, each once. */
const someOf = <T>({ chance }: Cluster['random'], all: readonly T[], share: number): T[] =>
  all.filter(() => chance(share));

/** Up to two rules, of any ports and of everybody or some blocks. */
const someRules = ({ random }: Cluster): PolicyRule[] =>
  Array.from({ length: random.int(3) }, () => {
    const ports = someOf(random, PORTS, 0.3);
    const nets = someOf(random, NETS, 0.3);
    return {
      ...(ports.length > 0 && { ports }),
      ...(nets.length > 0 && { from: nets.map((cidr) => ({ ipBlock: { cidr } })) }),
    };
  });

/** A policy is made, takes other pods or allows something else, or goes. */
export function changePolicy(cluster: Cluster): void {
  const { random } = cluster;
  const namespace = random.pick(NAMESPACES);
  const name = random.pick(POLICIES);
  if (cluster.objects.get('NetworkPolicy', namespace, name) && random.chance(0.4)) {
    cluster.objects.remove('NetworkPolicy', namespace, name);
    cluster.diary.push(`policy ${namespace}/${name} deleted`);
    return;
  }
  const matchLabels = random.chance(0.3) ? {} : { app: random.pick(APPS) };
  const ingress = someRules(cluster);
  cluster.put({
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec: { podSelector: { matchLabels }, policyTypes: ['Ingress'], ingress },
  });
  cluster.diary.push(
    `policy ${namespace}/${name} selects ${JSON.stringify(matchLabels)} and allows ${JSON.stringify(ingress)}`,
  );
}

/** What a policy drops is to be logged, or no more. Others have a meter that is called like one. */
export function changeLog(cluster: Cluster): void {
  const { random, objects } = cluster;
  const name = 'legacy.shop_to-lport_meter';
  if (random.chance(0.1) && !rowNamed(cluster, 'Meter', name)) {
    const band = random.uuid();
    cluster.write(
      op.insert('Meter_Band', { action: 'drop', rate: 10 }, band),
      op.insert('Meter', { name, unit: 'pktps', bands: op.uuid(band) }, random.uuid()),
    );
    return;
  }
  const policy = random.maybe([...objects.all('NetworkPolicy')]);
  if (!policy) return;
  const isLogged = annotationOf(policy, LOGGED) === 'true';
  const { namespace = '', name: ofPolicy } = policy.metadata;
  // As by hand, where no controller does it.
  if (isLogged && random.chance(0.4) && dropGroup(cluster, namespace, ofPolicy)) {
    if (random.chance(0.7)) deleteObject(cluster, policy, false);
    return;
  }
  annotate(
    cluster,
    policy,
    isLogged ? { [LOGGED]: undefined } : { [LOGGED]: 'true', [RATE]: '10' },
  );
  cluster.diary.push(`policy ${ofPolicy} is logged${isLogged ? ' no more' : ''}`);
}

/** A pod gets another label. */
export function relabel(cluster: Cluster): void {
  const { random } = cluster;
  const pod = random.maybe(
    [...cluster.objects.all('Pod')].filter((it) => !SYSTEM.includes(it.metadata.namespace ?? '')),
  );
  if (!pod) return;
  const app = random.pick(APPS);
  cluster.put({ ...pod, metadata: { ...pod.metadata, labels: { app } } } as unknown as GivenObject);
  cluster.diary.push(`pod ${pod.metadata.namespace}/${pod.metadata.name} is ${app} now`);
}
