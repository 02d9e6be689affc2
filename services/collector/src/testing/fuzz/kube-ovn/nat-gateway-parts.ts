import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { type Cluster, ROUTER } from '../cluster';
import { isAtLeast } from './releases';

/** The one NAT gateway that a history has, and the namespace of its pod. */
export const GATEWAY = 'nat-1';
export const RUNS_IN = 'default';
export const WORKLOAD = `vpc-nat-gw-${GATEWAY}`;
export const POD = `${WORKLOAD}-0`;
export const KEY = 'ovn.kubernetes.io/';

export const RULE_KINDS = ['IptablesFIPRule', 'IptablesSnatRule', 'IptablesDnatRule'] as const;
export type Kind = 'IptablesEIP' | (typeof RULE_KINDS)[number] | 'QoSPolicy';
export const KINDS: readonly Kind[] = ['IptablesEIP', ...RULE_KINDS, 'QoSPolicy'];

/** What of a rule's spec is in its status once it is in the gateway (patchFipStatus and its like). */
const SERVED_FIELDS: Readonly<Record<(typeof RULE_KINDS)[number], readonly string[]>> = {
  IptablesFIPRule: ['internalIp'],
  IptablesSnatRule: ['internalCIDR'],
  IptablesDnatRule: ['externalPort', 'internalPort', 'internalIp', 'protocol'],
};

const isRuleKind = (kind: string): kind is (typeof RULE_KINDS)[number] =>
  Object.hasOwn(SERVED_FIELDS, kind);

/** Of two families the controller keeps that of IPv4 alone. */
const servedText = (text: string | undefined): string => (text ?? '').split(',')[0]!;

/** What the gateway has once the rule is served as its spec is now. */
export const servedFields = (
  kind: (typeof RULE_KINDS)[number],
  rule: KubernetesObject,
): Readonly<Record<string, string>> =>
  Object.fromEntries(SERVED_FIELDS[kind].map((it) => [it, servedText(specOf(rule)[it])]));

/** Whether the gateway has the rule as it was before a change of its spec. */
export function isServedOtherwise(rule: KubernetesObject): boolean {
  const kind = rule['kind'] as string;
  const status = (rule['status'] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    isRuleKind(kind) &&
    status['ready'] === true &&
    Object.entries(servedFields(kind, rule)).some(([name, text]) => status[name] !== text)
  );
}

export const podOf = ({ objects }: Cluster): KubernetesObject | undefined =>
  objects.get('Pod', RUNS_IN, POD);
export const specOf = (object: KubernetesObject): Record<string, string> =>
  object['spec'] as Record<string, string>;
export const labelOf = ({ metadata }: KubernetesObject, key: string): string | undefined =>
  (metadata['labels'] as Record<string, string> | undefined)?.[KEY + key];

/** What is left of the gateway: the object itself, or what runs it. */
export const isGatewayLeft = (cluster: Cluster): boolean =>
  cluster.objects.get('VpcNatGateway', undefined, GATEWAY) !== undefined || isGatewayRun(cluster);

/** Rules that use an external address, by name, as their specs say. */
export const rulesOf = ({ objects }: Cluster, eip: string): KubernetesObject[] =>
  RULE_KINDS.flatMap((kind) => [...objects.all(kind)].filter((it) => specOf(it)['eip'] === eip));

/** External addresses that a QoS policy was given to. */
export const usersOf = ({ objects }: Cluster, policy: string): KubernetesObject[] =>
  [...objects.all('IptablesEIP')].filter((it) => specOf(it)['qosPolicy'] === policy);

/** What runs the gateway: while any is left, its own finalizer stays. */
export const isGatewayRun = (cluster: Cluster): boolean =>
  cluster.objects.get('StatefulSet', RUNS_IN, WORKLOAD) !== undefined ||
  podOf(cluster) !== undefined;

/** What runs the gateway, with its pod; and that pod alone. Its Vpc may never have been there. */
export function putGateway(cluster: Cluster): void {
  const vpc = cluster.random.chance(0.5) ? ROUTER : 'tenant';
  const spec = { namespace: RUNS_IN, vpc };
  cluster.put({ kind: 'VpcNatGateway', metadata: { name: GATEWAY }, spec });
  cluster.put({
    kind: 'StatefulSet',
    metadata: {
      name: WORKLOAD,
      namespace: RUNS_IN,
      // From v1.17 on Kubernetes deletes it with its gateway.
      ...(isAtLeast(cluster.release, 1, 17) && {
        ownerReferences: [
          {
            apiVersion: 'kubeovn.io/v1',
            kind: 'VpcNatGateway',
            name: GATEWAY,
            uid: `uid-of-${GATEWAY}`,
          },
        ],
      }),
    },
    spec: {
      replicas: 1,
      template: {
        metadata: {
          labels: { app: WORKLOAD, [`${KEY}vpc-nat-gw`]: 'true' },
          annotations: { [`${KEY}vpc_nat_gw`]: GATEWAY },
        },
      },
    },
  });
  putGatewayPod(cluster);
}

/** On the host's network here: its own addresses are another matter. */
export function putGatewayPod(cluster: Cluster): void {
  cluster.put({
    kind: 'Pod',
    metadata: { name: POD, namespace: RUNS_IN, labels: { app: WORKLOAD } },
    spec: { nodeName: 'worker-1', hostNetwork: true, restartPolicy: 'Always' },
    status: { phase: 'Running' },
  });
  cluster.diary.push(`pod ${POD} runs`);
}

export function dropGatewayPod(cluster: Cluster): void {
  cluster.objects.remove('Pod', RUNS_IN, POD);
  cluster.diary.push(`pod ${POD} gone`);
}
