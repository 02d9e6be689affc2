import { recording } from '@ovn-steward/testbed/recordings';
import { usableIn } from './actor/addresses';
import { startController } from './actor/controller';
import type { Objects, Thing } from './actor/objects';
import { ipOf } from './actor/pods';
import type { Incident } from './incident';

const WAN: Thing = {
  kind: 'Subnet',
  metadata: { name: 'wan' },
  spec: {
    protocol: 'IPv4',
    provider: 'wan.kube-system',
    cidrBlock: '203.0.113.248/29',
    gateway: '203.0.113.249',
    excludeIps: ['203.0.113.249'],
  },
};
/**
 * The gateways that are gone, by the address their WAN interface had; the second got that of the
 * first, which was free in memory and still on record.
 */
const GONE = [
  ['gw-1', 251],
  ['gw-2', 251],
  ['gw-3', 252],
  ['gw-4', 253],
] as const;

const eip = (name: string): Thing => ({
  kind: 'IptablesEIP',
  metadata: { name },
  spec: {
    externalSubnet: 'wan',
    natGwDp: 'gw-a',
    v4ip: '',
    v6ip: '',
    macAddress: '',
    qosPolicy: '',
    namespace: 'kube-system',
  },
});
const wanIp = (gateway: string, last: number): Thing =>
  ipOf(`vpc-nat-gw-${gateway}-0.kube-system.wan.kube-system`, {
    address: `203.0.113.${last}`,
    subnet: 'wan',
    namespace: 'kube-system',
    podName: `vpc-nat-gw-${gateway}-0`,
    podType: 'StatefulSet',
  });

/**
 * NAT gateways come and go; their WAN addresses, which have no port in OVN, stay, until the subnet
 * counts more than it has.
 */
export const gatewayChurn: Incident = {
  name: 'gateway-churn',
  happens:
    'NAT gateways are made and deleted; the addresses of their outer interfaces, on macvlan, stay on record, and one is given twice',
  source: 'kube-ovn.md §6.5, §6.6, rows 24, 25 and 37; #5688, #2996, #4747',
  answer: 'freed',
  command: 'steward apply --rule leaked-ip --look --wait --yes',
  unprotected: ['subnet wan counts 6 of 5 addresses in use', 'IptablesEIP web gets no address'],
  guarded: ['subnet wan counts 3 of 5 addresses in use', 'IptablesEIP web has 203.0.113.251'],
  database: recording('clean', 'nb.db'),
  cluster: recording('clean', 'kubernetes.json'),

  async play({ northbound, objects, run }, guarded) {
    const controller = startController(northbound, objects, { vpcFinalizer: true });
    await objects.create(WAN);
    await objects.create(wanIp('gw-a', 250));
    for (const [gateway, last] of GONE) await objects.create(wanIp(gateway, last));
    await objects.create(eip('nat'));
    await controller.settle();
    if (guarded) await controller.during(run(gatewayChurn.command));
    await objects.create(eip('web'));
    await controller.settle();
    return end(objects);
  },
};

async function end(objects: Objects): Promise<readonly string[]> {
  const subnet = await objects.get('Subnet', 'wan');
  const web = await objects.get('IptablesEIP', 'web');
  const ip = web?.status?.['ip'];
  return [
    `subnet wan counts ${String(subnet?.status?.['v4usingIPs'])} of ${usableIn(WAN)} addresses in use`,
    `IptablesEIP web ${ip === undefined ? 'gets no address' : `has ${String(ip)}`}`,
  ];
}
