import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './orphaned-nat-gateway-set';

const LABELS = { app: 'vpc-nat-gw-edge', 'ovn.kubernetes.io/vpc-nat-gw': 'true' };
const ANNOTATIONS = { 'ovn.kubernetes.io/vpc_nat_gw': 'edge' };
const set = (
  template: object = { labels: LABELS, annotations: ANNOTATIONS },
  metadata = {},
  key = 'kube-system/vpc-nat-gw-edge',
) =>
  object('StatefulSet', key, { metadata, spec: { replicas: 1, template: { metadata: template } } });

testRule(rule, {
  healthy: {
    'its gateway exists': world(set(), object('VpcNatGateway', 'edge')),
    'its gateway is being deleted, which Kube-OVN has to finish': world(
      set(),
      object('VpcNatGateway', 'edge', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ),
    'it is called otherwise': world(set(undefined, {}, 'kube-system/edge')),
    'its pods are labelled otherwise': world(
      set({ annotations: ANNOTATIONS }),
      set({ labels: { ...LABELS, app: 'nat' }, annotations: ANNOTATIONS }, {}, 'a/vpc-nat-gw-edge'),
      set({ labels: { app: LABELS.app }, annotations: ANNOTATIONS }, {}, 'b/vpc-nat-gw-edge'),
    ),
    'its pods name no gateway, or another': world(
      set({ labels: LABELS }),
      set(
        { labels: LABELS, annotations: { 'ovn.kubernetes.io/vpc_nat_gw': 'other' } },
        {},
        'a/vpc-nat-gw-edge',
      ),
    ),
    'Kubernetes deletes it with its owner': world(
      set(undefined, { ownerReferences: [{ kind: 'VpcNatGateway', name: 'edge', uid: 'e' }] }),
    ),
    'it is being deleted': world(set(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' })),
  },
  violation: {
    'its gateway is gone': {
      given: world(set(), object('VpcNatGateway', 'vpc-nat-gw-edge')),
      summary:
        'StatefulSet kube-system/vpc-nat-gw-edge was made for VpcNatGateway edge, which no longer exists',
    },
    'its gateway is gone, and the prefix of its name was changed': {
      given: world(
        set(
          { labels: { ...LABELS, app: 'nat-edge' }, annotations: ANNOTATIONS },
          {},
          'nat/nat-edge',
        ),
      ),
      summary: 'StatefulSet nat/nat-edge was made for VpcNatGateway edge, which no longer exists',
    },
  },
});
