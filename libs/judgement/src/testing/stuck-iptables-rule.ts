import type { GatewayRuleKind } from '../rule-kit/gateway-deletion';
import type { Rule } from '../rule-kit/rule';
import { object, pod } from './builders';
import { testRule } from './test-rule';
import { world } from './world-builder';

const going = {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: ['kubeovn.io/kube-ovn-controller'],
};
const gateway = object('VpcNatGateway', 'gw');
const controller = (release: string) =>
  object('Deployment', 'kube-system/kube-ovn-controller', {
    spec: { template: { spec: { release } } },
  });
const running = pod('kube-system/vpc-nat-gw-gw-0');

/** A rule of a VPC NAT gateway that is being deleted, as all three kinds have it. */
export function testStuckIptablesRule(kind: GatewayRuleKind, rule: Rule): void {
  const terminating = (over: Record<string, unknown> = {}) =>
    object(kind, 'r', {
      metadata: going,
      spec: { eip: 'e' },
      status: { natGwDp: 'gw' },
      ...over,
    });
  const since = `${kind} r has been terminating since 2026-01-01T00:00:00Z:`;
  const nothing = `${since} nothing that blocks it is left; the Kube-OVN controller is not running or has dropped it until the object changes`;

  testRule(rule, {
    healthy: { 'it is not being deleted': world(gateway, terminating({ metadata: {} })) },
    unknown: { 'pods are not listed': world(gateway, terminating()).unlisted('Pod') },
    violation: {
      'the gateway has no pod (row 58)': {
        given: world(gateway, terminating()),
        summary: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in kube-system to remove it from`,
        concerns: ['gw'],
        noRemedy: true,
      },
      'the gateway has no pod, for which v1.16.2 waits': {
        given: world(controller('v1.16.2'), gateway, terminating()),
        summary: `${since} gateway gw has no pod vpc-nat-gw-gw-0 in kube-system to remove it from`,
        concerns: ['gw'],
        noRemedy: true,
      },
      'the gateway has no pod, for which v1.16.1 does not wait': {
        given: world(controller('v1.16.1'), gateway, terminating()),
        summary: nothing,
        noRemedy: true,
      },
      "the gateway's pod does not run": {
        given: world(
          controller('v1.14.41'),
          gateway,
          pod('kube-system/vpc-nat-gw-gw-0', { status: { phase: 'Pending' } }),
          terminating(),
        ),
        summary: `${since} pod kube-system/vpc-nat-gw-gw-0 of gateway gw, to remove it from, is Pending`,
        concerns: ['vpc-nat-gw-gw-0'],
        noRemedy: true,
      },
      "another gateway's pod does not run": {
        given: world(
          gateway,
          running,
          pod('kube-system/vpc-nat-gw-gw-x-0', { status: { phase: 'Pending' } }),
          terminating(),
        ),
        summary: nothing,
        noRemedy: true,
      },
      'the gateway runs': {
        given: world(gateway, running, terminating()),
        summary: nothing,
        noRemedy: true,
      },
      'the gateway runs under another name': {
        given: world(
          gateway,
          pod('kube-system/edge-0', {
            metadata: { annotations: { 'ovn.kubernetes.io/vpc_nat_gw': 'gw' } },
          }),
          terminating(),
        ),
        summary: nothing,
        noRemedy: true,
      },
      'the gateway is gone, its pod of another name is not': {
        given: world(
          pod('kube-system/edge-0', {
            metadata: { annotations: { 'ovn.kubernetes.io/vpc_nat_gw': 'gw' } },
          }),
          terminating(),
        ),
        summary: `${since} its gateway gw is gone, but not what ran it: Pod kube-system/edge-0`,
        noRemedy: true,
      },
      'the gateway and all that ran it are gone': {
        given: world(terminating()),
        summary: nothing,
        action: 'strip-finalizer',
      },
      'the gateway is gone, which only its label names': {
        given: world(
          terminating({
            metadata: { ...going, labels: { 'ovn.kubernetes.io/vpc-nat-gw-name': 'gw' } },
            status: {},
          }),
        ),
        summary: nothing,
        action: 'strip-finalizer',
      },
      'the gateway is gone, which only its address names': {
        given: world(
          terminating({ status: {} }),
          object('IptablesEIP', 'e', { spec: { natGwDp: 'gw' } }),
        ),
        summary: nothing,
        action: 'strip-finalizer',
      },
      'the gateway is gone, its set is not': {
        given: world(terminating(), object('StatefulSet', 'kube-system/vpc-nat-gw-gw')),
        summary: `${since} its gateway gw is gone, but not what ran it: StatefulSet kube-system/vpc-nat-gw-gw`,
        noRemedy: true,
      },
      'the gateway is gone, and v1.16.2 does not wait for what ran it': {
        given: world(
          controller('v1.16.2'),
          terminating(),
          object('StatefulSet', 'kube-system/vpc-nat-gw-gw'),
        ),
        summary: nothing,
        noRemedy: true,
      },
      'its gateway is gone, and the rule may be in that of the address that it names now': {
        given: world(
          terminating(),
          object('IptablesEIP', 'e', { spec: { natGwDp: 'new' } }),
          object('VpcNatGateway', 'new'),
          pod('kube-system/vpc-nat-gw-new-0'),
        ),
        summary: nothing,
        noRemedy: true,
      },
      'its gateway is gone, and that of the address that it names now': {
        given: world(terminating(), object('IptablesEIP', 'e', { spec: { natGwDp: 'new' } })),
        summary: nothing,
        action: 'strip-finalizer',
      },
      'a change was not finished, and v1.16.2 also asks the gateway of the address': {
        given: world(
          controller('v1.16.2'),
          terminating({ status: { natGwDp: 'gw', v4ip: '172.18.0.9', ready: false } }),
          object('IptablesEIP', 'e', { spec: { natGwDp: 'new' } }),
          object('VpcNatGateway', 'new'),
        ),
        summary: `${since} gateway new has no pod vpc-nat-gw-new-0 in kube-system to remove it from`,
        concerns: ['new'],
        noRemedy: true,
      },
      'nobody says which gateway': {
        given: world(terminating({ status: {} })),
        summary: nothing,
        noRemedy: true,
      },
    },
  });
}
