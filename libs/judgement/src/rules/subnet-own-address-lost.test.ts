import { ip, object, port, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './subnet-own-address-lost';

const underlay = (spec = {}, metadata = {}) =>
  object('Subnet', 'web', {
    metadata,
    spec: { vlan: 'v7', vpc: 'ovn-cluster', u2oInterconnection: true, ...spec },
    status: { u2oInterconnectionIP: '10.17.0.5' },
  });
const RECORD = 'u2o-interconnection.ovn-cluster.web';
const own = (name: string, address = '10.17.0.5') =>
  ip(name, { subnet: 'web', v4IpAddress: address, ipAddress: address });
const snooping = (enableMulticastSnoop = true, mcastQuerierIP = '10.17.0.6,fd00::6') =>
  object('Subnet', 'web', { spec: { enableMulticastSnoop }, status: { mcastQuerierIP } });
const QUERIER = 'mcast-querier.web';
const querierPort = row('Logical_Switch_Port', QUERIER, { external_ids: { vendor: 'kube-ovn' } });

testRule(rule, {
  healthy: {
    'the interconnection has its record': world(underlay(), own(RECORD)),
    'another record has the address': world(underlay(), own('legacy')),
    'it is not interconnected any more': world(underlay({ u2oInterconnection: false })),
    'it has a logical gateway': world(underlay({ logicalGateway: true })),
    'it is no underlay': world(underlay({ vlan: '' })),
    'it is in no VPC yet': world(underlay({ vpc: '' })),
    'it has no address yet': world(
      object('Subnet', 'web', {
        spec: {
          vlan: 'v7',
          vpc: 'ovn-cluster',
          u2oInterconnection: true,
          enableMulticastSnoop: true,
        },
        status: {},
      }),
    ),
    'it is being deleted': world(underlay({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
    'the querier has port and record': world(snooping(), own(QUERIER, '10.17.0.6'), querierPort),
    'it does not snoop any more': world(snooping(false)),
  },
  violation: {
    'the record of the interconnection is gone': {
      given: world(underlay(), own('other', '10.17.0.9'), port('web-0.shop')),
      summary: `Subnet web has 10.17.0.5 for its interconnection, and there is no IP ${RECORD}`,
      parts: ['status=u2oInterconnectionIP'],
    },
    'the querier has lost both': {
      given: world(snooping()),
      summary: `Subnet web has 10.17.0.6,fd00::6 for its multicast querier, and there is no IP and no port ${QUERIER}`,
      parts: ['status=mcastQuerierIP'],
    },
    'the querier has lost its port': {
      given: world(snooping(), own(QUERIER, '10.17.0.6')),
      summary: `Subnet web has 10.17.0.6,fd00::6 for its multicast querier, and there is no port ${QUERIER}`,
      concerns: [],
    },
    'a pod has the querier’s address by now': {
      given: world(snooping(), own('web-0.shop', '10.17.0.6'), querierPort),
      summary: `Subnet web has 10.17.0.6,fd00::6 for its multicast querier, and there is no IP ${QUERIER}; IP web-0.shop has the address by now`,
      concerns: ['web-0.shop'],
    },
  },
});
