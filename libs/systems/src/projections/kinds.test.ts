import { project } from './project';

const metadata = { name: 'it', uid: 'u-1' };
const inShop = { ...metadata, namespace: 'shop' };
const specOf = (kind: string, raw: Record<string, unknown>): unknown =>
  project(kind, raw).object['spec'];

describe('pods', () => {
  const ended = {
    exitCode: 255,
    reason: 'Error',
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:59:00Z',
  };
  const status = {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'main',
        image: 'registry.example/a:1',
        ready: false,
        restartCount: 7,
        state: {
          waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' },
          running: { startedAt: '2026-01-01T01:00:00Z' },
        },
        lastState: { terminated: { ...ended, message: 'a secret' } },
      },
    ],
  };
  const statusOf = (more: Record<string, unknown>): unknown =>
    project('Pod', { metadata: { ...inShop, ...more }, status }).object['status'];

  it.each([{ name: 'kube-ovn-controller-1' }, { labels: { app: 'kube-ovn-controller' } }])(
    'of Kube-OVN’s controller keep how its containers fare: %j',
    (more) =>
      expect(statusOf(more)).toEqual({
        phase: 'Running',
        containerStatuses: [
          {
            name: 'main',
            ready: false,
            restartCount: 7,
            state: {
              waiting: { reason: 'CrashLoopBackOff' },
              running: { startedAt: '2026-01-01T01:00:00Z' },
            },
            lastState: { terminated: ended },
          },
        ],
      }),
  );

  it('of anybody else do not', () => expect(statusOf({})).toEqual({ phase: 'Running' }));
});

describe('workloads', () => {
  it.each(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'])(
    '%s keeps replicas, ordinals and the template’s network annotations',
    (kind) => {
      const spec = {
        replicas: 2,
        ordinals: { start: 5 },
        serviceName: 's',
        template: {
          metadata: {
            creationTimestamp: null,
            labels: { app: 'web' },
            annotations: { 'ovn.kubernetes.io/logical_switch': 'a', 'vault/token': 'hunter2' },
          },
          spec: { containers: [{ env: [] }] },
        },
      };
      expect(specOf(kind, { metadata: inShop, spec })).toEqual({
        replicas: 2,
        ordinals: { start: 5 },
        template: {
          metadata: {
            labels: { app: 'web' },
            annotations: { 'ovn.kubernetes.io/logical_switch': 'a' },
          },
        },
      });
      expect(() => specOf(kind, { metadata: inShop, spec: { replicas: '2' } })).toThrow(
        'spec.replicas',
      );
    },
  );

  it('keeps of all arguments those of Kube-OVN’s controller that say what its garbage collection spares and whom it serves', () => {
    const containers = [
      {
        name: 'a',
        args: [
          '/kube-ovn/start-controller.sh',
          '--gc-interval=360',
          '--enable-external-vpc=false',
          '--ovn-password=hunter2',
          '--enable-lb',
          '--non-primary-cni-mode=true',
          '--enable-np=false',
          '--enable-eip-snat=false',
          '--enable-lb=true --token=hunter2',
        ],
      },
      { name: 'b', args: null },
    ];
    expect(
      specOf('Deployment', {
        metadata: inShop,
        spec: { template: { spec: { containers, volumes: [] } } },
      }),
    ).toEqual({
      template: {
        spec: {
          flags: [
            '--gc-interval=360',
            '--enable-external-vpc=false',
            '--enable-lb',
            '--non-primary-cni-mode=true',
            '--enable-np=false',
            '--enable-eip-snat=false',
          ],
        },
      },
    });
    expect(
      specOf('Deployment', {
        metadata: inShop,
        spec: {
          template: { spec: { flags: ['--enable-lb', '--token=hunter2'], release: 'hunter2' } },
        },
      }),
    ).toEqual({ template: { spec: { flags: ['--enable-lb'] } } });
    expect(
      specOf('Deployment', {
        metadata: inShop,
        spec: { template: { spec: { containers: [{ name: 'b' }] } } },
      }),
    ).toEqual({ template: {} });
    expect(() =>
      specOf('Deployment', {
        metadata: inShop,
        spec: { template: { spec: { containers: [{ args: '--gc-interval=0' }] } } },
      }),
    ).toThrow('spec.template.spec.containers.0.args');
  });

  it.each([
    ['docker.io/kubeovn/kube-ovn:v1.14.4', 'v1.14.4'],
    ['mirror.example:5000/x/kube-ovn:v1.13.13-x86', 'v1.13.13-x86'],
    ['kube-ovn:v1.14.4@sha256:0a1b', 'v1.14.4'],
    ['docker.io/kubeovn/kube-ovn:latest', undefined],
    ['kubeovn/vpc-nat-gateway:v1.14.4', undefined],
    ['shop/web:v1.14.4', undefined],
    ['shop/not-kube-ovn:v1.14.4', undefined],
  ])('keeps the tag of Kube-OVN’s image %s and of no other', (image, release) => {
    const spec = {
      template: {
        spec: {
          containers: [
            { name: 'a', image: 'shop/sidecar:v9.9.9' },
            { name: 'b', image },
          ],
        },
      },
    };
    expect(specOf('Deployment', { metadata: inShop, spec })).toEqual({
      template: release === undefined ? {} : { spec: { release } },
    });
  });
});

describe('NetworkPolicy', () => {
  it('keeps which pods it selects, in which directions, and the ports and blocks of its rules, and nothing else of whom it allows', () => {
    const podSelector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front'] },
        { key: 'x', operator: 'Exists' },
      ],
    };
    expect(
      specOf('NetworkPolicy', {
        metadata: inShop,
        spec: {
          podSelector,
          ingress: [
            {
              from: [
                { podSelector: {} },
                { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
              ],
              ports: [{ port: 80, endPort: 90, protocol: 'TCP' }],
            },
          ],
          policyTypes: ['Ingress'],
        },
      }),
    ).toEqual({
      podSelector,
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{}, { ipBlock: { cidr: '10.0.0.0/8' } }],
          ports: [{ port: 80, endPort: 90, protocol: 'TCP' }],
        },
      ],
    });
    expect(specOf('NetworkPolicy', { metadata: inShop, spec: { podSelector: {} } })).toEqual({
      podSelector: {},
    });
    expect(() =>
      specOf('NetworkPolicy', {
        metadata: inShop,
        spec: { podSelector: { matchExpressions: [{ key: 'x' }] } },
      }),
    ).toThrow('spec.podSelector.matchExpressions.0.operator');
  });
});

describe('KubeVirt', () => {
  it('keeps networks and annotations of a VM, and nothing of its disks or cloud-init', () => {
    const networks = [{ name: 'default', multus: { networkName: 'vms/a', default: true } }];
    const template = {
      metadata: { annotations: { 'v1.multus-cni.io/default-network': '' } },
      spec: { networks, volumes: [{ cloudInitNoCloud: { userData: 'hunter2' } }] },
    };
    expect(
      specOf('VirtualMachine', { metadata: inShop, spec: { runStrategy: 'Halted', template } }),
    ).toEqual({
      runStrategy: 'Halted',
      template: {
        metadata: { annotations: { 'v1.multus-cni.io/default-network': '' } },
        spec: { networks },
      },
    });
    expect(
      specOf('VirtualMachineInstance', { metadata: inShop, spec: { networks, volumes: [] } }),
    ).toEqual({ networks });
  });

  it('takes a VM without a template, and refuses networks that are not a list', () => {
    expect(specOf('VirtualMachine', { metadata: inShop, spec: { template: null } })).toEqual({});
    expect(() =>
      specOf('VirtualMachine', {
        metadata: inShop,
        spec: { template: { spec: { networks: {} } } },
      }),
    ).toThrow('spec.template.spec.networks');
  });
});

describe('Kube-OVN kinds', () => {
  it('Subnet keeps its whole spec and the counters as they came', () => {
    const spec = { cidrBlock: '10.0.0.0/24', somethingNew: { a: 1 } };
    const status = {
      v4usingIPs: 3,
      v6availableIPs: '18446744073709551614',
      v4usingIPrange: '10.0.0.2',
      unread: true,
    };
    expect(project('Subnet', { metadata, spec, status }).object).toEqual({
      metadata,
      spec,
      status: { v4usingIPs: 3, v6availableIPs: '18446744073709551614', v4usingIPrange: '10.0.0.2' },
    });
    expect(() => project('Subnet', { metadata, spec: { excludeIps: '10.0.0.1' } })).toThrow(
      'spec.excludeIps',
    );
    expect(() => project('Subnet', { metadata, status: { v4usingIPs: {} } })).toThrow(
      'status.v4usingIPs',
    );
  });

  it('VpcNatGateway drops the BGP password', () => {
    expect(
      specOf('VpcNatGateway', {
        metadata,
        spec: {
          vpc: 'a',
          bgpSpeaker: { asn: 65000, password: 'hunter2', extraArgs: ['--auth-password=hunter2'] },
          annotations: { 'a/secret': 'hunter2' },
        },
      }),
    ).toEqual({ vpc: 'a', bgpSpeaker: { asn: 65000 }, annotations: {} });
  });
});

describe('CustomResourceDefinition', () => {
  it('keeps which kind is served, not its schema', () => {
    expect(
      specOf('CustomResourceDefinition', {
        metadata,
        spec: {
          group: 'kubeovn.io',
          scope: 'Cluster',
          names: { kind: 'IP', plural: 'ips', shortNames: ['ip'] },
          versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: {} } }],
        },
      }),
    ).toEqual({
      group: 'kubeovn.io',
      scope: 'Cluster',
      names: { kind: 'IP', plural: 'ips' },
      versions: [{ name: 'v1', served: true }],
    });
  });
});

describe('EndpointSlices', () => {
  const slice = (endpoints: unknown, more: Record<string, unknown> = {}) =>
    project('EndpointSlice', {
      metadata: { ...inShop, annotations: { 'endpoints.kubernetes.io/last-change': 'now' } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints,
      ...more,
    }).object;
  const kept = {
    metadata: inShop,
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080 }],
  };

  it.each([
    ['one that is ready', [{ addresses: ['10.0.0.1'], conditions: { ready: true } }]],
    ['one that does not say', [{ addresses: ['10.0.0.1'] }]],
    ['several', [{ conditions: { ready: false } }, { conditions: {} }, { conditions: null }]],
    ['what was kept before', [{}]],
  ])('keep one endpoint for all: %s', (_, endpoints) => {
    expect(slice(endpoints)).toEqual({ ...kept, endpoints: [{}] });
  });

  it.each([
    ['none', []],
    ['null', null],
    ['one that is not ready', [{ conditions: { ready: false } }]],
  ])('keep no endpoint: %s', (_, endpoints) => {
    expect(slice(endpoints)).toEqual(kept);
  });

  it('are refused where a condition is no flag', () => {
    expect(() => slice([{ conditions: { ready: 'true' } }])).toThrow(
      'endpoints.0.conditions.ready',
    );
  });
});

test('of a Node’s conditions only what they say is kept, not when', () => {
  const status = {
    conditions: [
      { type: 'Ready', status: 'True', lastHeartbeatTime: 'now', reason: 'KubeletReady' },
    ],
  };
  expect(project('Node', { metadata, status }).object['status']).toEqual({
    conditions: [{ type: 'Ready', status: 'True' }],
  });
});

test('of a NetworkAttachmentDefinition nothing is kept but that there is one', () => {
  const spec = { config: '{"type":"macvlan","token":"hunter2"}' };
  expect(project('NetworkAttachmentDefinition', { metadata: inShop, spec }).object).toEqual({
    metadata: inShop,
  });
});

test('of a migration its machine and its phase are kept', () => {
  const raw = {
    metadata: inShop,
    spec: { vmiName: 'vm', x: 1 },
    status: { phase: 'Failed', y: 2 },
  };
  expect(project('VirtualMachineInstanceMigration', raw).object).toEqual({
    metadata: inShop,
    spec: { vmiName: 'vm' },
    status: { phase: 'Failed' },
  });
});
