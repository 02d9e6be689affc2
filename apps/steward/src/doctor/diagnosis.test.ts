import { doctorTargetOf } from './diagnosis';

test.each([
  ['subnet/apps', { kind: 'Subnet', key: 'apps' }],
  ['eip/web', { kind: 'IptablesEIP', key: 'web' }],
  ['veg/edge/out', { kind: 'VpcEgressGateway', key: 'edge/out' }],
  ['IPs/web-0.shop', { kind: 'IP', key: 'web-0.shop' }],
])('%s names one object', (text, patient) => expect(doctorTargetOf(text)).toEqual(patient));

test.each([
  ['subnet', /is no object: give <kind>\/<name>/],
  ['/apps', /is no object/],
  ['subnet/', /is no object/],
  ['subne/apps', /\. Did you mean subnet\?$/],
  ['vla/v7', /vpc-nat-gw\.$/],
  ['vlans/v7', /vpc-nat-gw\.$/],
  [
    'vlan/v7',
    /no kind whose deletion can be diagnosed: say one of dnat, eip, fip, ip, ippool, odnat, oeip, ofip, osnat, qos, snat, subnet, veg, vip, vpc, vpc-nat-gw\.$/,
  ],
])('%j is refused, with what to say', (text, says) =>
  expect(() => doctorTargetOf(text)).toThrow(says),
);
