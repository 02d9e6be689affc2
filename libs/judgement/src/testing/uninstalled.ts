import type { Rule } from '../rule-kit/rule';
import { type Built, object, row } from './builders';
import { type Cases, testRule } from './test-rule';
import { type TestWorld, world } from './world-builder';

type LeftKind = 'Address_Set' | 'HA_Chassis_Group' | 'Load_Balancer' | 'Port_Group';

/**
 * What Kube-OVN leaves when it is taken away: every kind of row is kept while anything of Kube-OVN
 * is there, and while somebody still names it.
 * @param left a row that is left and nobody names.
 * @param named a world in which somebody names it.
 * @param more what a kind has beside the common cases.
 */
export function testUninstalled(
  rule: Rule,
  left: Built<LeftKind>,
  named: TestWorld,
  more: Partial<Pick<Cases, 'unknown' | 'violation'>> = {},
): void {
  const summary = `${left.kind} ${left.name} was left by a Kube-OVN that was taken away: no Vpc, Subnet or controller of it is there any more`;
  testRule(rule, {
    healthy: {
      'a Subnet is there': world(left, object('Subnet', 'apps')),
      'a Vpc is there': world(left, object('Vpc', 'ovn-cluster')),
      'a controller is there': world(left, object('Deployment', 'kube-system/kube-ovn-controller')),
      "it is somebody else's": world(
        row(left.kind, left.name, { external_ids: { 'neutron:x': 'y' } }),
      ),
    },
    unknown: { 'somebody still names it': named, ...more.unknown },
    violation: {
      'Kube-OVN was taken away': { given: world(left), summary },
      'so were its definitions': { given: world(left).notInstalled('Vpc', 'Subnet'), summary },
      ...more.violation,
    },
  });
}
