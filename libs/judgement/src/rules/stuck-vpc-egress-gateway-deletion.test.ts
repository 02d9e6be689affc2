import { object, row } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-vpc-egress-gateway-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const gateway = (metadata: Record<string, unknown> = going) =>
  object('VpcEgressGateway', 'edge/out', { metadata, spec: { vpc: 'tenant', prefix: 'veg-' } });
const set = row('Address_Set', 'VEG.9c815f557c4d_ip4', {
  external_ids: { vendor: 'kube-ovn', af: '4', 'vpc-egress-gateway': 'edge/out' },
});
const tenant = object('Vpc', 'tenant');
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const since = 'VpcEgressGateway edge/out has been terminating since 2026-01-01T00:00:00Z:';
const lost =
  'its Vpc tenant no longer exists, nor does the router of that name, on which the controller looks for what it made';

testRule(rule, {
  healthy: { 'it is not being deleted': world(tenant, gateway({}), set) },
  unknown: { 'deployments are not listed': world(tenant, gateway()).unlisted('Deployment') },
  violation: {
    'its Deployment is left': {
      given: world(running, tenant, gateway(), object('Deployment', 'edge/veg-out')),
      summary: `${since} its Deployment has not been removed: Deployment edge/veg-out`,
      noRemedy: true,
    },
    'its set is left': {
      given: world(running, tenant, gateway(), set),
      summary: `${since} its rows have not been removed: Address_Set VEG.9c815f557c4d_ip4`,
      noRemedy: true,
    },
    'its VPC went first, and its set is left': {
      given: world(running, gateway(), set),
      summary: `${since} ${lost}; its rows have not been removed: Address_Set VEG.9c815f557c4d_ip4`,
      action: 'delete-address-set',
    },
    'its VPC went first, and nothing is left': {
      given: world(running, gateway()),
      summary: `${since} ${lost}`,
      action: 'strip-finalizer',
    },
    'Kube-OVN was taken away, and its set is left': {
      given: world(tenant, gateway(), set),
      summary: `${since} its rows have not been removed: Address_Set VEG.9c815f557c4d_ip4`,
      action: 'delete-address-set',
    },
  },
});

test('where the controller stops at the missing router, nothing is said to finish the deletion', () => {
  const advice = (...given: Parameters<typeof world>) =>
    findings(rule, world(running, gateway(), ...given)).map(({ remedy }) => remedy?.advice);
  expect(advice()).toEqual([
    expect.stringMatching(/^a restart of the Kube-OVN controller does not finish the deletion;/),
  ]);
  expect(advice(tenant)).toEqual([
    expect.stringContaining('restart the Kube-OVN controller, which then finishes the deletion'),
  ]);
});
