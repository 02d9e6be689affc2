import type { Logger } from '@ovn-steward/service/log/logger';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { identityText } from '@ovn-steward/shared/cluster-identity';
import { describe } from '@ovn-steward/contracts/identity/reference';
import type { ActEvent } from '../work/act-options';
import { reportGates } from './report-gates';
import { reportGuard } from './report-guard';

/** Puts what an executor does about a cluster into the log. Must not throw. */
export function reportActs(logger: Logger): (event: ActEvent) => void {
  const guard = reportGuard(logger);
  const gates = reportGates(logger);
  let waits = '';
  return (event) => {
    switch (event.type) {
      case 'action':
        return reportAction(event.action, logger);
      case 'caught-up':
        return logger.info('ledger caught up', {
          partition: event.partition,
          ...event.ledger,
          open: event.open,
        });
      case 'trouble':
        return logger.warn('control', { reason: event.what });
      case 'unsettled':
        return logger.warn('action not settled; it is tried again, and others go on', {
          action: event.unsettled.id,
          since: event.unsettled.since,
          failures: event.unsettled.failures,
          error: event.unsettled.why,
          retryInMs: event.retryInMs,
        });
      case 'failed':
        return logger.warn('acting failed', { error: event.error, retryInMs: event.retryInMs });
      case 'waits':
        if (waits !== event.why) logger.warn('acting waits', { why: event.why });
        waits = event.why;
        return;
      case 'turn':
        waits = '';
        return;
      case 'identity':
        return logger.info('identity', {
          ledger: event.ledger && identityText(event.ledger),
          here: identityText(event.here),
        });
      case 'other-cluster':
        // A turn publishes it every second; that the executor waits is logged once.
        if (event.what !== 'turn')
          logger.warn('other cluster', { refused: event.what, why: event.why });
        return;
      case 'unproven':
        return logger.warn('action unproven', { refused: event.what, why: event.why });
      case 'refused':
        return logger.warn('record refused', { topic: event.topic, reason: event.reason });
      case 'aborted':
      case 'decided':
      case 'pods-held':
        return;
      case 'pod-gate':
        return gates(event);
      default:
        return guard(event);
    }
  };
}

function reportAction(
  { id, rule, action, target, state, code, reason, finding, plan }: ActionRecord,
  logger: Logger,
): void {
  const fields = {
    action: id,
    does: action,
    target: describe(target),
    uid: target.uid,
    rule,
    finding: finding.id,
    code,
    reason,
    ...(plan === null ? {} : { plan }),
  };
  if (state === 'observed') logger.debug(`action ${state}`, fields);
  else logger[state === 'failed' ? 'warn' : 'info'](`action ${state}`, fields);
}
