import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import { type Cluster, deleteObject } from '../cluster';
import { type Network, NETWORKS, take } from '../kube-ovn/networks';

const VPC = 'tenant';

/** VPCs and Subnets are made and deleted, some by force or under what needs them; a port is taken. */
export function changeTenant(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  if (random.chance(0.3)) return changeVpc(cluster);
  const network = random.pick(NETWORKS);
  const { name } = network;
  const subnet = objects.get('Subnet', undefined, name);
  if (!subnet) return makeSubnet(cluster, network);
  const what = random.int(10);
  if (what < 2) return takeEnd(cluster, network);
  if (what < 4) {
    const spec = { ...(subnet['spec'] as object), natOutgoing: random.chance(0.5) };
    cluster.put({ ...subnet, spec } as unknown as GivenObject);
    diary.push(`Subnet ${name} edited`);
  } else deleteObject(cluster, subnet, what < 5);
}

function changeVpc(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const vpc = objects.get('Vpc', undefined, VPC);
  if (!vpc) {
    cluster.put({
      kind: 'Vpc',
      metadata: { name: VPC },
      spec: { bfdPort: { enabled: true, ip: '10.255.255.255' } },
    });
    diary.push(`Vpc ${VPC} made`);
  } else deleteObject(cluster, vpc, random.chance(0.2));
}

function makeSubnet(cluster: Cluster, { name, vpc, block }: Network): void {
  cluster.put({
    kind: 'Subnet',
    metadata: { name },
    spec: {
      vpc,
      cidrBlock: `${block}.0/24`,
      gateway: `${block}.1`,
      excludeIps: [`${block}.1`],
      protocol: 'IPv4',
      provider: 'ovn',
      default: false,
      gatewayType: 'distributed',
      natOutgoing: false,
      private: false,
      enableDHCP: true,
      enableLb: true,
    },
  });
  cluster.diary.push(`Subnet ${name} made`);
}

/** One end of a subnet's way to its router goes by mistake, or its switch. */
function takeEnd(cluster: Cluster, { name, vpc }: Network): void {
  const isRouters = cluster.random.chance(0.5);
  // With the whole switch goes all that would have been removed by it.
  if (cluster.random.chance(0.25)) return void take(cluster, 'Logical_Switch', name);
  const [table, holder] = isRouters
    ? (['Logical_Router', vpc] as const)
    : (['Logical_Switch', name] as const);
  const port = isRouters ? `${vpc}-${name}` : `${name}-${vpc}`;
  take(cluster, `${table}_Port`, port, { table, name: holder, column: 'ports' });
}
