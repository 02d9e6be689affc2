import { entityOf, object } from '../testing/builders';
import { isReserved } from './reservation';

const SUBNET = { 'ovn.kubernetes.io/subnet': 'apps' };
const record = (labels: Record<string, string>, spec: object = {}): boolean =>
  isReserved(entityOf(object('IP', 'db.shop', { spec: { ...spec }, metadata: { labels } })));

test.each([
  ['which the label says', { ...SUBNET, 'ovn.kubernetes.io/ip_reserved': 'true' }, {}],
  ['which the controller has not noticed', {}, {}],
  ['which the controller labelled in part', { ...SUBNET, 'ovn.kubernetes.io/node-name': '' }, {}],
])('a reservation %s', (_, labels, spec) => expect(record(labels, spec)).toBe(true));

test.each([
  ['of a pod', { ...SUBNET, 'ovn.kubernetes.io/ip_reserved': 'false' }, {}],
  ['of a pod that ran, before v1.13', SUBNET, { nodeName: 'worker-1' }],
])('a record %s is none', (_, labels, spec) => expect(record(labels, spec)).toBe(false));
