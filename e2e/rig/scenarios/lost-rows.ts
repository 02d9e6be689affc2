import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Shell } from '../../support/shell';
import { audited } from '../audited';
import type { Rig } from '../rig';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const VPC = 'blue';
const MATCH = 'ip4.dst == 10.99.0.0/16';
const PREFIX = '10.98.0.0/16';
const GROUP = { kind: 'SecurityGroup', metadata: { name: 'lost-rules' } };
const POLICY = { kind: 'NetworkPolicy', metadata: { namespace: 'shop', name: 'lost-port' } };
const tcp = (port: number) => ({ protocol: 'TCP', port });
/**
 * Two ports for pods and for a block: an ACL for each of four pairs from v1.15 on, one for each
 * port before.
 */
const ALLOWED = {
  podSelector: { matchLabels: { app: 'redis' } },
  policyTypes: ['Ingress'],
  ingress: [
    {
      from: [{ podSelector: {} }, { ipBlock: { cidr: '192.0.2.0/24' } }],
      ports: [tcp(6379), tcp(6380)],
    },
  ],
};

/** What a spec asks for, and what the rule says of it that misses it. */
const ROUTES = {
  policyRoutes: [{ priority: 12_345, match: MATCH, action: 'drop' }],
  staticRoutes: [{ policy: 'policyDst', cidr: PREFIX, nextHopIP: '10.50.0.200' }],
};
const rule = (priority: number, port: number) => ({
  ipVersion: 'ipv4',
  protocol: 'tcp',
  priority,
  policy: 'allow',
  remoteType: 'address',
  remoteAddress: '10.0.0.0/8',
  portRangeMin: port,
  portRangeMax: port,
});

const found = async (shell: Shell): Promise<readonly string[]> => {
  const { findings } = await audited(shell);
  return [...new Set(findings.map((it) => `${it.rule} ${it.subject.name}`))].sort();
};

/** The specs, and the rows that the controller makes of them. */
async function request({ objects, nbctl }: Rig): Promise<void> {
  const vpc = (await objects.get('Vpc', VPC))!;
  await objects.write({ ...vpc, kind: 'Vpc', spec: { ...vpc.spec, ...ROUTES } });
  await objects.create({
    ...GROUP,
    spec: { ingressRules: [rule(1, 80), rule(2, 443), rule(2, 444)] },
  });
  await objects.create({ ...POLICY, spec: ALLOWED });
  const isThere = async (): Promise<boolean> =>
    (await nbctl('lr-policy-list', VPC)).includes(MATCH) &&
    (await nbctl('lr-route-list', VPC)).includes(PREFIX) &&
    (await aclsOf(nbctl, 'lost.rules')).length === 3 &&
    (await aclsOf(nbctl, 'lost.port', 'tcp.dst == 6379')).length > 0 &&
    (await aclsOf(nbctl, 'lost.port', 'tcp.dst == 6380')).length > 0;
  await waitFor(isThere, { what: 'routes and rules to be made', timeoutMs: 60_000 });
}

/** The ACLs of a group whose match has the words, by uuid. */
async function aclsOf(
  nbctl: Rig['nbctl'],
  group: string,
  words = 'tcp.dst',
): Promise<readonly string[]> {
  const listed = await nbctl('--format=json', '--columns=_uuid,match', 'list', 'ACL');
  const { data } = JSON.parse(listed) as { data: [[string, string], string][] };
  return data
    .filter(([, match]) => match.includes(group) && match.includes(words))
    .map(([[, uuid]]) => uuid);
}

/** Takes them out of OVN, as a person or a crash does. */
async function lose({ nbctl }: Rig): Promise<void> {
  await nbctl('lr-policy-del', VPC, '12345', MATCH);
  await nbctl('lr-route-del', VPC, PREFIX);
  for (const acl of [
    ...(await aclsOf(nbctl, 'lost.rules', '80 <= tcp.dst')),
    ...(await aclsOf(nbctl, 'lost.rules', '443 <= tcp.dst')),
    ...(await aclsOf(nbctl, 'lost.port', 'tcp.dst == 6380')),
  ]) {
    const found = await nbctl('--bare', '--columns=_uuid', 'find', 'Port_Group', `acls{>=}${acl}`);
    await nbctl('remove', 'Port_Group', found.trim(), 'acls', acl);
  }
}

const LOST = [
  'network-policy-allow-missing lost-port',
  'security-group-without-acls lost-rules',
  `vpc-policy-route-missing ${VPC}`,
  `vpc-static-route-missing ${VPC}`,
];

export const lostRows: Scenario = {
  name: 'lost-rows',
  about:
    'Routes of a Vpc, rules of a SecurityGroup and a port of a NetworkPolicy that OVN lost are found and nothing else, and the controller’s next start makes them again.',
  async run({ rig, healthy, shell }) {
    const opened = shell(AT_ONCE);
    const wrong: string[] = [];
    const expects = async (after: string, expected: readonly string[]): Promise<void> => {
      const names = await found(opened);
      if (names.join() !== expected.join()) wrong.push(`${after}, found: ${names.join(', ')}`);
    };
    await request(rig);
    await expects('all made', []);
    await rig.restartController();
    await lose(rig);
    await expects('lost', LOST);
    await rig.restartController(COLLECTS_EVERY);
    await waitFor(async () => (await found(opened)).length === 0, {
      what: 'a start to make them again',
      timeoutMs: 30_000,
    }).catch(() => undefined);
    await expects('after a start of the controller', []);
    opened.close();

    const { objects } = rig;
    const vpc = (await objects.get('Vpc', VPC))!;
    const { policyRoutes: _, staticRoutes: __, ...spec } = vpc.spec!;
    await objects.write({ ...vpc, kind: 'Vpc', spec });
    await objects.remove(GROUP);
    await objects.remove(POLICY);
    wrong.push(...(await settles(rig, healthy, 'no longer asked for')));
    return wrong;
  },
};
