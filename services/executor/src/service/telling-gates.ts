import type { Logger } from '@ovn-steward/service/log/logger';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { GateEvent, HeldPod } from '../guard/pod-gates';
import { EXECUTOR_METRICS } from '../metrics';

type Told = Exclude<GateEvent, { readonly type: 'guard-failed' }>;

/** Puts what becomes of held pods into metrics and the log. Must not throw. */
export function tellingGates({ logger, meter }: { readonly logger: Logger; readonly meter: Meter }): (event: Told) => void {
  let held: readonly HeldPod[] | undefined;
  meter.onScrape(() => {
    if (!held) return;
    meter.set(EXECUTOR_METRICS.heldPods, {}, held.length);
    meter.set(EXECUTOR_METRICS.heldPodAge, {}, Math.max(0, ...held.map(({ heldMs }) => heldMs / 1000)));
  });
  return (event) => {
    if (event.type === 'pods-held') return void (held = event.held);
    const { did, reason, pod: { namespace, name } } = event;
    meter.inc(EXECUTOR_METRICS.podGates, { did });
    if (did === 'timed-out') logger.warn('pod no longer held', { pod: `${namespace}/${name}`, reason });
    else logger.info(did === 'held' ? 'pod held' : 'pod let go', { pod: `${namespace}/${name}`, reason });
  };
}
