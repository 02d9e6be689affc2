import { object, pod, row } from '../testing/builders';
import type { Built } from '../testing/builders';
import { findings, testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-nat';

const router = row('Logical_Router', 'tenant', { external_ids: { vendor: 'kube-ovn' } });
const nat = (
  type: string,
  external: string,
  logical: string,
  columns: Record<string, unknown> = {},
): Built<'NAT'> =>
  row('NAT', '', {
    uid: 'nat',
    type,
    external_ip: external,
    logical_ip: logical,
    _parents: [{ kind: 'Logical_Router', uid: 'Logical_Router:tenant', column: 'nat' }],
    ...columns,
  });
const fipNat = nat('dnat_and_snat', '198.51.100.11', '10.60.0.2', {
  logical_port: 'web-0.shop',
  options: { stateless: 'false' },
  external_mac: '0a:00:00:00:00:01',
});
const snat = nat('snat', '198.51.100.12', '10.60.0.0/24');
const eip = (name: string, v4Ip: string, over: Record<string, unknown> = {}) =>
  object('OvnEip', name, {
    spec: { externalSubnet: 'ext', type: 'nat' },
    status: { v4Ip, type: 'nat', nat: 'fip,snat' },
    ...over,
  });
const e1 = eip('e1', '198.51.100.11');
const e2 = eip('e2', '198.51.100.12');
/** The IPv6 half of an OvnFip, and the OvnEip of both halves once nothing uses it. */
const half = nat('dnat_and_snat', 'fd00:1::11', 'fd00::2');
const unused = (type = 'nat') =>
  object('OvnEip', 'e1', { status: { v4Ip: '198.51.100.11', v6Ip: 'fd00:1::11', type, nat: '' } });
/** The same where Kube-OVN made it before v1.16, for an address record. */
const marked = nat('dnat_and_snat', 'fd00:1::11', 'fd00::2', {
  options: { staleless: 'false' },
  logical_port: 'web-0.shop',
});
const fip = (
  name: string,
  ovnEip: string,
  status: Record<string, unknown>,
  labels: Record<string, string> = {},
) => object('OvnFip', name, { spec: { ovnEip }, status, metadata: { labels } });
const neutronRouter = row('Logical_Router', 'tenant', {
  external_ids: { 'neutron:router_name': 'r' },
});

testRule(rule, {
  healthy: {
    'its OvnFip exists': world(
      router,
      fipNat,
      e1,
      fip('f', 'e1', { v4Eip: '198.51.100.11', v4Ip: '10.60.0.2' }),
    ),
    'its OvnFip has no status yet': world(router, fipNat, e1, fip('f', 'e1', {})),
    'its OvnFip names the OvnEip no more, but has its address': world(
      router,
      fipNat,
      e1,
      fip('f', 'moved', { v4Eip: '198.51.100.11', v4Ip: '10.60.0.2' }),
    ),
    'its OvnFip has the address as a label only': world(
      router,
      fipNat,
      e1,
      fip('f', 'moved', {}, { 'ovn.kubernetes.io/eip_v4_ip': '198.51.100.11' }),
    ),
    'its OvnFip says its inner address in the spec': world(
      router,
      fipNat,
      e1,
      object('OvnFip', 'f', { spec: { ovnEip: 'e1', v4Ip: '10.60.0.2' } }),
    ),
    'its OvnFip has an empty status': world(
      router,
      fipNat,
      e1,
      fip('f', 'e1', { v4Eip: '', v4Ip: '', v6Ip: '' }),
    ),
    'its OvnFip is given another inner address, and has this one still': world(
      router,
      fipNat,
      e1,
      object('OvnFip', 'f', {
        spec: { ovnEip: 'e1', v4Ip: '10.60.0.9' },
        status: { v4Ip: '10.60.0.2' },
      }),
    ),
    'its OvnFip is being deleted': world(
      router,
      fipNat,
      e1,
      object('OvnFip', 'f', {
        spec: { ovnEip: 'e1' },
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
    ),
    'it is the IPv6 leg of an OvnFip, which Kube-OVN does not record': world(
      router,
      nat('dnat_and_snat', 'fd00:1:0::11', 'fd00::2'),
      object('OvnEip', 'e1', {
        status: { v4Ip: '198.51.100.11', v6Ip: 'fd00:1::11', type: 'nat' },
      }),
      fip('f', 'e1', { v4Eip: '198.51.100.11', v4Ip: '10.60.0.2' }),
    ),
    'its OvnEip, which no rule uses, is a router port’s': world(router, half, unused('lrp')),
    'no rule uses its OvnEip, which has IPv6, and it is another sort of NAT': world(
      router,
      nat('snat', 'fd00:1::11', 'fd00::/64'),
      unused(),
    ),
    'no rule uses its OvnEip, and it is of IPv4': world(router, fipNat, unused()),
    'its OvnSnatRule exists': world(
      router,
      snat,
      e2,
      object('OvnSnatRule', 's', {
        spec: { ovnEip: 'e2' },
        status: { v4Eip: '198.51.100.12', v4IpCidr: '10.60.0.0/24' },
      }),
    ),
    'its OvnSnatRule writes the network in another way': world(
      router,
      nat('snat', '198.51.100.12', '10.60.0.7'),
      e2,
      object('OvnSnatRule', 's', { spec: { ovnEip: 'e2', v4IpCidr: '10.60.0.7/32' } }),
    ),
    'its OvnSnatRule names only a subnet': world(
      router,
      snat,
      e2,
      object('OvnSnatRule', 's', { spec: { ovnEip: 'e2', vpcSubnet: 'web' } }),
    ),
    'a pod has the address of its own': world(
      router,
      fipNat,
      e1,
      pod('shop/web-0', {
        metadata: { annotations: { 'ovn.kubernetes.io/eip': '198.51.100.11' } },
      }),
    ),
    'a pod leaves under it': world(
      router,
      snat,
      e2,
      pod('shop/web-0', {
        metadata: { annotations: { 'ovn.kubernetes.io/snat': '198.51.100.12' } },
      }),
    ),
    'no OvnEip has the address: it may be made by hand': world(
      router,
      nat('snat', '198.51.100.240', '10.17.15.0/24'),
      e1,
      e2,
    ),
    "the OvnEip is a router port's": world(
      router,
      fipNat,
      eip('tenant-ext', '198.51.100.11', {
        spec: { type: 'lrp' },
        status: { type: 'lrp', v4Ip: '198.51.100.11' },
      }),
    ),
    "it is Neutron's": world(
      neutronRouter,
      nat('dnat_and_snat', '198.51.100.11', '10.60.0.2', {
        external_ids: { 'neutron:fip_id': 'x' },
      }),
      e1,
    ),
    'Kube-OVN made it for an OvnFip, which has lost its OvnEip and leads there': world(
      router,
      marked,
      object('OvnFip', 'f', { spec: { ovnEip: 'gone', v6Ip: 'fd00::2' } }),
    ),
    'Kube-OVN made it for an OvnFip, which has lost its OvnEip and names its port': world(
      router,
      marked,
      object('OvnFip', 'f', { spec: { ovnEip: 'gone', ipName: 'web-0.shop' } }),
    ),
    'Kube-OVN has just made it for an OvnFip, which nothing counts yet': world(
      router,
      nat('dnat_and_snat', '198.51.100.11', '10.60.0.2', { options: { staleless: 'true' } }),
      unused(),
      fip('f', 'e1', {}),
    ),
    'no OvnEip has its address, and it has the option that people write, too': world(
      router,
      nat('dnat_and_snat', 'fd00:1::11', 'fd00::2', { options: { stateless: 'false' } }),
    ),
    "it has no keys, on a router of Neutron's": world(neutronRouter, fipNat, e1),
    'it is on a router made by hand': world(row('Logical_Router', 'tenant', {}), fipNat, e1),
    'Kube-OVN makes none of its type': world(router, nat('dnat', '198.51.100.11', '10.60.0.2'), e1),
    'its address cannot be read': world(router, nat('snat', 'somewhere', '10.60.0.2'), e1),
  },
  unknown: { 'floating IPs are not listed': world(router, fipNat, e1).unheardOf('OvnFip') },
  violation: {
    'its OvnFip is gone': {
      given: world(
        router,
        fipNat,
        e1,
        e2,
        fip('other', 'e2', { v4Eip: '198.51.100.12', v4Ip: '10.60.0.9' }),
      ),
      summary:
        'NAT dnat_and_snat 198.51.100.11 for 10.60.0.2 is asked for by no OvnFip, OvnSnatRule or pod, though 198.51.100.11 is the address of OvnEip e1',
      concerns: ['e1'],
    },
    'its OvnFip is gone, and its IPv6 half is left': {
      given: world(router, half, unused()),
      summary:
        'NAT dnat_and_snat fd00:1::11 for fd00::2 is asked for by no OvnFip, OvnSnatRule or pod, though fd00:1::11 is the address of OvnEip e1',
    },
    'its OvnFip is gone, and the OvnEip of its IPv6 half': {
      given: world(router, marked),
      summary:
        'NAT dnat_and_snat fd00:1::11 for fd00::2 is asked for by no OvnFip, OvnSnatRule or pod, though its option staleless is what Kube-OVN writes for an OvnFip',
    },
    'a rule leads there that makes no NAT in OVN': {
      given: world(
        router,
        marked,
        object('IptablesDnatRule', 'd1', { spec: { internalIp: 'fd00::2' } }),
        object('SwitchLBRule', 's1', { spec: { vip: 'fd00::9', endpoints: ['fd00::2'] } }),
      ),
      summary:
        'NAT dnat_and_snat fd00:1::11 for fd00::2 is asked for by no OvnFip, OvnSnatRule or pod, though its option staleless is what Kube-OVN writes for an OvnFip',
    },
    'its OvnSnatRule is gone': {
      given: world(router, snat, e2),
      summary:
        'NAT snat 198.51.100.12 for 10.60.0.0/24 is asked for by no OvnFip, OvnSnatRule or pod, though 198.51.100.12 is the address of OvnEip e2',
    },
    'its OvnEip serves another inner address now': {
      given: world(
        router,
        fipNat,
        e1,
        fip('f', 'e1', { v4Eip: '198.51.100.11', v4Ip: '10.60.0.3' }),
      ),
      summary:
        'NAT dnat_and_snat 198.51.100.11 for 10.60.0.2 is asked for by no OvnFip, OvnSnatRule or pod, though 198.51.100.11 is the address of OvnEip e1',
    },
    'its OvnEip is used for another sort of NAT now': {
      given: world(
        router,
        fipNat,
        e1,
        object('OvnSnatRule', 's', {
          spec: { ovnEip: 'e1' },
          status: { v4Eip: '198.51.100.11', v4IpCidr: '10.60.0.2' },
        }),
      ),
      summary:
        'NAT dnat_and_snat 198.51.100.11 for 10.60.0.2 is asked for by no OvnFip, OvnSnatRule or pod, though 198.51.100.11 is the address of OvnEip e1',
    },
    'Neutron took its MAC for one of its own': {
      given: world(
        router,
        nat('dnat_and_snat', '198.51.100.11', '10.60.0.2', {
          external_ids: { 'neutron:fip_external_mac': '0a:00:00:00:00:01' },
        }),
        e1,
      ),
      summary:
        'NAT dnat_and_snat 198.51.100.11 for 10.60.0.2 is asked for by no OvnFip, OvnSnatRule or pod, though 198.51.100.11 is the address of OvnEip e1',
    },
  },
});

test('never offers a remedy, and says that the row is protected', () => {
  const found = findings(rule, world(router, snat, e2));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    owner: { owner: 'kube-ovn', verdict: 'protect', confidence: 2 },
  });
  expect(found[0]!.remedy).toBeUndefined();
});
