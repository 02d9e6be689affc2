import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { alive, type Cluster, hasDeletionTimestamp, keyIn, rowNamed, uuidsOf } from '../cluster';
import { dhcpOf, type Network, NETWORKS } from '../kube-ovn/networks';
import { policiesTo } from '../kube-ovn/clean-subnet';
import { balancersOf, vpcOf } from '../kube-ovn/vpc-status';
import type { Ill } from './ill';

/** What is wrong with custom VPCs, with Subnets that come and go, and with what they leave. */
export function* tenantIlls(cluster: Cluster): Generator<Ill> {
  for (const network of NETWORKS) {
    const subnet = cluster.objects.get('Subnet', undefined, network.name);
    if (subnet) yield* subnetIlls(cluster, subnet, network);
    else yield* leftOfSubnet(cluster, network);
  }
  const vpc = vpcOf(cluster, 'tenant');
  if (!vpc) yield* leftOfVpc(cluster, 'tenant');
  else if (hasDeletionTimestamp(vpc)) {
    const expected = isNeeded(cluster, 'tenant') ? 'report' : 'must';
    yield { rule: 'stuck-vpc-deletion', uid: vpc.metadata.uid, what: 'Vpc tenant', expected };
  }
}

const isNeeded = (cluster: Cluster, vpc: string): boolean =>
  rowNamed(cluster, 'Logical_Router', vpc) !== undefined ||
  NETWORKS.some((it) => it.vpc === vpc && cluster.objects.get('Subnet', undefined, it.name));

function* subnetIlls(
  cluster: Cluster,
  subnet: KubernetesObject,
  { name, vpc }: Network,
): Generator<Ill> {
  const { uid } = subnet.metadata;
  if (!alive(subnet)) {
    // A controller is there, or to come: the rest is its affair.
    yield {
      rule: 'stuck-subnet-deletion',
      uid,
      what: `Subnet ${name} does not go`,
      expected: 'report',
    };
    return;
  }
  if (!vpcOf(cluster, vpc)) {
    yield { rule: 'vpc-of-subnet-missing', uid, what: `no Vpc ${vpc}`, expected: 'must' };
    return;
  }
  const isReady = (subnet['status'] as { conditions?: unknown } | undefined)?.conditions;
  const isJoined =
    rowNamed(cluster, 'Logical_Router_Port', `${vpc}-${name}`) &&
    rowNamed(cluster, 'Logical_Switch_Port', `${name}-${vpc}`);
  const isHandled = (vpcOf(cluster, vpc)!['status'] as { router?: string } | undefined)?.router;
  if (isReady && isHandled && alive(vpcOf(cluster, vpc)) && !isJoined)
    if (rowNamed(cluster, 'Logical_Switch', name))
      yield { rule: 'subnet-without-router-port', uid, what: `${name} is alone`, expected: 'must' };
}

/**
 * Of a Subnet that is gone; what its switch has goes with that at the next start. Pods in it need
 * the policies.
 */
function* leftOfSubnet(cluster: Cluster, { name, vpc }: Network): Generator<Ill> {
  const network = rowNamed(cluster, 'Logical_Switch', name);
  if (network && uuidsOf(network[1]['ports']).some((it) => isOfPod(cluster, it))) return;
  for (const uid of policiesTo(cluster, name))
    yield { rule: 'orphaned-logical-router-policy', uid, what: `to ${name}`, expected: 'must' };
  if (network) return;
  for (const uid of dhcpOf(cluster, name))
    yield { rule: 'orphaned-dhcp-options', uid, what: `DHCP of ${name}`, expected: 'must' };
  const [port] = rowNamed(cluster, 'Logical_Router_Port', `${vpc}-${name}`) ?? [];
  if (port !== undefined)
    yield { rule: 'orphaned-logical-router-port', uid: port, what: `to ${name}`, expected: 'must' };
}

const isOfPod = (cluster: Cluster, port: string): boolean =>
  keyIn(cluster.rows('Logical_Switch_Port').get(port)?.['external_ids'], 'pod') !== undefined;

function* leftOfVpc(cluster: Cluster, vpc: string): Generator<Ill> {
  for (const name of balancersOf(vpc)) {
    const [uid, row] = rowNamed(cluster, 'Load_Balancer', name) ?? [];
    const isTagged = row !== undefined && keyIn(row['external_ids'], 'vendor') !== undefined;
    // Of a switch that uses it whose Subnet went, too, it is not known whether it is in use.
    const isUsed = [...cluster.rows('Logical_Switch').values()].some((it) =>
      uuidsOf(it['load_balancer']).includes(uid ?? ''),
    );
    const expected = isTagged && !isUsed ? 'must' : 'may';
    if (uid !== undefined) yield { rule: 'orphaned-load-balancer', uid, what: name, expected };
  }
  const [group] = rowNamed(cluster, 'HA_Chassis_Group', `bfd@${vpc}`) ?? [];
  if (group !== undefined && !rowNamed(cluster, 'Logical_Router', vpc))
    yield { rule: 'orphaned-ha-chassis-group', uid: group, what: `bfd@${vpc}`, expected: 'must' };
}
