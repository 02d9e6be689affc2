import { operation as op } from '@ovn-steward/ovsdb';
import { add, ours } from '@ovn-steward/systems/testing/kube-ovn/rows';
import { routerPort, switchPort } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { type Cluster, rowNamed, ROUTER } from './cluster';
import { macOf } from './kube-ovn/ipam';

/** The network to the outside: its Subnet, its switch, and what stands for its uplink. */
export const EXTERNAL = 'external';
export const VLAN = 'outside';
export const UPLINK = `localnet.${EXTERNAL}`;
const PROVIDER = 'physnet1';
const GATEWAY = ['198.51.100.1', '2001:db8::ffff'] as const;
/** What the router has there. */
const ROUTED = { v4Ip: '198.51.100.2', v6Ip: '2001:db8::2' } as const;

/**
 * An underlay Subnet with a switch of its own, whose localnet port is its uplink, and the router's
 * port with its OvnEip (kube-ovn.md §3.1, §7.3).
 */
export function external(cluster: Cluster, tag: number): void {
  objects(cluster, tag);
  const { random } = cluster;
  const [router] = rowNamed(cluster, 'Logical_Router', ROUTER)!;
  const network = random.uuid();
  const holder = { table: 'Logical_Switch', uuid: network, column: 'ports' };
  const port = routerPort(ROUTER, EXTERNAL, macOf(cluster), '');
  cluster.write(
    ...add('Logical_Switch', network, { name: EXTERNAL, external_ids: ours() }),
    ...add(
      'Logical_Switch_Port',
      random.uuid(),
      {
        name: UPLINK,
        type: 'localnet',
        addresses: 'unknown',
        tag,
        options: op.map([['network_name', PROVIDER]]),
        external_ids: ours({
          ls: EXTERNAL,
          ipv4_network: '198.51.100.0/24',
          ipv6_network: '2001:db8::/64',
        }),
      },
      holder,
    ),
    ...add('Logical_Switch_Port', random.uuid(), switchPort(ROUTER, EXTERNAL), holder),
    ...add(
      'Logical_Router_Port',
      random.uuid(),
      { ...port, networks: op.set([`${ROUTED.v4Ip}/24`, `${ROUTED.v6Ip}/64`]) },
      { table: 'Logical_Router', uuid: router, column: 'ports' },
    ),
  );
}

function objects(cluster: Cluster, tag: number): void {
  const { finalizer } = cluster.release;
  cluster.put({
    kind: 'ProviderNetwork',
    metadata: { name: PROVIDER },
    spec: { defaultInterface: 'eth1' },
    status: { ready: true },
  });
  putVlan(cluster, tag);
  cluster.put({
    kind: 'Subnet',
    metadata: { name: EXTERNAL, finalizers: [finalizer] },
    spec: {
      vpc: ROUTER,
      vlan: VLAN,
      cidrBlock: '198.51.100.0/24,2001:db8::/64',
      gateway: GATEWAY.join(','),
      excludeIps: [...GATEWAY],
      protocol: 'Dual',
      provider: 'ovn',
      default: false,
      gatewayType: 'distributed',
      natOutgoing: false,
      private: false,
      enableLb: true,
    },
    status: {
      conditions: ['Validated', 'Ready'].map((type) => ({ type, status: 'True', reason: type })),
      v4usingIPs: 1,
      v4availableIPs: 252,
      v6usingIPs: 1,
      v6availableIPs: 1e18,
    },
  });
  cluster.put({
    kind: 'OvnEip',
    metadata: { name: `${ROUTER}-${EXTERNAL}`, finalizers: [finalizer] },
    spec: { type: 'lrp', externalSubnet: EXTERNAL, ...ROUTED },
    status: { ...ROUTED, type: 'lrp', nat: '', ready: true },
  });
}

export function putVlan(cluster: Cluster, id: number): void {
  cluster.put({ kind: 'Vlan', metadata: { name: VLAN }, spec: { id, provider: PROVIDER } });
}
