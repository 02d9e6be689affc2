import type { Meter } from '@ovn-steward/service/meter/definition';
import { GUARD_METRICS } from './metrics';
import type { ActEvent } from '../work/act-options';
import type { HeldPod } from '@ovn-steward/guard/pod-gates';
import { oldestSeconds, type WaitingVpc } from '@ovn-steward/guard/waiting';

/**
 * Counts what the guards of Vpcs and of pods do in metrics; ignores other events. Must not throw.
 */
export function countGuards(meter: Meter): (event: ActEvent) => void {
  let waiting: readonly WaitingVpc[] | undefined;
  let held: readonly HeldPod[] | undefined;
  meter.onScrape(() => {
    if (waiting) {
      meter.set(GUARD_METRICS.waitingVpcs, {}, waiting.length);
      meter.set(GUARD_METRICS.waitingVpcAge, {}, oldestSeconds(waiting, new Date()));
    }
    if (held) {
      meter.set(GUARD_METRICS.heldPods, {}, held.length);
      meter.set(
        GUARD_METRICS.heldPodAge,
        {},
        held.reduce((longest, { heldMs }) => Math.max(longest, heldMs / 1000), 0),
      );
    }
  });
  return (event) => {
    switch (event.type) {
      case 'guarded':
        return meter.inc(GUARD_METRICS.guardFinalizers, { did: event.did });
      case 'guard-waits':
        return void (waiting = event.waiting);
      case 'guard-denials':
        for (const [policy, count] of event.denials)
          meter.set(GUARD_METRICS.guardDenials, { policy }, count);
        return;
      case 'guard-failed':
        return meter.inc(GUARD_METRICS.guardFailures, {});
      case 'pod-gate':
        return meter.inc(GUARD_METRICS.podGates, { did: event.did });
      case 'pods-held':
        return void (held = event.held);
      default:
    }
  };
}
