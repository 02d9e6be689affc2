import type { Logger } from '@ovn-steward/service/log/logger';
import type { GuardEvent } from '@ovn-steward/guard/guard-event';
import { onceWhileRepeating } from '@ovn-steward/guard/once-while-repeating';

/** Puts what the guard of Vpcs does into the log. Must not throw. */
export function reportGuard(logger: Logger): (event: GuardEvent) => void {
  const isNew = onceWhileRepeating();
  return (event) => {
    switch (event.type) {
      case 'guarded':
        return logger.info(event.did === 'add' ? 'vpc guarded' : 'vpc freed', { vpc: event.vpc });
      case 'guard-waits':
        return logger.info('vpc deletions wait', {
          waiting: event.waiting
            .map(({ name, since, subnets }) => ({
              vpc: name,
              since,
              subnets: subnets?.slice(0, 20) ?? null,
            }))
            .slice(0, 20),
        });
      case 'guard-denials':
        return;
      case 'guard-failed':
        if (isNew(event.error)) logger.warn('guard', { error: event.error });
    }
  };
}
