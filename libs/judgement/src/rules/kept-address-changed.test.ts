import { ip, object, row, statefulSet } from '../testing/builders';
import { formerAddress } from '../testing/former-address';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './kept-address-changed';

const set = statefulSet('shop/redis');
const subnet = (spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  object('Subnet', 'apps', {
    spec: { cidrBlock: '10.17.0.0/24', gateway: '10.17.0.1', excludeIps: [], ...spec },
    metadata,
  });
const former = formerAddress('redis-1.shop', set);
const back = (spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) =>
  ip(
    'redis-1.shop',
    { podType: 'StatefulSet', v4IpAddress: '10.17.0.20', ipAddress: '10.17.0.20', ...spec },
    { uid: 'new', metadata },
  );
const dual = { v6IpAddress: 'fd00:10:17::20', ipAddress: '10.17.0.10,fd00:10:17::20' };

testRule(rule, {
  healthy: {
    'it has its address again': world(
      former,
      set,
      subnet(),
      back({ v4IpAddress: '10.17.0.10', ipAddress: '10.17.0.10' }),
    ),
    'it has another family besides': world(
      former,
      set,
      subnet(),
      back({ v4IpAddress: '10.17.0.10', ...dual }),
    ),
    'it is not back': world(former, set, subnet()),
    'it is in another subnet': world(former, set, subnet(), back({ subnet: 'other' })),
    'its record is being deleted': world(
      former,
      set,
      subnet(),
      back({}, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['f'] }),
    ),
    'the set was made anew': world(former, { ...set, uid: 'another' }, subnet(), back()),
    'the set is gone': world(former, subnet(), back()),
    'the address was excluded': world(former, set, subnet({ excludeIps: ['10.17.0.10'] }), back()),
    'the CIDR is another': world(former, set, subnet({ cidrBlock: '10.18.0.0/24' }), back()),
    'nothing is remembered': world(set, subnet(), back(), row('Logical_Switch', 'apps')),
  },
  violation: {
    'it has another address': {
      given: world(former, set, subnet(), back()),
      summary:
        'Pod shop/redis-1 of StatefulSet shop/redis has 10.17.0.20 of subnet apps, and had 10.17.0.10: IP redis-1.shop was deleted at 2026-01-01T00:10:00Z while no pod used it',
      concerns: ['redis-1.shop'],
    },
  },
});
