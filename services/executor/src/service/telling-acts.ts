import type { Logger } from '@ovn-steward/service/log/logger';
import type { Meter } from '@ovn-steward/service/meter/definition';
import type { Action } from '@ovn-steward/shared/events/action';
import { describe } from '@ovn-steward/shared/events/reference';
import { countGuards } from '../guard/count-guards';
import { EXECUTOR_METRICS } from '../metrics';
import type { ActEvent } from '../work/act';
import { tellingGates } from './telling-gates';
import { tellingGuard } from './telling-guard';

/** Puts what an executor does about a cluster into metrics and the log. Must not throw. */
export function tellingActs({ logger, meter }: { readonly logger: Logger; readonly meter: Meter }): (event: ActEvent) => void {
  const count = countGuards(meter);
  const [guard, gates] = [tellingGuard(logger), tellingGates(logger)];
  let waits = '';
  return (event) => {
    count(event);
    switch (event.type) {
      case 'action': return tellAction(event.action, logger, meter);
      case 'aborted':
        meter.inc(EXECUTOR_METRICS.abortedPlans, { scope: event.plan.scope.of });
        return;
      case 'caught-up': return logger.info('ledger caught up', { partition: event.partition, ...event.ledger, open: event.open });
      case 'trouble': return logger.warn('control', { message: event.what });
      case 'failed':
        meter.inc(EXECUTOR_METRICS.failures, {});
        return logger.warn('acting failed', { error: event.error, retryInMs: event.retryInMs });
      case 'waits':
        if (waits !== event.why) logger.warn('acting waits', { why: event.why });
        waits = event.why;
        return;
      case 'turn':
        waits = '';
        return;
      case 'pods-held': return;
      case 'pod-gate': return gates(event);
      default: return guard(event);
    }
  };
}

function tellAction({ id, rule, action, target, state, code, reason, finding, plan, claimedAt, endedAt }: Action, logger: Logger, meter: Meter): void {
  meter.inc(EXECUTOR_METRICS.actions, { rule, action, state, code });
  if (state === 'undone') meter.inc(EXECUTOR_METRICS.undos, { code });
  if (code === 'yield') meter.inc(EXECUTOR_METRICS.yielded, { rule });
  if (state === 'done' && claimedAt !== null && endedAt !== null) meter.observe(EXECUTOR_METRICS.effectSeconds, { action }, (Date.parse(endedAt) - Date.parse(claimedAt)) / 1000);
  const fields = { action: id, does: action, target: describe(target), uid: target.uid, rule, finding: finding.id, code, reason, ...(plan === null ? {} : { plan }) };
  if (state === 'observed') logger.debug(`action ${state}`, fields);
  else logger[state === 'failed' ? 'warn' : 'info'](`action ${state}`, fields);
}
