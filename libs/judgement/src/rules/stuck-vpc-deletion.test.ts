import { logicalSwitch, object, row } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-vpc-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const vpc = (metadata: Record<string, unknown> = going) => object('Vpc', 'tenant', { metadata });
const subnet = (name: string, vpc: string, metadata: Record<string, unknown> = {}) =>
  object('Subnet', name, { spec: { vpc }, metadata });
const router = (external_ids: Record<string, string> = { vendor: 'kube-ovn' }) =>
  row('Logical_Router', 'tenant', { external_ids });
const since = 'Vpc tenant has been terminating since 2026-01-01T00:00:00Z:';
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until its next start`;

testRule(rule, {
  healthy: {
    'it is not being deleted': world(vpc({}), subnet('web', 'tenant')),
    'nothing keeps it: it is about to go': world(
      vpc({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      subnet('web', 'tenant'),
    ),
  },
  unknown: { 'subnets are not listed': world(vpc()).unlisted('Subnet') },
  violation: {
    'subnets still name it': {
      given: world(
        vpc(),
        subnet('web', 'tenant'),
        subnet('db', 'tenant'),
        subnet('other', 'other'),
      ),
      summary: `${since} subnets still name it: Subnet db, Subnet web`,
      concerns: ['db'],
      noRemedy: true,
    },
    'one subnet stays, another is going': {
      given: world(vpc(), subnet('a', 'tenant', going), subnet('web', 'tenant')),
      summary: `${since} subnets still name it: Subnet web`,
      noRemedy: true,
    },
    'its subnets are going, but have not gone': {
      given: world(vpc(), subnet('web', 'tenant', going)),
      summary: `${since} subnets that name it are not deleted yet: Subnet web`,
      noRemedy: true,
    },
    'more subnets name it than a sentence takes': {
      given: world(vpc(), ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((it) => subnet(it, 'tenant'))),
      summary: `${since} subnets still name it: Subnet a, Subnet b, Subnet c, Subnet d, Subnet e and 2 more`,
      noRemedy: true,
    },
    'nothing blocks it': { given: world(vpc()), summary: nothing, action: 'strip-finalizer' },
    'Kube-OVN was taken away, and its router is left': {
      given: world(vpc(), router()),
      summary: nothing,
      action: 'delete-logical-router',
    },
    'a switch of a subnet of its is left': {
      given: world(vpc(), router(), subnet('web', 'tenant', going), logicalSwitch('web')),
      summary: `${since} subnets that name it are not deleted yet: Subnet web`,
      noRemedy: true,
    },
    "its router is somebody else's": {
      given: world(vpc(), router({ 'neutron:router_name': 'x' })),
      summary: nothing,
      noRemedy: true,
    },
    "it stands for a router of somebody else's": {
      given: world(vpc({ ...going, labels: { 'ovn.kubernetes.io/vpc_external': 'true' } })),
      summary: nothing,
      noRemedy: true,
    },
    'a controller runs, and its router is left': {
      given: world(object('Pod', 'kube-system/kube-ovn-controller-0'), vpc(), router()),
      summary: nothing,
      noRemedy: true,
    },
    'only our own finalizer is left': {
      given: world(vpc({ ...going, finalizers: ['ovn-steward.dev/vpc-guard'] })),
      summary: `${since} nothing that blocks it is left but our own finalizer ovn-steward.dev/vpc-guard, and no guard of ours runs that takes it off: steward guard run does, and steward guard remove`,
      noRemedy: true,
    },
    'our own finalizer holds it for a subnet': {
      given: world(
        vpc({ ...going, finalizers: ['ovn-steward.dev/vpc-guard'] }),
        subnet('web', 'tenant'),
      ),
      summary: `${since} subnets still name it: Subnet web`,
      noRemedy: true,
    },
    'a finalizer of an old Kube-OVN is on it': {
      given: world(vpc({ ...going, finalizers: ['ovn.kubernetes.io/fip'] })),
      summary: `${since} finalizer ovn.kubernetes.io/fip, which no controller removes any more`,
    },
  },
});

test('a subnet beyond those that are read for the sentence keeps the router', () => {
  const leaving = Array.from({ length: 60 }, (_, n) => subnet(`s${n}`, 'tenant', going));
  expect(findings(rule, world(vpc(), router(), ...leaving))[0]?.remedy).toMatchObject({
    action: 'delete-logical-router',
  });
  expect(
    findings(
      rule,
      world(vpc(), router(), ...leaving, logicalSwitch('last'), subnet('last', 'tenant', going)),
    )[0]?.remedy ?? null,
  ).toBeNull();
  expect(
    findings(rule, world(vpc(), router(), ...leaving, subnet('stays', 'tenant')))[0]?.remedy ??
      null,
  ).toBeNull();
});
