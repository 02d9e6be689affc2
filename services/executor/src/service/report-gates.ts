import type { Logger } from '@ovn-steward/service/log/logger';
import type { GateEvent } from '@ovn-steward/guard/pod-gates';

type PodGateEvent = Extract<GateEvent, { readonly type: 'pod-gate' }>;

/** Puts what becomes of held pods into the log. Must not throw. */
export const reportGates =
  (logger: Logger) =>
  ({ did, reason, pod: { namespace, name } }: PodGateEvent): void => {
    if (did === 'timed-out')
      logger.warn('pod no longer held', { pod: `${namespace}/${name}`, reason });
    else
      logger.info(did === 'held' ? 'pod held' : 'pod let go', {
        pod: `${namespace}/${name}`,
        reason,
      });
  };
