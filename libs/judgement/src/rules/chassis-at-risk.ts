import { ascendingBy } from '@ovn-steward/shared/compare';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { isRemote } from '../kube-ovn/chassis';
import { releaseOf } from '../kube-ovn/release';
import { foreignChassis } from '../relations/foreign-chassis';
import { nodesByChassis } from '../relations/nodes-by-chassis';
import { flagOf, isController } from '../rule-kit/controller-flags';
import { defineRule, healthy, violation, withLasting } from '../rule-kit/rule';
import { DATABASE_KINDS, otherSouthbound } from '../rule-kit/southbound';
import { value } from '../rule-kit/facts';

/** Named in the sentence; the number is of all. */
const NAMED = 5;
/** Of so many the finding says which they are. */
const MOST_CONCERNS = 100;

/**
 * Chassis of others that Kube-OVN's collection deletes.
 *
 * At each start, and whenever the chassis of a Node is not registered, it takes every chassis that
 * no Node with that host names, of any owner, in all releases (kube-ovn.md §4.2, row 7, #1147,
 * #1511, #2989, #3525). `gc-interval=0` ends it at start, not later. An ovn-controller that runs
 * registers its chassis again, without the key of its tag and with its ports down meanwhile; one of
 * another zone stays away until OVN-IC writes it.
 */
export default defineRule({
  id: 'chassis-at-risk',
  class: 'damage',
  severity: 'critical',
  subject: 'Deployment',
  reads: ['Chassis', 'Node', ...DATABASE_KINDS],
  about:
    "Kube-OVN's controller deletes chassis that are no Node's, at its next start at the latest: gateways and compute hosts of others lose their tunnels until they register again. Start it with `--gc-interval=0`, and keep its nodes' chassis registered.",

  check(deployment, view) {
    if (!isController(deployment) || isBeingDeleted(deployment)) return healthy;
    const interval = flagOf(deployment, 'gc-interval');
    // Neither how it was started nor what it is: it may run with flags that are written elsewhere.
    if (interval === undefined && releaseOf(deployment) === undefined) return healthy;
    if (Number(interval) === 0) return healthy;
    const doomed = view
      .related(foreignChassis, 'any')
      .filter(
        (chassis) =>
          chassis.name !== '' &&
          view.presence('Node', chassis.object.hostname ?? '') === 'absent' &&
          !view.has(nodesByChassis, chassis.name),
      )
      .map((chassis) => ({
        chassis,
        text: `${chassis.object.hostname || chassis.name}${isRemote(chassis) ? ' (another zone)' : ''}`,
      }))
      .sort(ascendingBy((it) => it.text));
    if (doomed.length === 0) return withLasting(healthy, ['']);
    const list = doomed
      .slice(0, NAMED)
      .map(({ text }) => text)
      .join(', ');
    return violation({
      summary: `Kube-OVN's controller ${deployment.namespace}/${deployment.name} deletes ${doomed.length} chassis of others: ${list}${doomed.length > NAMED ? ' and more' : ''}`,
      concerns: doomed.slice(0, MOST_CONCERNS).map(({ chassis }) => chassis),
      proof: [
        value(
          deployment,
          'spec.template.spec.flags',
          (deployment.object.spec?.template?.spec?.flags ?? []).join(', '),
        ),
        value(deployment, 'chassis that no Node names', String(doomed.length)),
      ],
    });
  },

  doubt: (_, view) => otherSouthbound(view),
});
