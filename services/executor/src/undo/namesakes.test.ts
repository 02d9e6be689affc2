import { type JsonRow, operation, type Operation } from '@ovn-steward/ovsdb';
import { plantOf } from '../testing/planted';
import { UndoBed } from '../testing/undo-bed';

const { byUuid, insert, map, mutate, uuid } = operation;
const DUPLICATE = '00000000-0000-4000-8000-000000000abc';
const TARGET = plantOf('delete-acl').target.uid;

let bed: UndoBed;
beforeEach(async () => {
  bed = await UndoBed.open();
});

/** Planted and removed. */
async function removed(id: string, around: readonly Operation[] = []) {
  const undo = await bed.removed(id, around);
  if (undo.of !== 'rows') throw new Error(JSON.stringify(undo));
  return {
    plan: () => bed.plan(undo),
    planned: () => bed.planned(undo),
    /** Makes another where it was: with these columns of it, and others. */
    make: (same: readonly string[], others: JsonRow) => {
      const [{ table, columns }] = undo.rows as unknown as [{ table: string; columns: JsonRow }];
      const kept = Object.entries(columns).filter(([name]) => same.includes(name));
      bed.peer(
        insert(table, { ...Object.fromEntries(kept), ...others }, DUPLICATE),
        ...undo.links
          .filter((it) => it.strength === 'strong')
          .map((it) => mutate(it.table, byUuid(it.uuid), [[it.column, 'insert', uuid(DUPLICATE)]])),
      );
    },
  };
}

const asSnat = [
  operation.update('NAT', byUuid(TARGET), { type: 'snat', logical_ip: '10.99.0.0/24' }),
];

interface Case {
  readonly what: string;
  readonly id: string;
  readonly around?: readonly Operation[];
  /** What makes two the same to OVN, and another value of each. */
  readonly sameBy: JsonRow;
  /** What a duplicate may have otherwise. */
  readonly besides: JsonRow;
}

const CASES: readonly Case[] = [
  {
    what: 'an ACL',
    id: 'delete-acl',
    sameBy: { direction: 'from-lport', priority: 2006, match: 'ip6', tier: 1 },
    besides: { action: 'drop' },
  },
  {
    what: 'a QoS rule',
    id: 'delete-qos',
    sameBy: { direction: 'to-lport', priority: 101, match: 'ip6' },
    besides: { bandwidth: map([['rate', 7]]) },
  },
  {
    what: 'a policy',
    id: 'delete-logical-router-policy',
    sameBy: { priority: 29001, match: 'ip6' },
    besides: { action: 'drop' },
  },
  {
    what: 'a route',
    id: 'delete-logical-router-static-route',
    sameBy: {
      ip_prefix: '10.96.1.0/24',
      nexthop: '10.98.0.3',
      policy: 'src-ip',
      route_table: 'other',
    },
    besides: { options: map([['ecmp_symmetric_reply', 'true']]) },
  },
  {
    what: 'a NAT to a whole network',
    id: 'delete-nat',
    around: asSnat,
    sameBy: { logical_ip: '10.99.1.0/24' },
    besides: { type: 'snat', external_ip: '198.51.100.78' },
  },
  {
    what: 'a health check',
    id: 'delete-load-balancer-health-check',
    sameBy: { vip: '10.97.0.2:80' },
    besides: { options: map([['interval', '9']]) },
  },
  {
    what: 'a balancer',
    id: 'delete-load-balancer',
    sameBy: { name: 'another' },
    besides: { protocol: 'tcp' },
  },
  {
    what: 'a switch',
    id: 'delete-logical-switch',
    sameBy: { name: 'another' },
    besides: { other_config: map([['subnet', '10.91.0.0/24']]) },
  },
  {
    what: 'a router',
    id: 'delete-logical-router',
    sameBy: { name: 'another' },
    besides: { options: map([['mac_binding_age_threshold', '1']]) },
  },
  {
    what: 'DHCP options',
    id: 'delete-dhcp-options',
    sameBy: { cidr: '10.95.0.0/24', external_ids: map([['ls', 'another']]) },
    besides: { options: map([['mtu', '1300']]) },
  },
];

describe.each(CASES)('$what', ({ id, around, sameBy, besides }) => {
  const columns = Object.keys(sameBy);

  it('is not put back where another says the same to OVN', async () => {
    const removal = await removed(id, around);
    removal.make(columns, besides);
    expect(await removal.plan()).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining(`${DUPLICATE}`),
    });
  });

  it('is refused where that came at the last moment', async () => {
    const removal = await removed(id, around);
    const operations = await removal.planned();
    removal.make(columns, besides);
    expect(await bed.write(operations)).toBe('timed out');
  });

  it.each(columns)('is put back beside one with another %s', async (column) => {
    const removal = await removed(id, around);
    removal.make(columns, { ...besides, [column]: sameBy[column]! });
    expect(await removal.plan()).toMatchObject({ is: 'ready' });
  });
});

it('a NAT of one address is not put back beside another of that address, whatever lies behind', async () => {
  const removal = await removed('delete-nat');
  removal.make(['type', 'external_ip'], { logical_ip: '10.99.0.78' });
  expect(await removal.plan()).toMatchObject({
    is: 'impossible',
    reason: expect.stringMatching(/has taken its place: type .*external_ip/),
  });
});

it('what another row holds says nothing', async () => {
  const removal = await removed('delete-acl');
  removal.make(['direction', 'priority', 'match', 'tier'], { action: 'drop' });
  bed.peer(
    mutate('Port_Group', byUuid('00000000-0000-4000-8000-000000000004'), [
      ['acls', 'delete', uuid(DUPLICATE)],
    ]),
    mutate('Logical_Switch', byUuid('00000000-0000-4000-8000-000000000001'), [
      ['acls', 'insert', uuid(DUPLICATE)],
    ]),
  );
  expect(await removal.plan()).toMatchObject({ is: 'ready' });
});
