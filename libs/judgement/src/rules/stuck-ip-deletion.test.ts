import { ip, logicalSwitch, object, pod, port, servedPod, statefulSet } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './stuck-ip-deletion';

const going = {
  metadata: {
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['kubeovn.io/kube-ovn-controller'],
  },
};
const stuck = ip('web-0.shop', {}, going);
const running = object('Deployment', 'kube-system/kube-ovn-controller');
const ofRelease = (release: string) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { release } } },
  });
const apps = object('Subnet', 'apps');
const since = 'IP web-0.shop has been terminating since 2026-01-01T00:00:00Z:';

testRule(rule, {
  healthy: {
    'it is not being deleted': world(apps, ip('web-0.shop')),
    'nothing keeps it: it is about to go': world(
      apps,
      ip('web-0.shop', {}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
  },
  unknown: {
    'subnets are not listed': world(stuck).unlisted('Subnet'),
    'its subnet went first, and not every Deployment is listed':
      world(stuck).unlisted('Deployment'),
  },
  violation: {
    'its port is still there': {
      given: world(running, apps, logicalSwitch(), stuck, port()),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      concerns: ['web-0.shop'],
      noRemedy: true,
    },
    'its subnet went first': {
      given: world(stuck),
      summary: `${since} its Subnet apps no longer exists`,
    },
    ...Object.fromEntries(
      ['v1.13.15', 'v1.14.30', 'v1.15.2'].map((release) => [
        `its subnet went first, where ${release} runs`,
        {
          given: world(stuck, ofRelease(release)),
          summary: `${since} its Subnet apps no longer exists`,
        },
      ]),
    ),
    ...Object.fromEntries(
      ['v1.14.31', 'v1.15.3', 'v1.16.0', 'v1.17.0'].map((release) => [
        `its subnet went first, which does not stop ${release}`,
        {
          given: world(stuck, ofRelease(release)),
          summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
        },
      ]),
    ),
    both: {
      given: world(running, stuck, logicalSwitch(), port()),
      summary: `${since} its Subnet apps no longer exists; its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its port is left': {
      given: world(apps, logicalSwitch(), stuck, port()),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      action: 'delete-logical-switch-port',
    },
    'Kube-OVN was taken away, and its pod is there': {
      given: world(apps, logicalSwitch(), stuck, port(), pod('shop/web-0')),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its machine is there': {
      given: world(apps, logicalSwitch(), stuck, port(), object('VirtualMachine', 'shop/web-0')),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its set wants the ordinal': {
      given: world(apps, logicalSwitch(), stuck, port(), statefulSet('shop/web', 1)),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its address is reserved': {
      given: world(
        apps,
        logicalSwitch(),
        ip(
          'web-0.shop',
          {},
          { metadata: { ...going.metadata, labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } },
        ),
        port(),
      ),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and its port serves another': {
      given: world(
        apps,
        logicalSwitch(),
        stuck,
        port('web-0.shop', { external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/other' } }),
      ),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'Kube-OVN was taken away, and machines are not listed': {
      given: world(apps, logicalSwitch(), stuck, port()).unlisted('VirtualMachine'),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'a chassis holds its port up': {
      given: world(
        apps,
        logicalSwitch(),
        stuck,
        port('web-0.shop', { up: true }),
        ...servedPod('shop/other-0'),
      ),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    "its port is somebody else's": {
      given: world(
        apps,
        logicalSwitch(),
        stuck,
        port('web-0.shop', { external_ids: { 'neutron:port_name': 'x' } }),
      ),
      summary: `${since} its port has not been removed: Logical_Switch_Port web-0.shop`,
      noRemedy: true,
    },
    'the update of its deletion was dropped': {
      given: world(apps, stuck),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
    },
    'only finalizers of others hold it': {
      given: world(
        apps,
        ip(
          'web-0.shop',
          {},
          { metadata: { ...going.metadata, finalizers: ['example.com/hold', 'kubeovn.io/other'] } },
        ),
      ),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
      noRemedy: true,
    },
    'the subnet it names is none': {
      given: world(ip('web-0.shop', { subnet: '' }, going)),
      summary: `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`,
    },
  },
});

test.each([
  [['kubeovn.io/kube-ovn-controller']],
  [['kube-ovn-controller']],
  [['example.com/hold', 'kube-ovn-controller']],
])(
  'names the finalizer of Kube-OVN to be taken away, and that no port of that name is left: %j',
  (finalizers) => {
    const [found] = findings(
      rule,
      world(apps, ip('web-0.shop', {}, { metadata: { ...going.metadata, finalizers } })),
    );
    expect(found?.remedy).toMatchObject({
      action: 'strip-finalizer',
      target: {
        kind: 'IP',
        name: 'web-0.shop',
        part: { column: 'metadata.finalizers', key: finalizers.at(-1) },
      },
    });
    expect(found?.proof).toContainEqual({
      fact: 'absent',
      source: 'ovn-nb',
      kind: 'Logical_Switch_Port',
      key: 'web-0.shop',
    });
  },
);
