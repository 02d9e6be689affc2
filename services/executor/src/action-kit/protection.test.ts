import { type DatabaseSchema, type Json, type JsonRow, operation } from '@ovn-steward/ovsdb';
import { rowDeletion } from '@ovn-steward/contracts/actions/row-deletion';
import { recordedDatabase } from '@ovn-steward/systems/testing/recorded-northbound';
import { actionOf } from '../actions/registry';
import type { RowFamily, IdentifiedRow, FamilyMember } from './family';
import { trimmer } from './nb-row';
import { rowProtection } from './protection';

const { map, set } = operation;
const keys = (...pairs: readonly (readonly [string, string])[]): Json =>
  map([['vendor', 'kube-ovn'], ...pairs]);

let schema: DatabaseSchema;
beforeAll(async () => {
  ({ schema } = await recordedDatabase('clean'));
});

let made = 0;
const row = (table: string, columns: JsonRow): IdentifiedRow => ({
  table,
  uuid: `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`,
  name: typeof columns['name'] === 'string' ? columns['name'] : '',
  columns,
});
const held = (kin: IdentifiedRow, ...rows: readonly IdentifiedRow[]): FamilyMember => ({
  ...kin,
  referrers: rows.map((referrer) => ({
    by: { table: referrer.table, column: 'ports', strength: 'strong', shape: 'set' },
    rows: [referrer],
  })),
});
const referred = (kin: FamilyMember, ...rows: readonly IdentifiedRow[]): FamilyMember => ({
  ...kin,
  referrers: [
    ...kin.referrers,
    ...rows.map((referrer) => ({
      by: { table: referrer.table, column: 'ports', strength: 'weak', shape: 'set' } as const,
      rows: [referrer],
    })),
  ],
});
const removing = (
  target: FamilyMember,
  {
    parts = [],
    staying = [],
    ports = [],
  }: {
    readonly parts?: readonly FamilyMember[];
    readonly staying?: readonly FamilyMember[];
    readonly ports?: readonly IdentifiedRow[];
  } = {},
) => {
  const family: RowFamily = { schema, members: [target, ...parts], staying };
  return rowProtection(family, trimmer(schema), ports);
};

const NET = row('Logical_Switch', { name: 'net', external_ids: keys() });
const VPC = row('Logical_Router', { name: 'vpc', external_ids: keys() });
const NEUTRON = map([['neutron:network_name', 'lan']]);
const THEIRS = row('Logical_Switch', {
  name: 'neutron-7b1e7b30-0000-4000-8000-000000000001',
  external_ids: NEUTRON,
});
const PORT: JsonRow = {
  name: 'web-0.shop',
  external_ids: keys(['ls', 'net'], ['pod', 'shop/web-0']),
};
const port = (more: JsonRow = {}, holder = NET): FamilyMember =>
  held(row('Logical_Switch_Port', { ...PORT, ...more }), holder);
const GROUP: JsonRow = {
  name: 'ovn.sg.gone',
  external_ids: keys(['type', 'security_group'], ['sg', 'gone']),
};
const group = (more: JsonRow = {}): FamilyMember => held(row('Port_Group', { ...GROUP, ...more }));
const acl = (parent: string, more: JsonRow = {}): IdentifiedRow =>
  row('ACL', {
    direction: 'to-lport',
    priority: 2005,
    match: 'ip4',
    action: 'drop',
    external_ids: keys(['parent', parent]),
    ...more,
  });
const balancer = (): FamilyMember =>
  held(row('Load_Balancer', { name: 'free-name', protocol: 'tcp', external_ids: keys() }));
const nat = (more: JsonRow = {}): FamilyMember =>
  held(
    row('NAT', { type: 'snat', external_ip: '198.51.100.7', logical_ip: '10.9.0.0/24', ...more }),
    VPC,
  );
const qos = (more: JsonRow = {}): FamilyMember =>
  held(
    row('QoS', {
      priority: 100,
      direction: 'from-lport',
      match: 'ip4',
      bandwidth: map([['rate', 1000]]),
      ...more,
    }),
    NET,
  );
const whole = (): FamilyMember =>
  held(row('Logical_Switch', { name: 'net', external_ids: keys() }));
/** A port of the switch that goes as a whole. */
const part = (columns: JsonRow): FamilyMember => held(row('Logical_Switch_Port', columns), NET);

describe('nothing keeps', () => {
  test.each<[string, () => ReturnType<typeof removing>]>([
    ['the port of a pod', () => removing(port())],
    [
      'the port of a virtual address',
      () =>
        removing(
          port({
            type: 'virtual',
            name: 'net-vip-10.9.0.9',
            options: map([['virtual-ip', '10.9.0.9']]),
            external_ids: keys(['ls', 'net']),
          }),
        ),
    ],
    ["a port that a group of Kube-OVN's lists", () => removing(referred(port(), group()))],
    [
      'a port that a group without the tag lists, as before 1.15',
      () =>
        removing(
          referred(
            port(),
            row('Port_Group', {
              ...GROUP,
              external_ids: map([
                ['type', 'security_group'],
                ['sg', 'gone'],
              ]),
            }),
          ),
        ),
    ],
    ["a NAT, which has no keys, of a router of Kube-OVN's", () => removing(nat())],
    ["a QoS, which has no keys, of a switch of Kube-OVN's", () => removing(qos())],
    [
      'a group with its rules and the ports it lists',
      () => {
        const member = group();
        return removing(member, { parts: [held(acl('ovn.sg.gone'), member)], ports: [port()] });
      },
    ],
    [
      "a balancer of a free name that a router of Kube-OVN's has",
      () => removing(referred(balancer(), VPC)),
    ],
    [
      'a switch with the end of its router, its uplink and the port of a Vip',
      () =>
        removing(whole(), {
          parts: [
            part({
              name: 'net-vpc',
              type: 'router',
              options: map([['router-port', 'vpc-net']]),
              external_ids: keys(['ls', 'net']),
            }),
            part({ name: 'localnet.net', type: 'localnet', external_ids: keys(['ls', 'net']) }),
            part({ name: 'vip.shop', external_ids: keys(['ls', 'net']) }),
          ],
        }),
    ],
  ])('%s', (_, removed) => expect(removed()).toBeUndefined());
});

describe('what a person or another system has is kept:', () => {
  const protect = map([
    ['vendor', 'kube-ovn'],
    ['ls', 'net'],
    ['pod', 'shop/web-0'],
    ['ovn-steward.dev/protect', 'audit'],
  ]);
  test.each<[string, () => ReturnType<typeof removing>, RegExp]>([
    [
      'a row of a table in which none is removed by itself',
      () =>
        removing(
          held(
            row('Gateway_Chassis', { name: 'vpc-net-c1', chassis_name: 'c1', priority: 1 }),
            VPC,
          ),
        ),
      /^rows of Gateway_Chassis are never removed/,
    ],
    [
      'a row that a person marked',
      () => removing(port({ external_ids: protect })),
      /a person keeps it/,
    ],
    ["a port of Neutron's", () => removing(port({ external_ids: NEUTRON }, THEIRS)), /is kept/],
    ['a port without keys', () => removing(port({ external_ids: map([]) })), /is kept/],
    [
      'a port with a key of nobody known beside its own',
      () =>
        removing(port({ external_ids: keys(['ls', 'net'], ['pod', 'shop/web-0'], ['team', 'x']) })),
      /key team is none of Kube-OVN's/,
    ],
    [
      'a port of a type that pods and virtual addresses do not have',
      () => removing(port({ type: 'l2gateway' })),
      /of type l2gateway/,
    ],
    [
      'a port whose key names another switch than has it',
      () => removing(port({}, row('Logical_Switch', { name: 'other', external_ids: keys() }))),
      /the key ls of .* names net, but Logical_Switch other holds it/,
    ],
    [
      "a port that a switch of Neutron's has",
      () => removing(port({}, { ...THEIRS, name: 'net' })),
      /holds .* and is not proven Kube-OVN's/,
    ],
    [
      "a port that a group of Neutron's lists",
      () =>
        removing(
          referred(
            port(),
            row('Port_Group', {
              name: 'pg_1',
              external_ids: map([['neutron:security_group_id', 'x']]),
            }),
          ),
        ),
      /refers to .* and is not proven Kube-OVN's/,
    ],
    [
      'a port that a group without keys lists',
      () => removing(referred(port(), row('Port_Group', { name: 'mine' }))),
      /refers to .* and is not proven Kube-OVN's/,
    ],
    [
      "a NAT with somebody's key",
      () => removing(nat({ external_ids: map([['mine', 'x']]) })),
      /is kept/,
    ],
    [
      "a NAT of Neutron's router",
      () =>
        removing(
          held(
            row('NAT', { type: 'snat', external_ip: '198.51.100.7', logical_ip: '10.9.0.0/24' }),
            row('Logical_Router', {
              name: 'neutron-r',
              external_ids: map([['neutron:router_name', 'r']]),
            }),
          ),
        ),
      /holds .* and is not proven Kube-OVN's/,
    ],
    [
      "a QoS with somebody's key",
      () => removing(qos({ external_ids: map([['mine', 'x']]) })),
      /is kept/,
    ],
    [
      'a balancer of a free name that nobody has',
      () => removing(balancer()),
      /do not prove that it may be removed by itself/,
    ],
    [
      "a balancer of a free name that another's router has",
      () =>
        removing(
          referred(
            balancer(),
            row('Logical_Router', { name: 'r', external_ids: map([['mine', 'x']]) }),
          ),
        ),
      /is kept/,
    ],
    [
      "a group with a rule of somebody's",
      () => {
        const member = group();
        return removing(member, {
          parts: [held(acl('ovn.sg.gone', { external_ids: map([['mine', 'x']]) }), member)],
        });
      },
      /which would go with .* is kept/,
    ],
    [
      'a group with a rule that a person marked',
      () => {
        const member = group();
        return removing(member, {
          parts: [
            held(
              acl('ovn.sg.gone', {
                external_ids: keys(['parent', 'ovn.sg.gone'], ['ovn-steward.dev/protect', 'x']),
              }),
              member,
            ),
          ],
        });
      },
      /a person keeps it/,
    ],
    [
      'a group with a rule whose key names another',
      () => {
        const member = group();
        return removing(member, { parts: [held(acl('ovn.sg.other'), member)] });
      },
      /the key parent of .* names ovn\.sg\.other/,
    ],
    [
      "a group that shares a rule of somebody's with another",
      () =>
        removing(group(), {
          staying: [held(acl('ovn.sg.gone', { external_ids: map([['mine', 'x']]) }), NET)],
        }),
      /shares with another row/,
    ],
    [
      "a group that lists a port of Neutron's",
      () =>
        removing(group(), {
          ports: [
            port(),
            row('Logical_Switch_Port', {
              name: '7b1e7b30-0000-4000-8000-000000000002',
              external_ids: NEUTRON,
            }),
          ],
        }),
      /lists .* not proven Kube-OVN's/,
    ],
  ])('%s', (_, removed, reason) =>
    expect(removed()).toMatchObject({
      is: 'refused',
      code: 'protected',
      reason: expect.stringMatching(reason),
    }),
  );
});

test('nothing of a table is removed by itself but where an action is for it: no table nobody knows', () => {
  for (const table of [...schema.tables.keys(), 'Tomorrow', '__proto__']) {
    const refused = removing(held(row(table, {})));
    expect([table, refused?.reason === `rows of ${table} are never removed by themselves`]).toEqual(
      [table, actionOf(rowDeletion(table)) === undefined],
    );
  }
});

describe('a switch is in use by', () => {
  test.each<[string, JsonRow]>([
    ['the port of a pod', PORT],
    [
      'a port that a chassis has',
      { name: 'vip.shop', up: true, external_ids: keys(['ls', 'net']) },
    ],
    ['a port without the tag', { name: 'vip.shop', external_ids: map([['ls', 'net']]) }],
    [
      'the end of a router that is not named after it',
      { name: 'edge', type: 'router', external_ids: keys(['ls', 'net']) },
    ],
    [
      'another uplink than its own',
      { name: 'localnet.other', type: 'localnet', external_ids: keys(['ls', 'net']) },
    ],
    [
      'a port of a type nobody knows',
      { name: 'x', type: 'tomorrow', addresses: set([]), external_ids: keys(['ls', 'net']) },
    ],
  ])('%s', (_, columns) =>
    expect(removing(whole(), { parts: [part(columns)] })).toMatchObject({
      is: 'refused',
      code: 'in-use',
      reason: expect.stringContaining('Logical_Switch net still has'),
    }),
  );
});
