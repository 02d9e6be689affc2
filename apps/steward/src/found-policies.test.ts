import { VENDOR } from '@ovn-steward/judgement/testing/builders';
import type { Mutation } from './testing/mutate';
import { foundIn } from './testing/scenario';
import type { Change } from './testing/scenario';

type Row = ReturnType<Mutation['nb']['row']>;
const group = ({ nb }: Mutation, name: string): Row => nb.row('Port_Group', name);
const aclsOf = ({ nb }: Mutation, holder: Row): Row[] =>
  (holder['acls'] as string[]).map((it) => nb.row('ACL', it));
/** As when the row that holds them is written again and the second half fails. */
const strip = (
  recording: Mutation,
  holder: Row,
  which: (acl: Row) => boolean = () => true,
): void => {
  const gone = aclsOf(recording, holder).filter(which);
  if (gone.length === 0) throw new Error('no ACL of that sort');
  gone.forEach((acl) => recording.nb.drop(acl));
};
const dissolve = (recording: Mutation, name: string): void => {
  const row = group(recording, name);
  if ((row['acls'] as string[]).length > 0) strip(recording, row);
  recording.nb.drop(row);
};
const expel = (recording: Mutation, port: string, name: string): void => {
  const row = group(recording, name);
  const { _uuid } = recording.nb.row('Logical_Switch_Port', port);
  const members = row['ports'] as string[];
  if (!members.includes(_uuid)) throw new Error(`${port} is not in ${name}`);
  row['ports'] = members.filter((member) => member !== _uuid);
};
const flags = (recording: Mutation, ...args: string[]): void => {
  recording.get(
    'Deployment',
    'kube-system/kube-ovn-controller',
  ).spec.template.spec.containers[0].args = args;
};
/** A policy with its group, and the ACL that drops what comes in, where it has one. */
const enforce = (recording: Mutation, key: string, spec: object, drops: boolean): void => {
  recording.add('NetworkPolicy', key, { spec: { policyTypes: ['Ingress'], ...spec } });
  const [namespace, policy] = key.split('/') as [string, string];
  const name = `${policy}.${namespace}`;
  recording.nb.insert('Port_Group', { name, external_ids: { ...VENDOR, np: key } });
  if (drops)
    acl(recording, group(recording, name), { match: `outport == @${name} && ip`, priority: 2000 });
};
const acl = ({ nb }: Mutation, holder: Row, columns: object): string =>
  nb.insert(
    'ACL',
    {
      direction: 'to-lport',
      action: 'drop',
      external_ids: { ...VENDOR, parent: holder['name'] },
      ...columns,
    },
    { row: holder, column: 'acls' },
  );
const lsw = ({ nb }: Mutation, name: string): Row => nb.row('Logical_Switch', name);
const withoutPolicies = (recording: Mutation): void => {
  for (const { metadata } of recording.all('NetworkPolicy').slice())
    recording.remove('NetworkPolicy', `${metadata.namespace}/${metadata.name}`);
  for (const name of ['allow.frontend.shop', 'default.deny.payments', 'pg.from.ledger.payments']) {
    dissolve(recording, name);
    for (const row of recording.nb.rows('Address_Set').filter((each) => isOf(each, name)))
      recording.nb.drop(row);
  }
};
const isOf = (row: Row, name: string): boolean => String(row['name']).startsWith(`${name}.`);
const gatewayAcl = (recording: Mutation): string =>
  acl(recording, lsw(recording, 'data'), {
    priority: 2001,
    action: 'allow-related',
    match: 'ip4.src == 172.20.0.1',
    external_ids: {},
  });
const egress = (recording: Mutation, set?: string): void => {
  const name = 'VEG.0123456789ab';
  const ids = { ...VENDOR, 'vpc-egress-gateway': 'tenant-b/veg-1', af: '4' };
  recording.get('VpcEgressGateway', 'tenant-b/veg-1').spec.selectors = [
    { podSelector: { matchLabels: { app: 'web' } } },
  ];
  recording.nb.insert(
    'Logical_Router_Policy',
    { priority: 29100, action: 'reroute', match: `ip4.src == $${name}_ip4`, external_ids: ids },
    { row: recording.nb.row('Logical_Router', 'tenant-b-vpc'), column: 'policies' },
  );
  if (set) recording.nb.insert(set, { name, external_ids: ids });
};

/**
 * What is not enforced, each on top of the healthy recording, what looks like it, and all that must
 * be said.
 */
const FAULTS: readonly (readonly [title: string, change: Change, expected: readonly string[]])[] = [
  [
    'the group of a policy is gone',
    (it) => dissolve(it, 'allow.frontend.shop'),
    ['network-policy-without-acls shop/allow-frontend'],
  ],
  [
    'a policy has no ACLs',
    (it) => strip(it, group(it, 'default.deny.payments')),
    [
      'network-policy-without-acls payments/default-deny[Egress]',
      'network-policy-without-acls payments/default-deny[Ingress]',
    ],
  ],
  [
    'a policy has all ACLs but the one that drops',
    (it) => strip(it, group(it, 'pg.from.ledger.payments'), (acl) => acl['action'] === 'drop'),
    ['network-policy-without-acls payments/pg-from-ledger[Ingress]'],
  ],
  [
    'a policy has an ACL for one of its ports, and none for the other and for a block',
    (recording) => {
      const [rule] = recording.get('NetworkPolicy', 'shop/allow-frontend').spec.ingress;
      rule.ports.push({ protocol: 'TCP', port: 9090 });
      rule.from.push({ ipBlock: { cidr: '192.0.2.0/24' } });
    },
    [
      'network-policy-allow-missing shop/allow-frontend[0 192.0.2.0/24]',
      'network-policy-allow-missing shop/allow-frontend[0 tcp.dst == 9090 of $allow.frontend.shop.ingress.allow.IPv4.0]',
    ],
  ],
  [
    'a security group has an ACL for one of the rules that share a priority',
    (recording) => {
      const { ingressRules } = recording.get('SecurityGroup', 'sg-db').spec;
      ingressRules.push({ ...ingressRules[0], portRangeMin: 80, portRangeMax: 80 });
    },
    ['security-group-without-acls sg-db[1 ip4.src == 10.50.0.0/24 && 80 <= tcp.dst <= 80]'],
  ],
  [
    'the controller does not enforce policies',
    (recording) => {
      dissolve(recording, 'allow.frontend.shop');
      strip(recording, group(recording, 'default.deny.payments'));
      expel(recording, 'pg-0.payments', 'pg.from.ledger.payments');
      flags(recording, '--enable-np=false');
    },
    [],
  ],
  [
    'a policy that selects no pod has a group without ACLs',
    (it) => enforce(it, 'shop/idle', { podSelector: { matchLabels: { app: 'none' } } }, false),
    [],
  ],
  [
    'a pod is not in the group of its policy',
    (it) => expel(it, 'pg-0.payments', 'pg.from.ledger.payments'),
    ['missing-port-group-member pg-0.payments[pg.from.ledger.payments]'],
  ],
  [
    'a pod that has ended is not, nor one that is going',
    (recording) => {
      expel(recording, 'pg-0.payments', 'pg.from.ledger.payments');
      expel(recording, 'pg-1.payments', 'pg.from.ledger.payments');
      recording.get('Pod', 'payments/pg-0').status = { phase: 'Succeeded' };
      recording.get('Pod', 'payments/pg-1').metadata.deletionTimestamp = '2026-11-21T00:00:00Z';
    },
    [],
  ],
  [
    'a machine lost its group by migration, and a halted one has none',
    (it) => enforce(it, 'vms/strict', { podSelector: {} }, true),
    [
      'missing-port-group-member vm-mainnet.vms.vm-main.vms.ovn[strict.vms]',
      'missing-port-group-member vm-multi.vms.vm-lan.vms.ovn[strict.vms]',
      'missing-port-group-member vm-multi.vms[strict.vms]',
      'missing-port-group-member vm-web.vms[strict.vms]',
    ],
  ],
  [
    'the group of a security group is gone',
    (it) => dissolve(it, 'ovn.sg.sg.db'),
    ['security-group-without-acls sg-db'],
  ],
  [
    'a security group has no ACLs',
    (it) => strip(it, group(it, 'ovn.sg.sg.db')),
    [
      'security-group-without-acls sg-db[egressRules]',
      'security-group-without-acls sg-db[ingressRules]',
    ],
  ],
  [
    'a pod is not in its security group',
    (it) => expel(it, 'secure-0.tenant-a', 'ovn.sg.sg.db'),
    ['missing-port-group-member secure-0.tenant-a[ovn.sg.sg.db]'],
  ],
  [
    'a pod names its security group no more',
    (recording) => {
      const { annotations } = recording.get('Pod', 'tenant-a/secure-0').metadata;
      delete annotations['ovn.kubernetes.io/security_groups'];
    },
    ['stale-security-group-member secure-0.tenant-a[associated_sg_sg-db]'],
  ],
  [
    'a pod is not where what its security group does not let through is dropped',
    (it) => expel(it, 'secure-0.tenant-a', 'ovn.sg.kubeovn_deny_all'),
    ['missing-port-group-member secure-0.tenant-a[ovn.sg.kubeovn_deny_all]'],
  ],
  ['a subnet has lost its ACL', (it) => strip(it, lsw(it, 'apps')), ['subnet-without-acls apps']],
  [
    'a private subnet lets everything in',
    (recording) => {
      recording.get('Subnet', 'data').spec.private = true;
    },
    ['subnet-without-acls data'],
  ],
  [
    'a private subnet drops what comes in',
    (recording) => {
      recording.get('Subnet', 'data').spec.private = true;
      acl(recording, lsw(recording, 'data'), { priority: 1000, match: 'ip' });
    },
    [],
  ],
  [
    'an egress gateway has lost its group',
    (it) => egress(it),
    ['vpc-egress-gateway-without-port-group tenant-b/veg-1'],
  ],
  ['an egress gateway has its group', (it) => egress(it, 'Port_Group'), []],
  [
    'an ACL for the gateway, beside policies',
    (recording) => {
      gatewayAcl(recording);
    },
    [],
  ],
];

test.each(FAULTS)('%s', async (_title, change, expected) => {
  expect(await foundIn('clean', change)).toEqual([...expected].sort());
});

test('an ACL is doubled', async () => {
  let name = '';
  const found = await foundIn('clean', (recording) => {
    const row = group(recording, 'default.deny.payments');
    const [first] = aclsOf(recording, row);
    acl(recording, row, first!);
    name = (first!['name'] as string[])[0]!;
  });
  expect(found).toEqual([`duplicate-acl ${name}`]);
});

test('an ACL for the gateway, without any policy', async () => {
  let left = '';
  const found = await foundIn('clean', (recording) => {
    withoutPolicies(recording);
    left = gatewayAcl(recording);
  });
  expect(found).toEqual([`gateway-acl-without-policy ${left}`]);
});
