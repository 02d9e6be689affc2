import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './network-policy-shares-node-group';

const LEAVING = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const policy = (key: string, over = {}) => object('NetworkPolicy', key, over);
const group = (name: string) => row('Port_Group', name, { external_ids: { vendor: 'kube-ovn' } });
const subnet = (name: string, spec = {}) =>
  object('Subnet', name, { spec: { gatewayType: 'distributed', vpc: 'ovn-cluster', ...spec } });
const nodes = [object('Node', 'worker-1'), object('Node', 'worker-2')];
const ON_NODE = [policy('worker-1/node'), ...nodes, group('node.worker.1')];
const ON_SUBNET = [policy('worker-1/apps'), ...nodes, group('apps.worker.1')];

testRule(rule, {
  healthy: {
    'no node has the name of its namespace': world(
      policy('shop/node'),
      ...nodes,
      group('node.shop'),
    ),
    'another name in such a namespace': world(
      policy('worker-1/web'),
      ...nodes,
      group('web.worker.1'),
    ),
    'Kube-OVN makes no groups': world(policy('worker-1/node'), ...nodes),
    'the policy is being deleted': world(
      policy('worker-1/node', LEAVING),
      ...nodes,
      group('node.worker.1'),
    ),
    'the node is being deleted': world(
      policy('worker-1/node'),
      object('Node', 'worker-1', LEAVING),
      group('node.worker.1'),
    ),
    'a centralized subnet': world(...ON_SUBNET, subnet('apps', { gatewayType: 'centralized' })),
    'a subnet of another VPC': world(...ON_SUBNET, subnet('apps', { vpc: 'blue' })),
    'no such subnet': world(...ON_SUBNET, subnet('other')),
  },
  violation: {
    'it is the group of a node': {
      given: world(...ON_NODE),
      summary:
        "NetworkPolicy worker-1/node has one port group with Node worker-1 in OVN, node.worker.1: each writes its ports over the other's",
      concerns: ['worker-1'],
    },
    'it is the group of a subnet on a node': {
      given: world(...ON_SUBNET, subnet('apps')),
      summary:
        "NetworkPolicy worker-1/apps has one port group with Subnet apps and Node worker-1 in OVN, apps.worker.1: each writes its ports over the other's",
      concerns: ['apps', 'worker-1'],
    },
    'the name of the subnet has a dash': {
      given: world(
        policy('worker-2/big-apps'),
        ...nodes,
        subnet('big-apps', { vpc: '' }),
        group('big.apps.worker.2'),
      ),
      summary:
        "NetworkPolicy worker-2/big-apps has one port group with Subnet big-apps and Node worker-2 in OVN, big.apps.worker.2: each writes its ports over the other's",
    },
  },
});
