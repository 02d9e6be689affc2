import fc from 'fast-check';
import { entityOf, object } from '../testing/builders';
import { portKey, serviceAddresses, splitVip, vipKey } from './vips';

test.each([
  ['10.0.0.1:80', { ip: '10.0.0.1', port: 80 }],
  ['[fd00::1]:65535', { ip: 'fd00::1', port: 65535 }],
  ['[::ffff:10.0.0.1]:80', { ip: '::ffff:10.0.0.1', port: 80 }],
  ['10.0.0.1', undefined],
  ['10.0.0.1:', undefined],
  ['fd00::1:80', undefined],
  ['^vip:^port', undefined],
  ['', undefined],
])('%s is split', (text, expected) => expect(splitVip(text)).toEqual(expected));

test('one address has one key, however it is written', () => {
  expect(vipKey('FD00:0:0::1', 80, 'TCP')).toBe(vipKey('fd00::0001', 80, 'tcp'));
  expect(vipKey('10.0.0.1', 80, 'UDP')).toBe('10.0.0.1|80|udp');
  expect(vipKey('10.0.0', 80, 'TCP')).toBeUndefined();
});

test('the port on any address is no address', () => expect(portKey(80, 'TCP')).toBe('any|80|tcp'));

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const split = splitVip(text);
      if (split) vipKey(split.ip, split.port, 'tcp');
    }),
  );
});

test('a Service has all the addresses Kube-OVN may use for it, and a headless one none of its own', () => {
  const service = entityOf(
    object('Service', 'shop/web', {
      metadata: {
        annotations: {
          'ovn.kubernetes.io/switch_lb_vip': '1.0.0.7,1.0.0.8',
          'ovn.kubernetes.io/router_lb_vip': '1.0.0.9',
        },
      },
      spec: {
        clusterIP: '1.0.0.1',
        clusterIPs: ['1.0.0.1', 'fd00::1'],
        externalIPs: ['1.0.0.3'],
        loadBalancerIP: '1.0.0.4',
      },
      status: { loadBalancer: { ingress: [{ ip: '1.0.0.5' }, { hostname: 'x' }] } },
    }),
  );
  expect(new Set(serviceAddresses(service))).toEqual(
    new Set([
      '1.0.0.1',
      'fd00::1',
      '1.0.0.3',
      '1.0.0.4',
      '1.0.0.5',
      '1.0.0.7',
      '1.0.0.8',
      '1.0.0.9',
    ]),
  );
  expect(
    serviceAddresses(
      entityOf(
        object('Service', 'shop/web', { spec: { clusterIP: 'None', clusterIPs: ['None'] } }),
      ),
    ),
  ).toEqual([]);
});
