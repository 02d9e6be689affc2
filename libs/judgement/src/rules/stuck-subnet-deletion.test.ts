import { ip, object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-subnet-deletion';

const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['kubeovn.io/kube-ovn-controller'] };
const subnet = (status: Record<string, unknown> = { v4usingIPs: 1 }, spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = going) =>
  object('Subnet', 'apps', { metadata, spec: { cidrBlock: '10.17.0.0/24', ...spec }, status });
const since = 'Subnet apps has been terminating since 2026-01-01T00:00:00Z:';
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`;
const miscounted = `${since} its status still counts 1 addresses in use, though nothing holds any: creating and deleting a Vip in it makes the controller count again`;
const underlay = ip('u2o-interconnection.v.apps', { namespace: '', podName: 'u2o-interconnection.v.apps' });

testRule(rule, {
  healthy: {
    'nobody told it to go': world(subnet({ v4usingIPs: 1 }, {}, {}), ip('web-0.shop')),
    'nothing keeps it: it is about to go': world(subnet({ v4usingIPs: 1 }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), ip('web-0.shop')),
  },
  unknown: { 'address records are not listed': world(subnet()).unlisted('IP') },
  violation: {
    'a pod\'s address is held in it': { given: world(subnet(), ip('web-0.shop'), ip('x.shop', { subnet: 'other' })), says: `${since} addresses of it are still held: IP web-0.shop`, concerns: ['web-0.shop'] },
    'the Vip of its health checks is left': { given: world(subnet(), object('Vip', 'apps', { spec: { subnet: 'apps', v4ip: '10.17.0.20' } })), says: `${since} addresses of it are still held: Vip apps` },
    'its multicast querier\'s address is left': { given: world(subnet(), ip('mcast-querier.apps', { namespace: 'default', podName: 'mcast-querier.apps' })), says: `${since} addresses of it are still held: IP mcast-querier.apps` },
    'external addresses of both sorts are held': {
      given: world(subnet(), object('IptablesEIP', 'e', { spec: { externalSubnet: 'apps' }, status: { ip: '10.17.0.31' } }), object('OvnEip', 'o', { spec: { externalSubnet: 'apps' }, status: { v4Ip: '10.17.0.32' } })),
      says: `${since} addresses of it are still held: IptablesEIP e, OvnEip o`,
    },
    'only an attached address is held': { given: world(subnet(), ip('web-0.shop', { subnet: 'other', attachSubnets: ['apps'], attachIps: ['10.17.0.10'] })), says: `${since} addresses of it are still held: IP web-0.shop` },
    'only its address between underlay and overlay is held, for which nobody waits': { given: world(subnet({ v4usingIPs: 1, u2oInterconnectionIP: '10.17.0.10' }), underlay), says: nothing },
    'its status counts an address too many': { given: world(subnet({ v4usingIPs: 1, v6usingIPs: 0 })), says: miscounted },
    'its status counts an IPv6 address too many, as text': { given: world(subnet({ v4usingIPs: '0', v6usingIPs: '1' })), says: miscounted },
    'its Vlan went first': { given: world(subnet({ v4usingIPs: 0 }, { vlan: 'v7' }), object('Vlan', 'v8')), says: `${since} its Vlan v7 no longer exists, and the controller looks for it first` },
    'its CIDR is invalid': { given: world(subnet({ v4usingIPs: 0 }, { cidrBlock: '10.17.0.0/24,fd00::/640' })), says: `${since} its CIDR fd00::/640 is invalid, and the controller checks it first` },
    'the controller found its spec invalid': {
      given: world(subnet({ v4usingIPs: 0, conditions: [{ type: 'Validated', status: 'False', reason: 'ValidateLogicalSwitchFailed' }, { type: 'Ready', status: 'False', reason: 'x' }] })),
      says: `${since} the controller found its spec invalid (ValidateLogicalSwitchFailed), and checks that first`,
    },
    'several things block it': {
      given: world(subnet({ v4usingIPs: 1 }, { vlan: 'v7' }), ip('web-0.shop')),
      says: `${since} its Vlan v7 no longer exists, and the controller looks for it first; addresses of it are still held: IP web-0.shop`,
    },
    'nothing blocks it': { given: world(subnet({ v4usingIPs: 0 }, { vlan: 'v7' }), object('Vlan', 'v7')), says: nothing },
  },
});
