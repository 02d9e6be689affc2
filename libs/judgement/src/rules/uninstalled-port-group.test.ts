import { object, pod, port, row } from '../testing/builders';
import { testUninstalled } from '../testing/uninstalled';
import { world } from '../testing/world-builder';
import rule from './uninstalled-port-group';

const left = row('Port_Group', 'node.worker.1', {
  external_ids: { vendor: 'kube-ovn', node: 'worker-1', np: 'node/worker-1' },
});

const members = (up: boolean) => port('web-0.shop', { up, _port_groups: ['Port_Group:web.shop'] });
const ofPolicy = row('Port_Group', 'web.shop', {
  external_ids: { vendor: 'kube-ovn', np: 'shop/web' },
});

const saysOf = (name: string): string =>
  `Port_Group ${name} was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more`;

testUninstalled(
  rule,
  left,
  world(
    left,
    row('ACL', '', {
      uid: 'acl',
      match: 'outport == @node.worker.1',
      external_ids: { vendor: 'kube-ovn', parent: 'other' },
    }),
  ),
  {
    unknown: {
      'the definitions went while its pods run': world(
        ofPolicy,
        members(true),
        pod('shop/web-0'),
      ).notInstalled('Vpc', 'Subnet'),
      'the Kubernetes is another one, whose pods and nodes have nothing to do with the ports that are up':
        world(ofPolicy, port('db-0.shop', { up: true })).notInstalled('Vpc', 'Subnet', 'IP', 'Vip'),
      'it lists the port of a pod that is there, though no chassis holds it up': world(
        ofPolicy,
        members(false),
        pod('shop/web-0'),
      ),
      'it lists the port of a machine that may be there': world(ofPolicy, members(false)).unlisted(
        'VirtualMachine',
      ),
      'it lists the port of a machine whose launcher runs': world(
        ofPolicy,
        members(false),
        pod('shop/virt-launcher-x', {
          metadata: { annotations: { 'data.shop.ovn.kubernetes.io/virtualmachine': 'web-0' } },
        }),
      ),
    },
    violation: {
      'its ports are of pods that are gone, and up nowhere': {
        given: world(ofPolicy, members(false), object('NetworkPolicy', 'shop/web')),
        summary: saysOf('web.shop'),
      },
      "somebody else's port is up": {
        given: world(
          left,
          row('Logical_Switch_Port', 'vm', {
            up: true,
            external_ids: { 'neutron:port_name': 'vm' },
          }),
        ),
        summary: saysOf('node.worker.1'),
      },
      'its own rules name it, and go with it': {
        given: world(
          left,
          row('ACL', '', {
            uid: 'acl',
            match: 'outport == @node.worker.1',
            external_ids: { vendor: 'kube-ovn', parent: 'node.worker.1' },
            _parents: [{ kind: 'Port_Group', uid: 'Port_Group:node.worker.1', column: 'acls' }],
          }),
        ),
        summary: saysOf('node.worker.1'),
      },
      'Kube-OVN made it for itself': {
        given: world(
          row('Port_Group', 'ovn.sg.kubeovn_deny_all', {
            external_ids: { vendor: 'kube-ovn', type: 'security_group', sg: 'kubeovn_deny_all' },
          }),
        ),
        summary: saysOf('ovn.sg.kubeovn_deny_all'),
      },
    },
  },
);
