import type { Finding } from '@ovn-steward/contracts/findings/finding';
import fc from 'fast-check';
import { createEngine } from '../create-engine';
import { ip, logicalSwitch, object, pod, port, row, statefulSet } from '../testing/builders';
import type { Built } from '../testing/builders';
import { History } from '../testing/history';
import { NO_GRACE } from '../testing/grace';

const VENDOR = { vendor: 'kube-ovn' };
const annotated = (ls: string) => ({
  metadata: {
    annotations: {
      'ovn.kubernetes.io/allocated': 'true',
      'ovn.kubernetes.io/logical_switch': ls,
      'ovn.kubernetes.io/ip_address': '10.17.0.10',
    },
  },
});
const terminating = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};

const DEFINITIONS = [
  'virtualmachines.kubevirt.io',
  'vips.kubeovn.io',
  'ips.kubeovn.io',
  'subnets.kubeovn.io',
].map((it) => object('CustomResourceDefinition', it));

/**
 * Things that answer for each other in every way rules ask about; each may come, go and change at
 * any time.
 */
const THINGS: readonly Built[] = [
  logicalSwitch('apps'),
  logicalSwitch('apps', { external_ids: { 'neutron:network_name': 'x' } }),
  logicalSwitch('apps', { other_config: { mcast_snoop: 'true' } }),
  logicalSwitch('apps', { other_config: { 'interconn-ts': 'ts1' } }),
  ...[{}, { other_config: { mcast_snoop: 'true' } }, { external_ids: { 'x:y': 'z' } }].map((more) =>
    logicalSwitch('apps', {
      load_balancer: ['Load_Balancer:cluster-tcp-loadbalancer', 'Load_Balancer:other'],
      ...more,
    }),
  ),
  logicalSwitch('apps', { column_of_a_later_schema: 'x' }),
  row('Port_Group', 'fw', { external_ids: VENDOR, acls: ['acl-9'] }),
  row('Logical_Switch', 'renamed', { uid: logicalSwitch('apps').uid, external_ids: VENDOR }),
  port('web-0.shop'),
  port('web-0.shop', { up: true }),
  port('web-0.shop', { _port_groups: ['Port_Group:allow.shop', 'Port_Group:fw'] }),
  port('web-0.shop', {
    external_ids: { ...VENDOR, ls: 'apps', pod: 'shop/web-0', 'neutron:port_name': 'x' },
  }),
  port('db-1.shop', { addresses: ['0a:00:00:00:00:02 10.17.0.10'] }),
  row('Port_Group', 'allow.shop', { external_ids: { ...VENDOR, np: 'shop/allow' } }),
  row('Port_Group', 'fw', {}),
  row('Port_Group', 'fw', { external_ids: { ...VENDOR, np: 'shop/fw' } }),
  row('ACL', '', {
    uid: 'acl-1',
    match: 'ip4.src == $allow.shop.ingress.allow.IPv4.0',
    external_ids: { ...VENDOR, parent: 'allow.shop' },
    _parents: [{ kind: 'Port_Group', uid: 'Port_Group:allow.shop', column: 'acls' }],
  }),
  ...['acl-3', 'acl-4'].map((uid) =>
    row('ACL', '', {
      uid,
      direction: 'to-lport',
      action: 'drop',
      match: 'outport == @allow.shop && ip',
      external_ids: { ...VENDOR, parent: 'allow.shop' },
      _parents: [{ kind: 'Port_Group', uid: 'Port_Group:allow.shop', column: 'acls' }],
    }),
  ),
  row('ACL', '', {
    uid: 'acl-2',
    match: 'inport == @fw',
    _parents: [{ kind: 'Port_Group', uid: 'Port_Group:allow.shop', column: 'acls' }],
  }),
  row('Address_Set', 'allow.shop.ingress.allow.IPv4.0', {
    external_ids: { ...VENDOR, np: 'shop/allow/ingress' },
  }),
  row('Load_Balancer', 'cluster-tcp-loadbalancer', {
    external_ids: VENDOR,
    options: { prefer_local_backend: 'false' },
    protocol: 'tcp',
    vips: { '10.96.0.1:80': '10.17.0.10:80', '10.96.0.2:80': '' },
  }),
  object('Vpc', 'ovn-cluster', { status: { tcpLoadBalancer: 'cluster-tcp-loadbalancer' } }),
  object('Vpc', 'ovn-cluster', { metadata: terminating }),
  object('Service', 'shop/web', {
    spec: { clusterIP: '10.96.0.1', ports: [{ port: 80, protocol: 'TCP' }] },
  }),
  object('Service', 'shop/web', { spec: { clusterIP: '10.96.0.2', ports: [{ port: 80 }] } }),
  pod('shop/web-0', annotated('apps')),
  pod('shop/web-0', annotated('other')),
  pod('shop/web-0', {
    metadata: {
      labels: { app: 'web' },
      annotations: {
        ...annotated('apps').metadata.annotations,
        'ovn.kubernetes.io/security_groups': 'db',
      },
    },
  }),
  pod('shop/web-0'),
  pod('shop/db-1'),
  statefulSet('shop/web', 0),
  statefulSet('shop/web', 2),
  object('VirtualMachine', 'shop/web-0'),
  object('Vip', 'web-0', { spec: { subnet: 'apps', v4ip: '10.17.0.10' } }),
  ip('web-0.shop'),
  ip('web-0.shop', {}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
  ip('web-0.shop', {}, { metadata: terminating }),
  ip('db-1.shop'),
  object('Subnet', 'apps', {
    spec: { vpc: 'ovn-cluster', cidrBlock: '10.17.0.0/24', protocol: 'IPv4' },
    status: { v4usingIPs: 1 },
  }),
  object('Subnet', 'apps', {
    spec: {
      vpc: 'ovn-cluster',
      cidrBlock: '10.17.0.0/24',
      acls: [{ direction: 'to-lport', priority: 1500, action: 'drop', match: 'ip' }],
    },
  }),
  object('Subnet', 'apps', { metadata: terminating, spec: { vpc: 'ovn-cluster', vlan: 'v' } }),
  object('Namespace', 'shop', {
    metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': 'apps' } },
  }),
  object('Namespace', 'shop', {
    metadata: { annotations: { 'ovn.kubernetes.io/logical_switch': 'other' } },
  }),
  object('NetworkPolicy', 'shop/allow'),
  object('NetworkPolicy', 'shop/allow', {
    spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] },
  }),
  object('Deployment', 'kube-system/kube-ovn-controller'),
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { flags: ['--enable-np=false'] } } },
  }),
  row('Port_Group', 'ovn.sg.db', { external_ids: { ...VENDOR, sg: 'db' } }),
  object('SecurityGroup', 'db', {
    spec: { ingressRules: [{}] },
    status: { portGroup: 'ovn.sg.db' },
  }),
  object('Node', 'allow'),
  object('Vlan', 'v'),
  row('Logical_Router', 'ovn-cluster', { external_ids: VENDOR }),
  row('Logical_Router', 'ovn-cluster', {
    external_ids: VENDOR,
    load_balancer: ['Load_Balancer:web-dnat'],
  }),
  row('Logical_Router_Policy', '', {
    uid: 'policy',
    priority: 29000,
    match: 'ip4.src == $apps.allow_ip4',
    external_ids: { ...VENDOR, subnet: 'apps', node: 'allow' },
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'policies' }],
  }),
  row('Logical_Router_Port', 'ovn-cluster-apps', {
    external_ids: { ...VENDOR, lr: 'ovn-cluster' },
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'ports' }],
  }),
  row('NAT', '', {
    uid: 'nat',
    type: 'snat',
    external_ip: '198.51.100.1',
    logical_ip: '10.17.0.0/24',
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:ovn-cluster', column: 'nat' }],
  }),
  object('OvnEip', 'e', { status: { v4Ip: '198.51.100.1', type: 'nat' } }),
  object('OvnEip', 'ovn-cluster-apps', { status: { type: 'lrp' } }),
  object('OvnSnatRule', 's', { spec: { ovnEip: 'e' } }),
  row('Load_Balancer', 'web-dnat', { external_ids: VENDOR, vips: { '198.51.100.2:80': '' } }),
  object('OvnDnatRule', 'web-dnat', { spec: { ovnEip: 'e' } }),
  object('Vip', 'apps', {
    spec: { subnet: 'apps', v4ip: '10.17.0.20' },
    metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': '' } },
  }),
  row('Load_Balancer_Health_Check', '', {
    uid: 'check',
    external_ids: { switch_lb_subnet: 'apps' },
  }),
  ...DEFINITIONS,
];

const KINDS = [...new Set(THINGS.map((it) => it.kind))];

type Step =
  | { readonly unserve: string }
  | { readonly put: number }
  | { readonly remove: number }
  | { readonly lose: string }
  | { readonly relist: string };

const index = fc.nat(THINGS.length - 1);
const kind = fc.constantFrom(...KINDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: index.map((put) => ({ put })) },
  { weight: 5, arbitrary: index.map((remove) => ({ remove })) },
  { weight: 1, arbitrary: kind.map((lose) => ({ lose })) },
  { weight: 1, arbitrary: kind.map((unserve) => ({ unserve })) },
  { weight: 2, arbitrary: kind.map((relist) => ({ relist })) },
);

/**
 * Two others hold the address of a dead record; which is named must not hang on which came first,
 * or changed last.
 */
const at = (kind: string, name: string, has = '') =>
  THINGS.findIndex(
    (it) => it.kind === kind && it.name === name && JSON.stringify(it.object).includes(has),
  );
const TWO_HOLDERS: Step[][] = [
  [{ put: at('IP', 'web-0.shop') }, { put: at('Logical_Switch', 'apps') }],
  [{ put: at('Vip', 'web-0') }, { lose: 'Logical_Switch' }],
  [{ put: at('IP', 'web-0.shop', 'ip_reserved') }],
  [{ put: at('IP', 'db-1.shop') }, { remove: at('Logical_Switch', 'apps') }],
  [{ relist: 'Logical_Switch' }],
];

/** An accusation that nobody can judge for a while, and that reads otherwise once somebody can. */
const CHANGED_UNSEEN: Step[][] = [
  [{ put: at('Subnet', 'apps', 'deletionTimestamp') }, { relist: 'Logical_Switch' }],
  [{ unserve: 'Logical_Switch' }, { put: at('Logical_Switch', 'apps') }],
  [{ relist: 'Logical_Switch' }],
];

test('checking only what a change touched ends where checking everything does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }),
      (batches) => {
        const engine = createEngine({ cluster: 'test', grace: NO_GRACE });
        const history = new History();
        const published = new Map<string, number>();
        const first = engine.apply(history.listEverything(KINDS), { checked: false });
        expect(passedOver(published, first.findings)).toEqual([]);
        for (const batch of batches) {
          const { findings } = engine.apply(
            batch.flatMap((event) => {
              if ('put' in event) return [history.put(THINGS[event.put]!)];
              if ('remove' in event) return history.remove(THINGS[event.remove]!);
              if ('unserve' in event) return [history.lose(event.unserve, 'not-served')];
              return 'lose' in event
                ? [history.lose(event.lose)]
                : [history.complete(event.relist)];
            }),
            { checked: false },
          );
          expect(passedOver(published, findings)).toEqual([]);
          const whole = createEngine({ cluster: 'test', grace: NO_GRACE });
          whole.apply(history.fromNothing(), { checked: false });
          expect(judged(engine)).toEqual(judged(whole));
        }
      },
    ),
    { numRuns: 150, examples: [[TWO_HOLDERS], [CHANGED_UNSEEN]] },
  );
});

/** Findings whose revision is not the one after that published before. */
function passedOver(published: Map<string, number>, findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id, rule, revision }) => {
    const last = published.get(id) ?? 0;
    published.set(id, revision);
    return revision === last + 1 ? [] : [`${rule} went from revision ${last} to ${revision}`];
  });
}

/**
 * What stands now; a finding that cannot be judged any more is kept by design and is no answer of
 * today.
 */
function judged(engine: ReturnType<typeof createEngine>): {
  findings: string[];
  unknowns: string[];
} {
  const unknowns = engine.unknowns();
  const undecided = new Set(unknowns.map((it) => `${it.rule} ${it.subject?.uid ?? ''}`));
  const findings = engine
    .findings()
    .filter(
      (it) => !undecided.has(`${it.rule} `) && !undecided.has(`${it.rule} ${it.subject.uid}`),
    );
  return {
    findings: findings
      .map(({ id, summary, proof, concerns, owner }) =>
        JSON.stringify({ id, summary, proof, concerns, owner }),
      )
      .sort(),
    unknowns: unknowns.map((it) => JSON.stringify(it)).sort(),
  };
}
