import { object, pod } from '../testing/builders';
import type { Built } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './held-pod';

const SWITCH = 'ovn.kubernetes.io/logical_switch';
const LABEL = 'ovn-steward.dev/subnet';
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

/** As the policy pod-gate makes it. */
const held = (
  metadata: Record<string, unknown> = { annotations: { [SWITCH]: 'shop-net' } },
  gates: readonly string[] = ['ovn-steward.dev/subnet-ready'],
): Built<'Pod'> =>
  pod('shop/web-0', {
    metadata,
    spec: { schedulingGates: gates.map((name) => ({ name })) },
    status: { phase: 'Pending' },
  });
const namespace = (
  bound: string | undefined = 'shop-net',
  labels: Record<string, string> = { [LABEL]: 'shop-net' },
) =>
  object('Namespace', 'shop', {
    metadata: { labels, ...(bound === '' ? {} : { annotations: { [SWITCH]: bound } }) },
  });
const subnet = (
  ready = 'True',
  over: { spec?: Record<string, unknown>; metadata?: Record<string, unknown> } = {},
) =>
  object('Subnet', 'shop-net', {
    spec: { vpc: 'shop' },
    ...over,
    status: {
      conditions: [
        { type: 'Validated', status: 'True' },
        { type: 'Ready', status: ready, reason: ready === 'True' ? '' : 'ReconcileError' },
      ],
    },
  });
const vpc = object('Vpc', 'shop');
const IS_HELD = 'pod shop/web-0 is held by our scheduling gate';
const WAITS = `${IS_HELD} until Subnet shop-net is ready, and waits for`;
const NOBODY =
  'nobody lifts it, as steward guard gates does, or an executor with executor.guard.podGates';

testRule(rule, {
  healthy: {
    'its gate was lifted': world(held(undefined, []), namespace(), vpc),
    'it has no gates': world(pod('shop/web-0'), namespace(), vpc),
    'its gate is another one’s': world(held(undefined, ['example.com/quota']), namespace(), vpc),
    'it is being deleted': world(
      held({ annotations: { [SWITCH]: 'shop-net' }, ...DELETED }),
      namespace(),
      vpc,
    ),
  },
  unknown: {
    'Subnets are not listed': world(held(), namespace(), vpc).unheardOf('Subnet'),
    'namespaces are not listed': world(held(), subnet(), vpc).unlisted('Namespace'),
  },
  violation: {
    'its subnet is not there': {
      given: world(held(), namespace(''), vpc),
      summary: `${WAITS} Subnet shop-net to be made; Kube-OVN to bind Namespace shop to Subnet shop-net: it is bound to none`,
    },
    'its subnet is not ready': {
      given: world(held(), namespace(), subnet('False'), vpc),
      summary: `${WAITS} condition Ready of Subnet shop-net to be True: it is False (ReconcileError)`,
    },
    'its subnet is being deleted': {
      given: world(held(), namespace(), subnet('True', { metadata: DELETED }), vpc),
      summary: `${WAITS} Subnet shop-net to be recreated: its deletion began at 2026-01-01T00:00:00Z`,
    },
    'the Vpc of its subnet is not there': {
      given: world(held(), namespace(), subnet()),
      summary: `${WAITS} Vpc shop, which Subnet shop-net names, to be made`,
    },
    'its namespace is bound to the default subnet': {
      given: world(held(), namespace('ovn-default'), subnet(), vpc),
      summary: `${WAITS} Kube-OVN to bind Namespace shop to Subnet shop-net: it is bound to ovn-default`,
    },
    'all is ready, and nobody lifts the gate': {
      given: world(held(), namespace(), subnet(), vpc),
      summary: `${IS_HELD}, though Subnet shop-net is ready and bound to namespace shop: ${NOBODY}`,
    },
    'it has another gate before ours': {
      given: world(
        held(undefined, ['example.com/quota', 'ovn-steward.dev/subnet-ready']),
        namespace(),
        subnet(),
        vpc,
      ),
      summary: `${IS_HELD}, though Subnet shop-net is ready and bound to namespace shop: ${NOBODY}`,
    },
    'its own label goes before its namespace’s': {
      given: world(held({ labels: { [LABEL]: 'own-net' } }), namespace(), subnet(), vpc),
      summary: `${IS_HELD} until Subnet own-net is ready, and waits for Subnet own-net to be made; Kube-OVN to bind Namespace shop to Subnet own-net: it is bound to shop-net`,
    },
    'it chose its subnet itself, and nobody lifts the gate': {
      given: world(
        held({ labels: { [LABEL]: 'shop-net' }, annotations: { [SWITCH]: 'shop-net' } }),
        namespace('ovn-default', {}),
        subnet(),
        vpc,
      ),
      summary: `${IS_HELD}, though Subnet shop-net is ready: ${NOBODY}`,
    },
    'the label of its namespace was taken away': {
      given: world(held(), namespace('shop-net', {}), subnet(), vpc),
      summary: `${WAITS} a label ovn-steward.dev/subnet on Pod or Namespace shop that names its subnet`,
    },
    'it carries the gate by its template, and nobody named a subnet': {
      given: world(held({}), namespace('', {}), vpc, subnet()),
      summary: `${IS_HELD} until its subnet is ready, and waits for a label ovn-steward.dev/subnet on Pod or Namespace shop that names its subnet`,
    },
    'it was given an address of another subnet before': {
      given: world(
        held({ annotations: { [SWITCH]: 'ovn-default', 'ovn.kubernetes.io/allocated': 'true' } }),
        namespace(),
        subnet(),
        vpc,
      ),
      summary: `${WAITS} an address of Subnet shop-net: it was given one of ovn-default. Delete the pod, so that its controller makes another`,
    },
  },
});
