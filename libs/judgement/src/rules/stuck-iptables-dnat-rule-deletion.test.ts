import { object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-iptables-dnat-rule-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const it1 = (over: Record<string, unknown> = {}) =>
  object('IptablesDnatRule', 'r', {
    metadata: going,
    spec: { eip: 'e' },
    status: { natGwDp: 'gw' },
    ...over,
  });
const gateway = object('VpcNatGateway', 'gw');
const running = pod('kube-system/vpc-nat-gw-gw-0');
const since = 'IptablesDnatRule r has been terminating since 2026-01-01T00:00:00Z:';
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`;

testRule(rule, {
  healthy: { 'it is not being deleted': world(gateway, it1({ metadata: {} })) },
  unknown: { 'pods are not listed': world(gateway, it1()).unlisted('Pod') },
  violation: {
    'the gateway has no pod (row 58)': {
      given: world(gateway, it1()),
      says: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in kube-system to remove it from`,
      concerns: ['gw'],
      noRemedy: true,
    },
    'the gateway runs': { given: world(gateway, running, it1()), says: nothing, noRemedy: true },
    'the gateway and all that ran it are gone': {
      given: world(it1()),
      says: nothing,
      action: 'strip-finalizer',
    },
    'the gateway is gone, which only its label names': {
      given: world(
        it1({
          metadata: { ...going, labels: { 'ovn.kubernetes.io/vpc-nat-gw-name': 'gw' } },
          status: {},
        }),
      ),
      says: nothing,
      action: 'strip-finalizer',
    },
    'the gateway is gone, which only its address names': {
      given: world(it1({ status: {} }), object('IptablesEIP', 'e', { spec: { natGwDp: 'gw' } })),
      says: nothing,
      action: 'strip-finalizer',
    },
    'the gateway is gone, its set is not': {
      given: world(it1(), object('StatefulSet', 'kube-system/vpc-nat-gw-gw')),
      says: `${since} its gateway gw is gone, but not what ran it: StatefulSet kube-system/vpc-nat-gw-gw`,
      noRemedy: true,
    },
    'nobody says which gateway': {
      given: world(it1({ status: {} })),
      says: nothing,
      noRemedy: true,
    },
  },
});
