import { ip, logicalSwitch, object, port, row } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-subnet-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const subnet = (
  status: Record<string, unknown> = { v4usingIPs: 1 },
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = going,
) => object('Subnet', 'apps', { metadata, spec: { cidrBlock: '10.17.0.0/24', ...spec }, status });
const since = 'Subnet apps has been terminating since 2026-01-01T00:00:00Z:';
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`;
const miscounted = `${since} its status still counts 1 addresses in use, though nothing holds any: creating and deleting a Vip in it makes the controller count again`;
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const underlay = ip('u2o-interconnection.v.apps', {
  namespace: '',
  podName: 'u2o-interconnection.v.apps',
});
/** What is a switch's own does not count as use. */
const uplink = port('localnet.apps', {
  type: 'localnet',
  external_ids: { vendor: 'kube-ovn', ls: 'apps' },
});

testRule(rule, {
  healthy: {
    'it is not being deleted': world(subnet({ v4usingIPs: 1 }, {}, {}), ip('web-0.shop')),
    'nothing keeps it: it is about to go': world(
      subnet({ v4usingIPs: 1 }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ip('web-0.shop'),
    ),
  },
  unknown: { 'address records are not listed': world(subnet()).unlisted('IP') },
  violation: {
    "a pod's address is held in it": {
      given: world(running, subnet(), ip('web-0.shop'), ip('x.shop', { subnet: 'other' })),
      summary: `${since} addresses of it are still held: IP web-0.shop`,
      concerns: ['web-0.shop'],
      noRemedy: true,
    },
    'the Vip of its health checks is left': {
      given: world(
        running,
        subnet(),
        object('Vip', 'apps', { spec: { subnet: 'apps', v4ip: '10.17.0.20' } }),
      ),
      summary: `${since} addresses of it are still held: Vip apps`,
      noRemedy: true,
    },
    "its multicast querier's address is left": {
      given: world(
        running,
        subnet(),
        ip('mcast-querier.apps', { namespace: 'default', podName: 'mcast-querier.apps' }),
      ),
      summary: `${since} addresses of it are still held: IP mcast-querier.apps`,
    },
    'external addresses of both sorts are held': {
      given: world(
        running,
        subnet(),
        object('IptablesEIP', 'e', {
          spec: { externalSubnet: 'apps' },
          status: { ip: '10.17.0.31' },
        }),
        object('OvnEip', 'o', { spec: { externalSubnet: 'apps' }, status: { v4Ip: '10.17.0.32' } }),
      ),
      summary: `${since} addresses of it are still held: IptablesEIP e, OvnEip o`,
      noRemedy: true,
    },
    'only an attached address is held': {
      given: world(
        running,
        subnet(),
        ip('web-0.shop', { subnet: 'other', attachSubnets: ['apps'], attachIps: ['10.17.0.10'] }),
      ),
      summary: `${since} addresses of it are still held: IP web-0.shop`,
      noRemedy: true,
    },
    'only its address between underlay and overlay is held, for which nobody waits': {
      given: world(
        running,
        subnet({ v4usingIPs: 1, u2oInterconnectionIP: '10.17.0.10' }),
        underlay,
      ),
      summary: nothing,
      noRemedy: true,
    },
    'its status counts an address too many': {
      given: world(running, subnet({ v4usingIPs: 1, v6usingIPs: 0 })),
      summary: miscounted,
      noRemedy: true,
    },
    'its status counts an IPv6 address too many, as text': {
      given: world(running, subnet({ v4usingIPs: '0', v6usingIPs: '1' })),
      summary: miscounted,
      noRemedy: true,
    },
    'its Vlan went first': {
      given: world(running, subnet({ v4usingIPs: 0 }, { vlan: 'v7' }), object('Vlan', 'v8')),
      summary: `${since} its Vlan v7 no longer exists, and the controller looks for it first (from v1.13 on)`,
    },
    'its Vlan was given the id of another': {
      given: world(
        running,
        subnet({ v4usingIPs: 0 }, { vlan: 'v7' }),
        logicalSwitch(),
        object('Vlan', 'v7', { spec: { id: 7, provider: 'p' }, status: { conflict: true } }),
      ),
      summary: `${since} its Vlan v7 has the id of another, and the controller refuses that first`,
      concerns: ['v7'],
      noRemedy: true,
    },
    'its CIDR is invalid': {
      given: world(running, subnet({ v4usingIPs: 0 }, { cidrBlock: '10.17.0.0/24,fd00::/640' })),
      summary: `${since} its CIDR fd00::/640 is invalid, and the controller checks it first`,
    },
    'the controller found its spec invalid': {
      given: world(
        running,
        subnet({
          v4usingIPs: 0,
          conditions: [
            { type: 'Validated', status: 'False', reason: 'ValidateLogicalSwitchFailed' },
            { type: 'Ready', status: 'False', reason: 'x' },
          ],
        }),
      ),
      summary: `${since} the controller found its spec invalid (ValidateLogicalSwitchFailed), and checks that first (from v1.13 on)`,
    },
    'several things block it': {
      given: world(running, subnet({ v4usingIPs: 1 }, { vlan: 'v7' }), ip('web-0.shop')),
      summary: `${since} its Vlan v7 no longer exists, and the controller looks for it first (from v1.13 on); addresses of it are still held: IP web-0.shop`,
      noRemedy: true,
    },
    'nothing blocks it': {
      given: world(running, subnet({ v4usingIPs: 0 }, { vlan: 'v7' }), object('Vlan', 'v7')),
      summary: nothing,
      noRemedy: true,
    },
    "a querier's address is left, and another one": {
      given: world(running, subnet(), ip('mcast-querier.apps'), ip('web-0.shop')),
      summary: `${since} addresses of it are still held: IP mcast-querier.apps, IP web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its switch is empty': {
      given: world(subnet({ v4usingIPs: 0 }), logicalSwitch(), uplink),
      summary: nothing,
      action: 'delete-logical-switch',
    },
    'Kube-OVN was taken away, and only who is going himself holds addresses': {
      given: world(subnet(), logicalSwitch(), ip('web-0.shop', {}, { metadata: going })),
      summary: `${since} addresses of it are still held: IP web-0.shop`,
      action: 'delete-logical-switch',
    },
    'Kube-OVN was taken away, and somebody stays in it': {
      given: world(subnet(), logicalSwitch(), ip('web-0.shop')),
      summary: `${since} addresses of it are still held: IP web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and a port of its switch is left': {
      given: world(subnet({ v4usingIPs: 0 }), logicalSwitch(), port()),
      summary: nothing,
      noRemedy: true,
    },
    "Kube-OVN was taken away, and its switch is somebody else's": {
      given: world(
        subnet({ v4usingIPs: 0 }),
        logicalSwitch('apps', { external_ids: { 'neutron:network_name': 'x' } }),
      ),
      summary: nothing,
      noRemedy: true,
    },
    'a controller runs, and its switch is empty': {
      given: world(running, subnet({ v4usingIPs: 0 }), logicalSwitch()),
      summary: nothing,
      noRemedy: true,
    },
    'a pod of the controller is left': {
      given: world(
        object('Pod', 'kube-system/x', { metadata: { labels: { app: 'kube-ovn-controller' } } }),
        subnet({ v4usingIPs: 0 }),
      ),
      summary: nothing,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its DHCP options are left': {
      given: world(
        subnet({ v4usingIPs: 0 }),
        row('DHCP_Options', '', {
          cidr: '10.17.0.0/24',
          external_ids: { vendor: 'kube-ovn', ls: 'apps', protocol: 'IPv4' },
        }),
      ),
      summary: nothing,
      action: 'delete-dhcp-options',
    },
    'Kube-OVN was taken away, and nothing is left': {
      given: world(subnet({ v4usingIPs: 0 })),
      summary: nothing,
      action: 'strip-finalizer',
    },
    'its Vlan went first, and its switch is there': {
      given: world(running, subnet({ v4usingIPs: 0 }, { vlan: 'v7' }), logicalSwitch()),
      summary: `${since} its Vlan v7 no longer exists, and the controller looks for it first (from v1.13 on)`,
      noRemedy: true,
    },
  },
});

test('a holder beyond those that are read for the sentence keeps the switch', () => {
  const leaving = Array.from({ length: 60 }, (_, n) =>
    ip(`web-${n}.shop`, {}, { metadata: going }),
  );
  expect(findings(rule, world(subnet(), logicalSwitch(), ...leaving))[0]?.remedy).toMatchObject({
    action: 'delete-logical-switch',
  });
  expect(
    findings(
      rule,
      world(
        subnet(),
        logicalSwitch(),
        ...leaving,
        object('Vip', 'stays', { spec: { subnet: 'apps' } }),
      ),
    )[0]?.remedy ?? null,
  ).toBeNull();
});

const NOTHING = 'nothing that blocks it is left';
test.each([
  ['v1.15.24', 'gone', undefined, NOTHING],
  [
    'v1.16.2',
    'gone',
    undefined,
    'ProviderNetwork p of its Vlan v7 no longer exists, and the controller waits for it first',
  ],
  [
    'v1.16.2',
    'made again',
    object('ProviderNetwork', 'p'),
    'ProviderNetwork p does not list its Vlan v7, and the controller waits for it first',
  ],
  ['v1.16.2', 'as it was', object('ProviderNetwork', 'p', { status: { vlans: ['v7'] } }), NOTHING],
])('of %s, the provider network of its Vlan is %s', (release, _, provider, because) => {
  const [found] = findings(
    rule,
    world(
      object('Deployment', 'kube-system/kube-ovn-controller', {
        spec: { template: { spec: { release } } },
      }),
      subnet({ v4usingIPs: 0 }, { vlan: 'v7' }),
      logicalSwitch(),
      object('Vlan', 'v7', { spec: { id: 7, provider: 'p' } }),
      object('ProviderNetwork', 'other'),
      ...(provider ? [provider] : []),
    ),
  );
  expect(found?.summary).toContain(because);
});
