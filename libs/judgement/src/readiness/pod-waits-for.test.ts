import { podWaitsFor } from './pod-waits-for';

const subnetOf = (spec: object = {}) => ({
  metadata: { name: 's' },
  spec: { provider: 'ovn', cidrBlock: '10.1.0.0/24,fd00:1::/112', ...spec },
});
const podOf = (annotations?: object, metadata: object = {}) => ({
  metadata: { name: 'web-0', namespace: 'shop', annotations, ...metadata },
});
const network = (provider: string, ip: string, logicalSwitch?: string) => ({
  [`${provider}.kubernetes.io/allocated`]: 'true',
  [`${provider}.kubernetes.io/ip_address`]: ip,
  ...(logicalSwitch && { [`${provider}.kubernetes.io/logical_switch`]: logicalSwitch }),
});
const waits = (pod: unknown, subnet: unknown = subnetOf()) =>
  podWaitsFor({ subnetName: 's', subnet, podName: 'shop/web-0', pod });
const OWN = network('ovn', '10.1.0.7', 's');

describe('a pod is addressed', () => {
  test.each<[string, unknown, unknown?]>([
    ['with one address', podOf(OWN)],
    ['with both families', podOf(network('ovn', '10.1.0.7,fd00:1::7', 's'))],
    [
      'on an attachment',
      podOf({
        ...network('ovn', '10.16.0.2', 'ovn-default'),
        ...network('net.shop.ovn', '10.1.0.7', 's'),
      }),
      subnetOf({ provider: 'net.shop.ovn' }),
    ],
    [
      'on the second interface of an attachment',
      podOf({
        ...network('net.shop.ovn.eth1', '10.9.0.1', 'x'),
        ...network('net.shop.ovn.eth2', '10.1.0.7', 's'),
      }),
      subnetOf({ provider: 'net.shop.ovn' }),
    ],
    [
      'by addresses alone, which have no switch',
      podOf(network('storage.infra', '10.1.0.7')),
      subnetOf({ provider: 'storage.infra' }),
    ],
  ])('%s', (_, pod, subnet = subnetOf()) => expect(waits(pod, subnet)).toEqual([]));
});

describe('a pod waits', () => {
  test.each<[string, unknown, RegExp, unknown?]>([
    ['while it is not there', undefined, /^Pod shop\/web-0 to be made$/],
    [
      'while it is being deleted',
      podOf(OWN, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      /its deletion began at 2026/,
    ],
    ['without annotations', podOf(), /give Pod shop\/web-0 an address/],
    [
      'with an address it was only promised',
      podOf({ ...OWN, 'ovn.kubernetes.io/allocated': undefined }),
      /give Pod/,
    ],
    [
      'that was allocated no more',
      podOf({ ...OWN, 'ovn.kubernetes.io/allocated': 'false' }),
      /give Pod/,
    ],
    [
      'in the default subnet',
      podOf(network('ovn', '10.16.0.2', 'ovn-default')),
      /of Subnet s: its ovn network is ovn-default$/,
    ],
    [
      'allocated without a switch',
      podOf(network('ovn', '10.1.0.7')),
      /its ovn network is not said/,
    ],
    [
      'with an address from elsewhere',
      podOf(network('ovn', '10.2.0.7', 's')),
      /its ovn address 10.2.0.7 is not in 10.1.0.0\/24/,
    ],
    [
      'with one address of two from elsewhere',
      podOf(network('ovn', '10.1.0.7,fd00:2::7', 's')),
      /address fd00:2::7 is not in/,
    ],
    ['with no address', podOf(network('ovn', '', 's')), /has no address yet/],
    ['with something that is no address', podOf(network('ovn', '10.1.0.7/24', 's')), /is not in/],
    ['for a subnet without a CIDR', podOf(OWN), /not said/, subnetOf({ cidrBlock: undefined })],
    [
      'for a subnet whose CIDR cannot be read',
      podOf(OWN),
      /is not in 10.1.0.0\/240/,
      subnetOf({ cidrBlock: '10.1.0.0/240' }),
    ],
    [
      'on its own network for an attachment',
      podOf(OWN),
      /give Pod/,
      subnetOf({ provider: 'net.shop.ovn' }),
    ],
    [
      'with an attachment whose provider only begins alike',
      podOf(network('net.shop.ovn2', '10.1.0.7', 's')),
      /give Pod/,
      subnetOf({ provider: 'net.shop.ovn' }),
    ],
  ])('%s', (_, pod, phrase, subnet = subnetOf()) => {
    expect(waits(pod, subnet)).toHaveLength(1);
    expect(waits(pod, subnet)[0]).toMatch(phrase);
  });

  test('while its subnet is not there', () =>
    expect(
      podWaitsFor({ subnetName: 's', subnet: undefined, podName: 'shop/web-0', pod: podOf(OWN) }),
    ).toEqual(['Subnet s to be made']));
});
