import {
  binding,
  chassisReport,
  deadHost,
  ip,
  logicalSwitch,
  object,
  pod,
  port,
  readyNode,
  servedPod,
  statefulSet,
} from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './leaked-ip';

const owner = (kind: string, name: string, apiVersion = 'v1') => ({
  metadata: { ownerReferences: [{ apiVersion, kind, name, uid: `${kind}:${name}` }] },
});
const node = () =>
  ip(
    'node-edge-1.dc2',
    { namespace: '', podName: 'edge-1.dc2', nodeName: 'edge-1.dc2', subnet: 'join' },
    owner('Node', 'edge-1.dc2'),
  );

const interconnection = (over = {}) =>
  ip(
    'u2o-interconnection.former.s',
    { namespace: 'default', podName: 'u2o-interconnection.former.s', subnet: 's' },
    over,
  );
const querierIp = (over = {}) =>
  ip('mcast-querier.s', { namespace: 'default', podName: 'mcast-querier.s', subnet: 's' }, over);

testRule(rule, {
  healthy: {
    'its pod exists': world(ip('web-0.shop'), pod('shop/web-0')),
    'its machine is halted': world(
      ip('vm.vms', { podType: 'VirtualMachine' }),
      object('VirtualMachine', 'vms/vm'),
    ),
    'its machine keeps launcher names (keep-vm-ip=false)': world(
      ip('launcher.vms', { podType: 'VirtualMachine' }),
      pod('vms/launcher'),
    ),
    'its set wants the ordinal': world(
      ip('web-1.shop', { podType: 'StatefulSet' }),
      statefulSet('shop/web', 2),
    ),
    'the machine that owns it exists, whatever the record says of a pod': world(
      ip('web-0.shop', {}, owner('VirtualMachine', 'vm', 'kubevirt.io/v1')),
      object('VirtualMachine', 'shop/vm'),
    ),
    'it is reserved': world(
      ip('web-9.shop', {}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
    ),
    'it is being deleted': world(
      ip('web-9.shop', {}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'its node exists': world(node(), object('Node', 'edge-1.dc2')),
    'its NAT gateway exists, whatever prefix its pods have': world(
      ip('edge-gw1-0.kube-system', { podType: 'StatefulSet' }),
      object('VpcNatGateway', 'gw1'),
    ),
    'its subnet exists': world(
      ip(
        'u2o-interconnection.v.s',
        { namespace: 'default', podName: 'u2o-interconnection.v.s', subnet: 's' },
        owner('Subnet', 's', 'kubeovn.io/v1'),
      ),
      object('Subnet', 's'),
    ),
    'its subnet is interconnected, under whatever VPC it was recorded': world(
      interconnection(owner('Subnet', 's', 'kubeovn.io/v1')),
      object('Subnet', 's', { spec: { u2oInterconnection: true }, status: {} }),
    ),
    'its subnet says it has the address still': world(
      interconnection(),
      object('Subnet', 's', { spec: {}, status: { u2oInterconnectionIP: '10.17.0.10' } }),
    ),
    'its subnet is being deleted: that finding has it': world(
      querierIp(),
      object('Subnet', 's', {
        spec: {},
        status: {},
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
    ),
    'its subnet has a querier': world(
      querierIp(),
      object('Subnet', 's', { spec: { enableMulticastSnoop: true }, status: {} }),
    ),
  },
  unknown: {
    'its subnet was deleted by force, and its switch still has an uplink': world(
      interconnection(),
      logicalSwitch('s'),
      port('localnet.s', { ls: 's', type: 'localnet', external_ids: {} }),
    ),
    'whether its gateway exists is not known': world(
      ip('vpc-nat-gw-gw1-0.kube-system', { podType: 'StatefulSet' }),
    ).unheardOf('VpcNatGateway'),
    'a floating IP still leads to it, by name': world(
      ip('web-0.shop'),
      object('OvnFip', 'f', { spec: { ipName: 'web-0.shop' } }),
    ),
    'a floating IP still leads to its address': world(
      ip('web-0.shop'),
      object('OvnFip', 'f', { spec: { v4Ip: '10.17.0.10' } }),
    ),
    'a DNAT rule was made for its address, whatever it names': world(
      ip('web-0.shop'),
      object('OvnDnatRule', 'd', { spec: { ipName: 'renamed' }, status: { v4Ip: '10.17.0.10' } }),
    ),
    'it is an endpoint of a balancer': world(
      ip('web-0.shop'),
      object('SwitchLBRule', 's', { spec: { endpoints: ['10.17.0.9', '10.17.0.10'] } }),
    ),
    'its owner is of another API group than ours of that kind': world(
      ip('web-0.shop', {}, owner('Pod', 'web-0', 'example.com/v1')),
    ),
    'it does not say whose it is': world(ip('stray', { namespace: '', podName: '' })),
    'its owner is of a kind we do not know': world(ip('web-0.shop', {}, owner('Widget', 'w'))),
    'its pod type is of a later Kube-OVN': world(ip('web-0.shop', { podType: 'Sandbox' })),
    'a Vip asks for the same address and was not given it': world(
      ip('web-0.shop'),
      object('Vip', 'v', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } }),
    ),
    'a Vip that is being deleted has the same address': world(
      ip('web-0.shop'),
      object('Vip', 'v', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: { subnet: 'apps' },
        status: { v4ip: '10.17.0.10' },
      }),
    ),
    'a Vip keeps the address for the very port': world(
      ip('web-0.shop'),
      object('Vip', 'v', {
        metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'web-0.shop' } },
        spec: { subnet: 'apps' },
        status: { v4ip: '10.17.0.10' },
      }),
    ),
    'a reservation has the same address': world(
      ip('web-0.shop'),
      ip('web-9.shop', {}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
    ),
    'a record whose owner is not known has the same address': world(
      ip('web-0.shop'),
      ip('stray', { namespace: '', podName: '' }),
    ),
    'a chassis of a living node holds its port up': world(
      ...deadHost(),
      ...servedPod('shop/api-0'),
      ip('web-0.shop'),
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'worker-1'),
    ),
    'the silent chassis that holds its port up is of a node that is there': world(
      ...deadHost(),
      readyNode('edge-1'),
      ...servedPod('shop/api-0'),
      ip('web-0.shop'),
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'edge-1'),
    ),
    'the chassis of the missing node that holds its port up follows': world(
      ...deadHost('edge-1', chassisReport('edge-1', 9, 60)),
      ...servedPod('shop/api-0'),
      ip('web-0.shop'),
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'edge-1'),
    ),
    'a second chassis holds its port up': world(
      ...deadHost(),
      ...servedPod('shop/api-0'),
      ip('web-0.shop'),
      port('web-0.shop', { up: true }),
      binding('web-0.shop', 'edge-1', { additional_chassis: ['Chassis:chassis-of-worker-1'] }),
    ),
    'the Southbound has no binding of its port': world(
      ...deadHost(),
      ...servedPod('shop/api-0'),
      ip('web-0.shop'),
      port('web-0.shop', { up: true }),
    ),
    'a chassis holds its port up': world(ip('web-0.shop'), port('web-0.shop', { up: true })),
    'a chassis holds one of two ports of that name up, reported first': world(
      ip('web-0.shop'),
      port('web-0.shop', { up: true }),
      port('web-0.shop', { uid: 'another' }),
    ),
    'a chassis holds one of two ports of that name up, reported last': world(
      ip('web-0.shop'),
      port('web-0.shop', { uid: 'another' }),
      port('web-0.shop', { up: true }),
    ),
  },
  violation: {
    'the dead chassis of a node that is gone holds its port up': {
      given: world(
        ...deadHost(),
        ...servedPod('shop/api-0'),
        ip('web-0.shop'),
        port('web-0.shop', { up: true }),
        binding('web-0.shop', 'edge-1'),
      ),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; its port counts as up, yet it is bound on the silent chassis of node edge-1, which does not exist',
      noRemedy: true,
    },
    'its port counts as up, and no chassis has bound it': {
      given: world(
        ...deadHost(),
        ...servedPod('shop/api-0'),
        ip('web-0.shop'),
        port('web-0.shop', { up: true }),
        binding('web-0.shop', ''),
      ),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; its port counts as up, yet no chassis has bound it',
      noRemedy: true,
    },
    'a pod that lives has the same address: a leak and a conflict in one': {
      given: world(ip('web-0.shop'), ip('web-1.shop'), pod('shop/web-1')),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; Pod shop/web-1 (IP web-1.shop) uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once Pod shop/web-1 has another address',
      noRemedy: true,
    },
    'a launcher that lives has the same address under the name of its machine': {
      given: world(
        ip('web-0.shop'),
        ip('vm.shop', { podType: 'VirtualMachine' }),
        pod('shop/virt-launcher-vm-abc', {
          metadata: { annotations: { 'ovn.kubernetes.io/virtualmachine': 'vm' } },
        }),
      ),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; Pod shop/virt-launcher-vm-abc (IP vm.shop) uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once Pod shop/virt-launcher-vm-abc has another address',
      noRemedy: true,
    },
    'a Vip has the same address': {
      given: world(
        ip('web-0.shop'),
        object('Vip', 'v', { spec: { subnet: 'apps' }, status: { v4ip: '10.17.0.10' } }),
      ),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; Vip v uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once Vip v has another address',
      noRemedy: true,
    },
    'an external address is the same, in another spelling': {
      given: world(
        ip('web-0.shop', { ipAddress: 'fd00::10', v4IpAddress: '', v6IpAddress: 'fd00::10' }),
        object('OvnEip', 'o', { spec: { externalSubnet: 'apps' }, status: { v6Ip: 'FD00:0::10' } }),
      ),
      summary:
        'IP web-0.shop keeps fd00::10 of subnet apps for shop/web-0, which no longer exists; OvnEip o uses fd00::10 as well: to delete the record may free the address under it, and is safe once OvnEip o has another address',
      noRemedy: true,
    },
    'of two others with the address one lives and one is as dead': {
      given: world(ip('web-0.shop'), ip('web-1.shop'), ip('web-2.shop'), pod('shop/web-2')),
      summary: [
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; Pod shop/web-2 (IP web-2.shop) uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once Pod shop/web-2 has another address',
        'IP web-1.shop keeps 10.17.0.10 of subnet apps for shop/web-1, which no longer exists; Pod shop/web-2 (IP web-2.shop) uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once Pod shop/web-2 has another address',
      ],
      noRemedy: true,
    },
    'its pod is gone': {
      given: world(ip('web-0.shop'), pod('shop/web-1')),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists',
    },
    'rules lead elsewhere, and one names another record': {
      given: world(
        ip('web-0.shop'),
        object('OvnFip', 'f', { spec: { ipName: 'other.shop', v4Ip: '10.17.0.10' } }),
        object('OvnDnatRule', 'd', { spec: { v4Ip: '10.17.0.11' } }),
        object('IptablesDnatRule', 'g', { spec: { internalIp: '10.17.0.12' } }),
      ),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists',
    },
    'rules of a NAT gateway lead to its address, or did when its iptables were written, so it is reported alone':
      {
        given: world(
          ip('web-0.shop'),
          object('IptablesFIPRule', 'f', { spec: { eip: 'e', internalIp: '10.17.0.10' } }),
          object('IptablesDnatRule', 'd', {
            spec: { eip: 'e', internalIp: '10.17.0.99' },
            status: { internalIp: '10.17.0.10' },
          }),
        ),
        summary:
          'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists; IptablesDnatRule d, IptablesFIPRule f still lead to the address',
        noRemedy: true,
      },
    'another has the same address in another subnet': {
      given: world(ip('web-0.shop'), ip('web-1.shop', { subnet: 'data' }), pod('shop/web-1')),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists',
    },
    'two records of one address are equally dead': {
      given: world(ip('web-0.shop'), ip('web-1.shop')),
      summary: [
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists',
        'IP web-1.shop keeps 10.17.0.10 of subnet apps for shop/web-1, which no longer exists',
      ],
    },
    'its port is as dead': {
      given: world(ip('web-0.shop'), port('web-0.shop')),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists',
      concerns: ['web-0.shop'],
    },
    'both ports of its name are as dead': {
      given: world(ip('web-0.shop'), port('web-0.shop'), port('web-0.shop', { uid: 'another' })),
      summary:
        'IP web-0.shop keeps 10.17.0.10 of subnet apps for shop/web-0, which no longer exists',
      concerns: ['web-0.shop', 'web-0.shop'],
    },
    'only its address of one family is recorded': {
      given: world(ip('web-0.shop', { ipAddress: '', v4IpAddress: '', v6IpAddress: 'fd00::10' })),
      summary: 'IP web-0.shop keeps fd00::10 of subnet apps for shop/web-0, which no longer exists',
    },
    'its set was scaled below the ordinal': {
      given: world(ip('web-2.shop', { podType: 'StatefulSet' }), statefulSet('shop/web', 2)),
      summary:
        'IP web-2.shop keeps 10.17.0.10 of subnet apps for shop/web-2, which no longer exists',
    },
    'its subnet left the VPC of the record and is not interconnected any more': {
      given: world(
        interconnection(),
        object('Subnet', 's', { spec: { vpc: 'now' }, status: { u2oInterconnectionIP: '' } }),
      ),
      summary:
        'IP u2o-interconnection.former.s keeps 10.17.0.10 of subnet s for default/u2o-interconnection.former.s, which no longer exists',
    },
    'its subnet was deleted by force, and its switch is gone as well': {
      given: world(interconnection()),
      summary:
        'IP u2o-interconnection.former.s keeps 10.17.0.10 of subnet s for default/u2o-interconnection.former.s, which no longer exists',
    },
    'its subnet snoops no more, and owns it: Kubernetes would not let go of it': {
      given: world(
        querierIp(owner('Subnet', 's', 'kubeovn.io/v1')),
        object('Subnet', 's', { spec: {}, status: {} }),
      ),
      summary:
        'IP mcast-querier.s keeps 10.17.0.10 of subnet s for default/mcast-querier.s, which no longer exists',
      noRemedy: true,
    },
    'its node is gone': {
      given: world(node()),
      summary:
        'IP node-edge-1.dc2 keeps 10.17.0.10 of subnet join for edge-1.dc2, which no longer exists',
    },
  },
});
