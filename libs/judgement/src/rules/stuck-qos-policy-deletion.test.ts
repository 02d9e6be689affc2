import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-qos-policy-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const policy = (metadata: Record<string, unknown> = going) =>
  object('QoSPolicy', 'slow', { metadata });
const since = 'QoSPolicy slow has been terminating since 2026-01-01T00:00:00Z:';

testRule(rule, {
  healthy: { 'it is not being deleted': world(policy({})) },
  unknown: { 'gateways are not listed': world(policy()).unlisted('VpcNatGateway') },
  violation: {
    'used by an address and a gateway': {
      given: world(
        policy(),
        object('IptablesEIP', 'e', { spec: { qosPolicy: 'slow' } }),
        object('VpcNatGateway', 'gw', { status: { qosPolicy: 'slow' } }),
        object('IptablesEIP', 'x', { spec: { qosPolicy: 'other' } }),
      ),
      summary: `${since} it is still used: IptablesEIP e, VpcNatGateway gw`,
      noRemedy: true,
    },
    'used by an address that says so only by its label': {
      given: world(
        policy(),
        object('IptablesEIP', 'e', { metadata: { labels: { 'ovn.kubernetes.io/qos': 'slow' } } }),
      ),
      summary: `${since} it is still used: IptablesEIP e`,
      noRemedy: true,
    },
    'used by nobody': {
      given: world(policy()),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
    },
  },
});
