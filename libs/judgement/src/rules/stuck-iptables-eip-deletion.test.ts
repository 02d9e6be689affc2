import { object, pod } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-iptables-eip-deletion';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const eip = (metadata: Record<string, unknown> = going) =>
  object('IptablesEIP', 'e', { metadata, spec: { natGwDp: 'gw', externalSubnet: 'ext' } });
const limited = object('IptablesEIP', 'e', {
  metadata: going,
  spec: { natGwDp: 'gw', externalSubnet: 'ext' },
  status: { qosPolicy: 'slow' },
});
const slow = object('QoSPolicy', 'slow');
const limit =
  'its gateway gw is gone, and the controller wants a pod of it to lift the limit of the traffic, also after a restart';
const gateway = (spec: Record<string, unknown> = {}) => object('VpcNatGateway', 'gw', { spec });
const of = (release: string) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { release } } },
  });
const controller = of('v1.14.41');
const definition = object('NetworkAttachmentDefinition', 'kube-system/ext');
const lan = object('Subnet', 'lan', { spec: { provider: 'ext.kube-system' } });
const ext = object('Subnet', 'ext');
const running = pod('kube-system/vpc-nat-gw-gw-0');
const since = 'IptablesEIP e has been terminating since 2026-01-01T00:00:00Z:';
const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`;

testRule(rule, {
  healthy: {
    'it is not being deleted': world(eip({}), ext, gateway()),
    'nothing keeps it: it is about to go': world(
      eip({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ext,
      gateway(),
    ),
  },
  unknown: { 'pods are not listed': world(eip(), ext, gateway()).unlisted('Pod') },
  violation: {
    'the gateway has no pod': {
      given: world(eip(), ext, gateway()),
      summary: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in kube-system to remove it from`,
      concerns: ['gw'],
      noRemedy: true,
    },
    'the gateway has no pod, and v1.14 only waits for it where the traffic has a limit': {
      given: world(controller, definition, lan, limited, slow, ext, gateway()),
      summary: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in kube-system to remove it from`,
      noRemedy: true,
    },
    'the gateway has no pod, for which v1.14 does not wait': {
      given: world(controller, definition, lan, eip(), gateway()),
      summary: nothing,
      noRemedy: true,
    },
    "the gateway's pod is in another namespace than it says": {
      given: world(eip(), ext, gateway({ namespace: 'edge' }), running),
      summary: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in edge to remove it from`,
      noRemedy: true,
    },
    'the gateway is several pods, which have no fixed names': {
      given: world(eip(), ext, gateway({ replicas: 2 })),
      summary: nothing,
      noRemedy: true,
    },
    'its subnet is called otherwise than its network, by which v1.13 and v1.14 find it': {
      given: world(eip(), lan, gateway(), running),
      summary: nothing,
      noRemedy: true,
    },
    'its external subnet went first': {
      given: world(eip(), gateway(), running),
      summary: `${since} its external Subnet ext no longer exists`,
      noRemedy: true,
    },
    'rules of all sorts still use it': {
      given: world(
        eip(),
        ext,
        gateway(),
        running,
        object('IptablesFIPRule', 'f', { spec: { eip: 'e' } }),
        object('IptablesSnatRule', 's', { spec: { eip: 'e' } }),
        object('IptablesDnatRule', 'd', { spec: { eip: 'e' } }),
        object('IptablesDnatRule', 'x', { spec: { eip: 'other' } }),
      ),
      summary: `${since} rules still use it: IptablesDnatRule d, IptablesFIPRule f, IptablesSnatRule s`,
      noRemedy: true,
    },
    'nothing blocks it': {
      given: world(eip(), ext, gateway(), running),
      summary: nothing,
      noRemedy: true,
    },
    'its gateway is gone, and nothing is left to remove it from': {
      given: world(eip(), ext),
      summary: nothing,
      action: 'strip-finalizer',
    },
    'its gateway is gone, but not its pod': {
      given: world(eip(), ext, running),
      summary: `${since} its gateway gw is gone, but not what ran it: Pod kube-system/vpc-nat-gw-gw-0`,
      noRemedy: true,
    },
    'its gateway is gone, and a rule still uses it': {
      given: world(eip(), ext, object('IptablesFIPRule', 'f', { spec: { eip: 'e' } })),
      summary: `${since} rules still use it: IptablesFIPRule f`,
      noRemedy: true,
    },
  },
});

test.each([
  ['v1.15.24', [slow], `${since} ${limit}`, 'a restart of the Kube-OVN controller does not finish'],
  ['v1.16.2', [slow], nothing, 'change the object while the Kube-OVN controller runs'],
  // The controller lifts no limit of a policy that is gone.
  ['v1.15.24', [], nothing, 'change the object while the Kube-OVN controller runs'],
])('%s lifts a limit of a gateway that is gone, with %j', (release, policies, says, advice) => {
  const given = world(of(release), definition, lan, limited, ext, ...policies);
  const [found] = findings(rule, given);
  expect(found?.summary).toBe(says);
  expect(found?.remedy?.advice).toContain(advice);
});

const by =
  'NetworkAttachmentDefinition kube-system/ext, by which the controller finds its external';
test.each([
  ['v1.14.41', [lan, ext], `${since} ${by} Subnet, no longer exists`],
  ['v1.13.0', [lan, ext], `${since} ${by} Subnet, no longer exists`],
  ['v1.15.3', [lan, ext], `${since} ${by} Subnet, no longer exists`],
  ['v1.15.4', [ext], nothing],
  ['v1.15.4', [definition, lan], `${since} its external Subnet ext no longer exists`],
  [
    'v1.14.41',
    [definition, ext, object('Subnet', 'lan', { spec: { provider: 'ext.edge' } })],
    `${since} no Subnet has the provider ext.kube-system of its external network`,
  ],
  [
    'v1.14.41',
    [definition, object('Subnet', 'lan', { spec: { provider: 'ext.kube-system.ovn' } })],
    nothing,
  ],
])('%s finds its external Subnet among %j', (release, around, says) => {
  const other = object('NetworkAttachmentDefinition', 'edge/ext');
  const given = world(of(release), eip(), gateway(), running, other, ...around);
  expect(findings(rule, given).map((it) => it.summary)).toEqual([says]);
});

test('asks for the Subnet before v1.13', () => {
  const [found] = findings(rule, world(of('v1.12.35'), eip(), gateway(), running, definition, lan));
  expect(found?.summary).toContain('its external Subnet ext no longer exists');
});

test('names no definition while those are not listed', () => {
  const given = world(controller, eip(), lan, gateway(), running);
  const [found] = findings(rule, given.unheardOf('NetworkAttachmentDefinition'));
  expect(found?.summary).toBe(nothing);
});

test('takes the usual network where it names none', () => {
  const nameless = object('IptablesEIP', 'e', { metadata: going, spec: { natGwDp: 'gw' } });
  const [found] = findings(rule, world(of('v1.16.2'), nameless, gateway(), running));
  expect(found?.summary).toBe(
    `${since} its external Subnet ovn-vpc-external-network no longer exists`,
  );
});

test('waits for the rules that use it from v1.15 on', () => {
  const used = object('IptablesFIPRule', 'f', { spec: { eip: 'e' } });
  const given = (release: string) =>
    world(of(release), eip(), definition, lan, ext, gateway(), running, used);
  expect(findings(rule, given('v1.14.41')).map((it) => it.summary)).toEqual([nothing]);
  expect(findings(rule, given('v1.15.0')).map((it) => it.summary)).toEqual([
    `${since} rules still use it: IptablesFIPRule f`,
  ]);
});

const given = object('IptablesEIP', 'e', {
  metadata: going,
  spec: { natGwDp: 'gw', externalSubnet: 'ext', v4ip: '203.0.113.11' },
  status: { ip: '203.0.113.11' },
});
const labelled = { labels: { 'ovn.kubernetes.io/eip_v4_ip': '203.0.113.11' } };
test.each([
  ['its status', {}, { v4ip: '203.0.113.11' }],
  ['its label', { metadata: labelled }, {}],
])('waits for a rule that names another one and has its address by %s', (_, more, status) => {
  const moved = object('IptablesFIPRule', 'f', { ...more, spec: { eip: 'other' }, status });
  const unmoved = world(given, ext, gateway(), running, moved);
  expect(findings(rule, unmoved).map((it) => it.summary)).toEqual([
    `${since} rules still use it: IptablesFIPRule f`,
  ]);
  // Without the gateway nothing of it is left in a pod, but the rule still has the address.
  expect(findings(rule, world(given, ext, moved))).toMatchObject([
    { summary: `${since} rules still use it: IptablesFIPRule f`, remedy: undefined },
  ]);
});
