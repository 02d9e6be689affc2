import type { Logger } from '@ovn-steward/service/log/logger';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { GuardEvent } from '../guard/guard-vpcs';
import { oldestSeconds, type WaitingVpc } from '../guard/waiting';
import { EXECUTOR_METRICS } from '../metrics';

/** Puts what the guard of Vpcs does into metrics and the log. Must not throw. */
export function tellingGuard({ logger, meter }: { readonly logger: Logger; readonly meter: Meter }): (event: GuardEvent) => void {
  let waiting: readonly WaitingVpc[] | undefined;
  let failed = '';
  meter.onScrape(() => {
    if (!waiting) return;
    meter.set(EXECUTOR_METRICS.waitingVpcs, {}, waiting.length);
    meter.set(EXECUTOR_METRICS.waitingVpcAge, {}, oldestSeconds(waiting, new Date()));
  });
  return (event) => {
    switch (event.type) {
      case 'guarded':
        meter.inc(EXECUTOR_METRICS.guardFinalizers, { did: event.did });
        return logger.info(event.did === 'add' ? 'vpc guarded' : 'vpc freed', { vpc: event.vpc });
      case 'guard-waits':
        waiting = event.waiting;
        return logger.info('vpc deletions wait', { waiting: waiting.map(({ name, since, subnets }) => ({ vpc: name, since, subnets: subnets?.slice(0, 20) ?? null })).slice(0, 20) });
      case 'guard-denials':
        for (const [policy, count] of event.denials) meter.set(EXECUTOR_METRICS.guardDenials, { policy }, count);
        return;
      case 'guard-failed':
        meter.inc(EXECUTOR_METRICS.guardFailures, {});
        if (failed !== event.error) logger.warn('guard', { error: event.error });
        failed = event.error;
    }
  };
}
