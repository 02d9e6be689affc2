import { object, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './router-policy-without-set';

const U2O = 'ip4.dst == $web.u2o_exclude_ip.ip4 && ip4.src == 10.60.0.0/24';
const DISTRIBUTED = 'ip4.src == $web.worker.1_ip4';
const policy = (match: string, ids: Record<string, string> = { subnet: 'web' }) =>
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority: 31000,
    match,
    external_ids: { vendor: 'kube-ovn', ...ids },
  });
const web = (metadata: Record<string, unknown> = {}) => object('Subnet', 'web', { metadata });
const worker = object('Node', 'worker-1');
const set = row('Address_Set', 'web.u2o_exclude_ip.ip4', { uid: 'set' });
const group = row('Port_Group', 'web.worker.1', { uid: 'group' });
const both = { subnet: 'web', node: 'worker-1' };

testRule(rule, {
  healthy: {
    'its set is there': world(web(), policy(U2O), set),
    'its set is made of a group that is there': world(
      web(),
      worker,
      policy(DISTRIBUTED, both),
      group,
    ),
    'a set of that name stands for the group': world(
      web(),
      policy(DISTRIBUTED),
      row('Address_Set', 'web.worker.1_ip4', { uid: 'set' }),
    ),
    'its subnet has no logical gateway any more: that is another finding': world(
      object('Subnet', 'web', { spec: { vlan: 'v' } }),
      worker,
      policy(DISTRIBUTED, both),
    ),
    'it names no set': world(web(), policy('ip4.src == 10.60.0.0/24')),
    'its subnet is gone: that is another finding': world(policy(U2O)),
    'its node is gone: that is another finding': world(web(), policy(DISTRIBUTED, both)),
    'its subnet is being deleted': world(
      web({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      policy(U2O),
    ),
    'it is of a gateway: that is another finding': world(
      object('VpcEgressGateway', 'edge/out'),
      policy('ip4.src == $VEG.0123456789ab.ipv4', { 'vpc-egress-gateway': 'edge/out' }),
    ),
    'it says for nobody what it is for': world(web(), policy(U2O, {})),
    'its match cannot be read in full': world(web(), policy('ip4.src == $web-sources')),
    'it names the set in a comment': world(web(), policy('ip4 /* $web */')),
    "it is somebody else's": world(web(), policy(U2O, { vendor: 'somebody', subnet: 'web' })),
  },
  violation: {
    'the set is gone': {
      given: world(web(), policy(U2O)),
      summary: `router policy 31000 "${U2O}" of Subnet web has no effect: there is no address set web.u2o_exclude_ip.ip4`,
      concerns: ['web'],
    },
    'the set of an underlay is gone': {
      given: world(
        object('Subnet', 'web', { spec: { vlan: 'v', u2oInterconnection: true } }),
        policy(U2O, { subnet: 'web', isU2ORoutePolicy: 'true' }),
      ),
      summary: `router policy 31000 "${U2O}" of Subnet web has no effect: there is no address set web.u2o_exclude_ip.ip4`,
    },
    'the group of an underlay with a logical gateway is gone': {
      given: world(
        object('Subnet', 'web', { spec: { vlan: 'v', logicalGateway: true } }),
        worker,
        policy(DISTRIBUTED, both),
      ),
      summary: `router policy 31000 "${DISTRIBUTED}" of Subnet web and Node worker-1 has no effect: there is no address set web.worker.1_ip4`,
    },
    'the group of its set is gone': {
      given: world(web(), worker, policy(DISTRIBUTED, both)),
      summary: `router policy 31000 "${DISTRIBUTED}" of Subnet web and Node worker-1 has no effect: there is no address set web.worker.1_ip4`,
    },
  },
});
