import type { Logger } from '@ovn-steward/service/log/logger';
import type { GuardEvent } from '@ovn-steward/guard/guard-event';

/**
 * A failure that was not met for so long had passed: what is tried again waits ten minutes at most,
 * where the API server says so.
 */
const PASSED_MS = 15 * 60_000;

/** Puts what the guard of Vpcs does into the log. Must not throw. */
export function reportGuard(
  logger: Logger,
  now: () => number = () => performance.now(),
): (event: GuardEvent) => void {
  const isNew = onceWhileRepeating(now);
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

/** Several may repeat by turns: each of the kinds that a guard follows fails by itself. */
function onceWhileRepeating(now: () => number): (error: string) => boolean {
  const metAt = new Map<string, number>();
  return (error) => {
    const at = now();
    for (const [known, last] of metAt) if (at - last >= PASSED_MS) metAt.delete(known);
    const isNew = !metAt.has(error);
    metAt.set(error, at);
    return isNew;
  };
}
