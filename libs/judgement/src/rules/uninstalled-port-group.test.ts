import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './uninstalled-port-group';

const left = row('Port_Group', 'node.worker.1', { external_ids: { vendor: 'kube-ovn', node: 'worker-1', np: 'node/worker-1' } });

testRule(rule, {
  healthy: {
    'a Subnet is there': world(left, object('Subnet', 'apps')),
    'a Vpc is there': world(left, object('Vpc', 'ovn-cluster')),
    'a controller is there': world(left, object('Deployment', 'kube-system/kube-ovn-controller')),
    'it is somebody else\'s': world(row('Port_Group', 'node.worker.1', { external_ids: { 'neutron:x': 'y' } })),
  },
  unknown: { 'somebody still names it': world(left, row('ACL', '', { uid: 'acl', match: 'outport == @node.worker.1', external_ids: { vendor: 'kube-ovn', parent: 'other' } })) },
  violation: {
    'Kube-OVN was taken away': { given: world(left), says: 'Port_Group node.worker.1 was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more' },
    'its own rules name it, and go with it': {
      given: world(left, row('ACL', '', { uid: 'acl', match: 'outport == @node.worker.1', external_ids: { vendor: 'kube-ovn', parent: 'node.worker.1' }, _parents: [{ kind: 'Port_Group', uid: 'Port_Group:node.worker.1', column: 'acls' }] })),
      says: 'Port_Group node.worker.1 was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
    'Kube-OVN made it for itself': {
      given: world(row('Port_Group', 'ovn.sg.kubeovn_deny_all', { external_ids: { vendor: 'kube-ovn', type: 'security_group', sg: 'kubeovn_deny_all' } })),
      says: 'Port_Group ovn.sg.kubeovn_deny_all was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more',
    },
    'so were its definitions': { given: world(left).notInstalled('Vpc', 'Subnet'), says: 'Port_Group node.worker.1 was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more' },
  },
});
