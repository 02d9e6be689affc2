import { gateAt, gateWaitsFor, isChosen, desiredSubnet } from '../readiness/gate-waits-for';
import { vpcNameOf } from '../readiness/subnet-waits-for';
import type { Entity, Kind } from '../world/entity';
import { SUBNET_ANNOTATION } from '../kube-ovn/namespace-subnets';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { absent, present, unchanged, value } from '../rule-kit/facts';

/**
 * A pod that our scheduling gate keeps from being started (docs/network-ready.md). What it waits
 * for is computed as the component that lifts the gates does; where it waits for nothing any more,
 * that component does not run. How long a pod may be held is the grace of what is stuck.
 */
export default defineRule({
  id: 'held-pod',
  class: 'stuck',
  severity: 'warning',
  subject: 'Pod',
  reads: ['Namespace', 'Subnet', 'Vpc'],
  about:
    'A pod that our scheduling gate holds: its subnet does not exist or is not ready, its namespace is not bound to it, or nothing lifts the gates. The pod does not start until then; see docs/network-ready.md.',

  check(pod, view) {
    const { object: of, namespace: name = '' } = pod;
    if (gateAt(of) < 0 || of.metadata.deletionTimestamp !== undefined) return healthy;
    const namespace = view.get('Namespace', name);
    const desired = desiredSubnet(of, namespace?.object);
    const subnet = desired === undefined ? undefined : view.get('Subnet', desired);
    const vpcName = vpcNameOf(subnet?.object);
    const vpc = vpcName === undefined ? undefined : view.get('Vpc', vpcName);
    const waits = gateWaitsFor({
      pod: of,
      namespace: { name, object: namespace?.object },
      subnet: subnet?.object,
      vpc: vpc?.object,
    });
    const written = of.metadata.annotations?.[SUBNET_ANNOTATION];
    const until = desired ?? written;
    const isHeld = `pod ${name}/${pod.name} is held by our scheduling gate`;
    return violation({
      summary:
        waits.length > 0
          ? `${isHeld} until ${until === undefined ? 'its subnet' : `Subnet ${until}`} is ready, and waits for ${waits.join('; ')}`
          : `${isHeld}, though Subnet ${desired} is ready${isChosen(of) ? '' : ` and bound to namespace ${name}`}: nobody lifts it, as steward guard gates does, or an executor with executor.guard.podGates`,
      proof: [
        unchanged(pod),
        ...(written === undefined
          ? []
          : [value(pod, `metadata.annotations[${SUBNET_ANNOTATION}]`, written)]),
        ...read('Subnet', desired, subnet),
        ...read('Vpc', vpcName, vpc),
      ],
    });
  },
});

/**
 * Whether the object exists. Not that it is unchanged: the counters of a Subnet move all the time.
 */
const read = (kind: Kind, name: string | undefined, entity: Entity | undefined) =>
  name === undefined ? [] : [entity ? present(entity) : absent(kind, name)];
