import { alive, type Cluster, remove } from '../cluster';
import { EXTERNAL } from '../create-external';
import * as gateways from '../kube-ovn/nat-gateway-parts';
import { editSpec } from './edit-spec';

const EIP = 'eip-g1';
const QOS = 'qos-1';
const RULES = { IptablesFIPRule: 'fip-g', IptablesSnatRule: 'snat-g', IptablesDnatRule: 'dnat-g' };

/** To what a rule is changed; the first is as it was made. */
const EDITS: Readonly<Record<keyof typeof RULES, readonly object[]>> = {
  IptablesFIPRule: [{ internalIp: '10.17.0.202' }, { internalIp: '10.17.0.201' }],
  IptablesSnatRule: [
    { internalCIDR: '10.17.0.0/24' },
    { internalCIDR: '10.17.0.0/25' },
    { internalCIDR: '10.17.0.0/24,fd00::/64' },
  ],
  IptablesDnatRule: [{ externalPort: '80' }, { externalPort: '81' }],
};

/** A NAT gateway with an address outside, and what it does with that, come and go in any order. */
export function changeNatGateway(cluster: Cluster): void {
  const { random } = cluster;
  const what = random.int(10);
  if (what < 3) return changeGateway(cluster);
  if (what < 5) return toggle(cluster, 'IptablesEIP', EIP, eipSpec(cluster));
  if (what < 6) return toggle(cluster, 'QoSPolicy', QOS, { bindingType: 'EIP', shared: true });
  const kind = random.pick(gateways.RULE_KINDS);
  const rule = cluster.objects.get(kind, undefined, RULES[kind]);
  if (alive(rule) && random.chance(0.3)) return editSpec(cluster, rule, random.pick(EDITS[kind]));
  toggle(cluster, kind, RULES[kind], {
    eip: EIP,
    internalIp: '10.17.0.202',
    internalCIDR: '10.17.0.0/24',
    externalPort: '80',
    internalPort: '80',
    protocol: 'tcp',
  });
}

const eipSpec = ({ random }: Cluster): object => ({
  v4ip: '198.51.100.220',
  natGwDp: gateways.GATEWAY,
  externalSubnet: EXTERNAL,
  ...(random.chance(0.5) && { qosPolicy: QOS }),
});

function toggle(cluster: Cluster, kind: string, name: string, spec: object): void {
  const known = cluster.objects.get(kind, undefined, name);
  if (known) remove(cluster, known);
  else cluster.put({ kind, metadata: { name }, spec });
  cluster.diary.push(`${kind} ${name} ${known ? 'deleted' : 'made'}`);
}

/** The gateway with all that runs it, or its pod alone; what runs it may be gone before or after. */
function changeGateway(cluster: Cluster): void {
  const { random, objects } = cluster;
  const gateway = objects.get('VpcNatGateway', undefined, gateways.GATEWAY);
  if (!gateway) return gateways.putGateway(cluster);
  const isRun = objects.get('StatefulSet', gateways.RUNS_IN, gateways.WORKLOAD) !== undefined;
  if (isRun && !gateways.podOf(cluster) && random.chance(0.6))
    return gateways.putGatewayPod(cluster);
  if (gateways.podOf(cluster)) gateways.dropGatewayPod(cluster);
  if (random.chance(0.4)) return;
  const hasFinalizer = (gateway.metadata.finalizers ?? []).length > 0;
  if (!hasFinalizer || random.chance(0.5))
    objects.remove('StatefulSet', gateways.RUNS_IN, gateways.WORKLOAD);
  remove(cluster, gateway);
  cluster.diary.push(`gateway ${gateways.GATEWAY} deleted`);
}
