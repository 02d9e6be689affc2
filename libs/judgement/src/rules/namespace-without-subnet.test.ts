import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './namespace-without-subnet';

const namespace = (name: string, subnet?: string, metadata: Record<string, unknown> = {}) =>
  object('Namespace', name, {
    metadata: {
      ...(subnet === undefined
        ? {}
        : { annotations: { 'ovn.kubernetes.io/logical_switch': subnet } }),
      ...metadata,
    },
  });
const says =
  'namespace late has no subnet: Kube-OVN has not written the annotation ovn.kubernetes.io/logical_switch on it, so its pods get no address, or one of the default subnet';

testRule(rule, {
  healthy: {
    'it is given one': world(namespace('late', 'apps'), namespace('shop', 'apps')),
    'no namespace is given any, as where Kube-OVN is not there': world(
      namespace('late'),
      namespace('shop'),
    ),
    'it goes': world(
      namespace('late', undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      namespace('shop', 'apps'),
    ),
  },
  violation: {
    'others are given one': {
      given: world(namespace('late'), namespace('shop', 'apps')),
      summary: says,
    },
    'what it is given is empty': {
      given: world(namespace('late', ','), namespace('shop', 'apps')),
      summary: says,
    },
  },
});
