import { ip, logicalSwitch, object, pod, port } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './machine-ports-at-risk';

const PORT = 'vm-db.vms.vm-main.vms.ovn';
const controller = (release: string | undefined, ...flags: string[]): Built<'Deployment'> =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: {
      replicas: 1,
      template: {
        spec: { ...(flags.length > 0 && { flags }), ...(release !== undefined && { release }) },
      },
    },
  });
const old = controller('v1.14.4', '--gc-interval=360');
const network = (networkName = 'vms/vm-main') => ({
  name: 'default',
  multus: { default: true, networkName },
});
const machine = (
  spec: Record<string, unknown> = {},
  template: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): Built<'VirtualMachine'> =>
  object('VirtualMachine', 'vms/vm-db', {
    metadata,
    spec: {
      runStrategy: 'Halted',
      template: { spec: { networks: [network()] }, ...template },
      ...spec,
    },
  });
const apps = logicalSwitch();
const lan = port(PORT, { external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm-db' } });
const record = (labels: Record<string, string> = {}): Built<'IP'> =>
  ip(
    PORT,
    {
      podName: 'vm-db',
      namespace: 'vms',
      podType: 'VirtualMachine',
      v4IpAddress: '172.23.0.90',
      ipAddress: '172.23.0.90',
    },
    { metadata: { labels } },
  );
const launcher = (status: Record<string, unknown> = {}): Built<'Pod'> =>
  pod('vms/virt-launcher-vm-db-x', {
    metadata: { annotations: { 'vm-main.vms.ovn.kubernetes.io/virtualmachine': 'vm-db' } },
    ...(status['phase'] ? { status } : {}),
  });
const newer = controller('v1.16.2', '--gc-interval=360');
/** Two interfaces on one network, and one on another. */
const twice = (names = ['vms/vm-main', 'vm-main', 'vms/other'], template = {}) =>
  machine(
    {},
    {
      spec: {
        networks: names.map((networkName, nth) => ({ name: `${nth}`, multus: { networkName } })),
      },
      ...template,
    },
  );
const interfaces = ['pod1a', 'pod2b'].map((suffix, nth) =>
  port(`${PORT}.${suffix}`, {
    addresses: [`0a:00:00:00:09:0${nth} 172.23.0.9${nth}`],
    external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm-db' },
  }),
);
const records = interfaces.map((_, nth) =>
  ip(`${PORT}.${['pod1a', 'pod2b'][nth]!}`, {
    podName: 'vm-db',
    namespace: 'vms',
    podType: 'VirtualMachine',
    v4IpAddress: `172.23.0.9${nth}`,
  }),
);
const later = `machine vms/vm-db has several interfaces on one network, and Kube-OVN v1.16.2 (kube-system/kube-ovn-controller) deletes its ports ${PORT}.pod1a and ${PORT}.pod2b when a launcher pod of it goes, and frees their addresses 172.23.0.90 and 172.23.0.91`;
const others = port('vm-db.vms.other.vms.ovn', {
  external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm-db' },
});
const doomed = (what = `${PORT} and frees its address 172.23.0.90`, release = 'v1.14.4'): string =>
  `machine vms/vm-db is halted, and Kube-OVN ${release} (kube-system/kube-ovn-controller) deletes its port ${what}`;

testRule(rule, {
  healthy: {
    'the controller keeps such ports': world(
      apps,
      lan,
      record(),
      machine(),
      controller('v1.14.5', '--gc-interval=360'),
    ),
    'the controller is of a release before, which takes an empty annotation': world(
      apps,
      lan,
      record(),
      machine(),
      controller('v1.13.15', '--gc-interval=360'),
    ),
    'the controller is of one before that, which no zero stops': world(
      apps,
      lan,
      record(),
      machine(),
      controller('v1.12.35', '--gc-interval=0'),
    ),
    'the controller collects nothing': world(
      apps,
      lan,
      record(),
      machine(),
      controller('v1.14.4', '--gc-interval=0'),
    ),
    'the controller of an unknown release collects nothing': world(
      apps,
      lan,
      record(),
      machine(),
      controller(undefined, '--gc-interval=0'),
    ),
    'the controller shows none of its flags': world(
      apps,
      lan,
      record(),
      machine(),
      controller('v1.14.4'),
    ),
    'there is no controller': world(apps, lan, record(), machine()),
    'the controller goes': world(
      apps,
      lan,
      record(),
      machine(),
      object('Deployment', 'kube-system/kube-ovn-controller', {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: { template: { spec: { release: 'v1.14.4', flags: ['--gc-interval=360'] } } },
      }),
    ),
    'it runs': world(
      apps,
      lan,
      record(),
      machine({ runStrategy: 'Manual' }),
      object('VirtualMachineInstance', 'vms/vm-db'),
      old,
    ),
    'it is to run, and will': world(apps, lan, record(), machine({ runStrategy: 'Always' }), old),
    'it is to run, and will, as older KubeVirts say it': world(
      apps,
      lan,
      record(),
      machine({ runStrategy: undefined, running: true }),
      old,
    ),
    'its launcher still runs': world(apps, lan, record(), machine(), launcher(), old),
    'it is being deleted': world(
      apps,
      lan,
      record(),
      machine({}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      old,
    ),
    "its template has Multus' annotation": world(
      apps,
      lan,
      record(),
      machine({}, { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'vms/vm-main' } } }),
      old,
    ),
    'it is on the pod network': world(
      apps,
      port('vm-db.vms'),
      machine({}, { spec: { networks: [{ name: 'default', pod: {} }] } }),
      old,
    ),
    'it never ran': world(apps, machine(), old),
    'each of its networks has one interface, which the release keeps': world(
      apps,
      others,
      lan,
      twice(['vms/vm-main', 'vms/other']),
      newer,
    ),
    'it has several interfaces, and ports from before they were named': world(
      apps,
      lan,
      twice(),
      newer,
    ),
    'one of its interfaces was taken away: its port is garbage': world(
      apps,
      ...interfaces,
      ...records,
      twice(['vms/vm-main']),
      newer,
    ),
    'such ports are those of another': world(
      apps,
      port(`${PORT}.pod1a`, { external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'vms/vm' } }),
      twice(),
      newer,
    ),
    'the release does not call ports after interfaces': world(
      apps,
      ...interfaces,
      ...records,
      twice(),
      controller('v1.15.24', '--gc-interval=360'),
    ),
  },
  unknown: {
    'the release is not known': world(
      apps,
      lan,
      record(),
      machine(),
      controller(undefined, '--gc-interval=360'),
    ),
    "the release is nobody's we know": world(
      apps,
      lan,
      record(),
      machine(),
      controller('v1.14.4-ours', '--enable-lb=true'),
    ),
    'the release of several interfaces is not known': world(
      apps,
      ...interfaces,
      twice([], {
        metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'vm-main,vm-main' } },
      }),
      controller(undefined, '--gc-interval=360'),
    ),
    'instances are not listed': world(apps, lan, record(), machine(), old).unheardOf(
      'VirtualMachineInstance',
    ),
  },
  violation: {
    'it is halted, on a Multus network alone': {
      given: world(apps, lan, record(), machine(), old),
      summary: doomed(),
      concerns: [PORT, PORT],
      parts: [`spec.template.spec.networks=${PORT}`],
    },
    'the first release that forgets them': {
      given: world(apps, lan, record(), machine(), controller('v1.14.0', '--gc-interval=360')),
      summary: doomed(undefined, 'v1.14.0'),
    },
    'its interval is the default': {
      given: world(apps, lan, record(), machine(), controller('v1.14.4', '--enable-lb=true')),
      summary: doomed(),
    },
    'its address is reserved: the port goes': {
      given: world(apps, lan, record({ 'ovn.kubernetes.io/ip_reserved': 'true' }), machine(), old),
      summary: doomed(PORT),
    },
    'its address is not on record': {
      given: world(apps, lan, machine(), old),
      summary: doomed(PORT),
      concerns: [PORT],
    },
    'its launcher is completed': {
      given: world(apps, lan, record(), machine(), launcher({ phase: 'Succeeded' }), old),
      summary: doomed(),
    },
    'it was stopped by hand': {
      given: world(apps, lan, record(), machine({ runStrategy: 'Manual' }), old),
      summary: doomed(),
    },
    'its network is of its own namespace': {
      given: world(
        apps,
        lan,
        record(),
        machine({}, { spec: { networks: [network('vm-main')] } }),
        old,
      ),
      summary: doomed(),
    },
    'it has several interfaces on one network': {
      given: world(apps, ...interfaces, ...records, others, twice(), newer),
      summary: `machine vms/vm-db is halted, and Kube-OVN v1.16.2 (kube-system/kube-ovn-controller) deletes its ports ${PORT}.pod1a and ${PORT}.pod2b and frees their addresses 172.23.0.90 and 172.23.0.91`,
      concerns: [...interfaces, ...interfaces].map((it) => it.name),
      parts: [`spec.template.spec.networks=${PORT}`],
    },
    'it has several, and their addresses are reserved: the ports go': {
      given: world(
        apps,
        ...interfaces,
        ...interfaces.map(({ name }) =>
          ip(name, {}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
        ),
        twice(),
        newer,
      ),
      summary: doomed(`${PORT}.pod1a and ${PORT}.pod2b`, 'v1.16.2').replace(
        'its port',
        'its ports',
      ),
    },
    'its launcher has several interfaces on one network': {
      given: world(apps, ...interfaces, ...records, twice(), launcher(), newer),
      summary: later,
    },
    'it runs, and nothing is collected': {
      given: world(
        apps,
        ...interfaces,
        ...records,
        twice(),
        object('VirtualMachineInstance', 'vms/vm-db'),
        controller('v1.16.2', '--gc-interval=0'),
      ),
      summary: later,
    },
    'it is halted, and nothing is collected': {
      given: world(
        apps,
        ...interfaces,
        ...records,
        twice(),
        controller('v1.16.2', '--gc-interval=0'),
      ),
      summary: later,
    },
    'the annotation of its template names the network twice': {
      given: world(
        apps,
        interfaces[0]!,
        twice([], {
          metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'vm-main,vm-main' } },
        }),
        newer,
      ),
      summary: doomed(`${PORT}.pod1a`, 'v1.16.2'),
    },
    'of two networks one is a Multus network': {
      given: world(
        apps,
        lan,
        record(),
        port('vm-db.vms'),
        machine({}, { spec: { networks: [{ name: 'default', pod: {} }, network()] } }),
        old,
      ),
      summary: doomed(),
    },
  },
});
