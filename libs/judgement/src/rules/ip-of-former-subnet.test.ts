import { ip, object, pod, port, servedPod, statefulSet } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ip-of-former-subnet';

const LEAVING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const SWITCH = 'ovn.kubernetes.io/logical_switch';
const record = (spec = {}, over = {}) =>
  ip('web-1.shop', { podType: 'StatefulSet', ...spec }, over);
const set = (annotations: Record<string, string>, replicas = 2, metadata = {}) =>
  statefulSet('shop/web', replicas, {
    metadata,
    spec: { replicas, template: { metadata: { annotations } } },
  });
const MOVED = set({ [SWITCH]: 'data' });
const DATA = object('Subnet', 'data');
const APPS = object('Subnet', 'apps');
const PLAIN = set({});
const shop = (subnets: string, annotations: Record<string, string> = {}) =>
  object('Namespace', 'shop', { metadata: { annotations: { [SWITCH]: subnets, ...annotations } } });

/**
 * So many ports that are up and have their pod that one without does not speak against the pair.
 */
const SERVED = Array.from({ length: 30 }, (_, at) => servedPod(`shop/served-${at}`)).flat();

testRule(rule, {
  healthy: {
    'the set asks for its subnet': world(record(), set({ [SWITCH]: 'data, apps' }), DATA),
    'the set asks for none': world(record(), set({}), DATA),
    'the set asks for none, and its namespace has that': world(
      record(),
      PLAIN,
      DATA,
      APPS,
      shop('data,apps'),
    ),
    'the namespace has a pool': world(
      record(),
      PLAIN,
      DATA,
      APPS,
      shop('data', { 'ovn.kubernetes.io/ip_pool': 'pool' }),
    ),
    'the namespace fell back to the default subnet': world(
      record(),
      PLAIN,
      object('Subnet', 'data', { spec: { default: true } }),
      APPS,
      shop('data'),
    ),
    'its subnet still names the namespace': world(
      record(),
      PLAIN,
      DATA,
      object('Subnet', 'apps', { spec: { namespaces: ['shop'] } }),
      shop('data'),
    ),
    'its subnet is gone, and other rules say so': world(record(), PLAIN, DATA, shop('data')),
    'the namespace has no subnet': world(record(), PLAIN, DATA, APPS, shop('')),
    'what the set asks for cannot be read': world(
      record(),
      statefulSet('shop/web', 2),
      DATA,
      APPS,
      shop('data'),
    ),
    'the pod exists': world(record(), MOVED, DATA, pod('shop/web-1')),
    'the subnet it asks for does not exist': world(record(), MOVED),
    'one of those it asks for does not exist': world(
      record(),
      set({ [SWITCH]: 'data,more' }),
      DATA,
    ),
    'the set asks for a pool as well': world(
      record(),
      set({ [SWITCH]: 'data', 'ovn.kubernetes.io/ip_pool': 'pool' }),
      DATA,
    ),
    'the set asks for another first network': world(
      record(),
      set({ [SWITCH]: 'data', 'v1.multus-cni.io/default-network': 'shop/net' }),
      DATA,
    ),
    'the set does not want the ordinal: that is another finding': world(
      record(),
      set({ [SWITCH]: 'data' }, 1),
      DATA,
    ),
    'there is no such set': world(record(), DATA),
    'the set is being deleted': world(record(), set({ [SWITCH]: 'data' }, 2, LEAVING), DATA),
    'it is no set’s': world(record({ podType: '' }), MOVED, DATA),
    'it is of an attachment': world(
      ip('web-1.shop.lan.shop.ovn', { podType: 'StatefulSet' }),
      MOVED,
      DATA,
    ),
    'it is reserved': world(
      record({}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
      MOVED,
      DATA,
    ),
  },
  unknown: {
    'its port is up': world(...SERVED, record(), MOVED, DATA, port('web-1.shop', { up: true })),
    'a floating IP leads to it': world(
      record(),
      MOVED,
      DATA,
      object('OvnFip', 'f', { spec: { ipName: 'web-1.shop' } }),
    ),
    'a reservation has the address as well': world(
      record(),
      MOVED,
      DATA,
      ip('other.shop', {}, { metadata: { labels: { 'ovn.kubernetes.io/ip_reserved': 'true' } } }),
    ),
  },
  violation: {
    'the set moved while the pod was away': {
      given: world(record(), MOVED, DATA, port('web-1.shop')),
      summary:
        'IP web-1.shop keeps 10.17.0.10 of subnet apps for a pod of StatefulSet shop/web, which asks for subnet data, and the pod does not exist',
      concerns: ['web-1.shop'],
    },
    'a pod that lives has the address as well': {
      given: world(record(), MOVED, DATA, ip('other.shop'), pod('shop/other')),
      summary:
        'IP web-1.shop keeps 10.17.0.10 of subnet apps for a pod of StatefulSet shop/web, which asks for subnet data, and the pod does not exist; Pod shop/other (IP other.shop) uses 10.17.0.10 as well: to delete the record may free the address under it, and is safe once Pod shop/other has another address',
    },
    'the namespace moved, and the set asks for nothing': {
      given: world(record(), PLAIN, DATA, APPS, shop('data,data')),
      summary:
        'IP web-1.shop keeps 10.17.0.10 of subnet apps for a pod of StatefulSet shop/web, whose namespace has subnet data, and the pod does not exist',
    },
    'it may be in one of two others': {
      given: world(record(), set({ [SWITCH]: 'data, more' }), DATA, object('Subnet', 'more')),
      summary:
        'IP web-1.shop keeps 10.17.0.10 of subnet apps for a pod of StatefulSet shop/web, which asks for subnet data, more, and the pod does not exist',
    },
  },
});
