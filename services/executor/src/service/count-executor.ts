import type { Meter } from '@ovn-steward/service/meter/definition';
import { type Keeping, KEEPING_KINDS } from '@ovn-steward/contracts/control/keeping';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { breadthOf, BREADTHS, type StandingHold } from '../control/standing-holds';
import type { ExecutedBatch, ExecutorEvent } from '../consume/executor';
import { countGuards } from './count-guards';
import { EXECUTOR_METRICS } from './metrics';
import type { ProposalCount } from '../store/executor-store';
import type { ActEvent } from '../work/act-options';
import type { BackupEvent } from './backups';
import type { UnsettledClaim } from './unsettled-view';

/** All events of an executor. */
export type ExecutorActivity = ExecutorEvent | ActEvent | BackupEvent;

/** What the gauges show of an executor, read at the moment of the scrape. */
export interface ExecutorReading {
  proposals(): readonly ProposalCount[];
  /** Actions that are claimed and not ended. */
  openClaims(): number;
  /** What is under way and could not be brought to its end, the oldest first. */
  unsettled(): readonly UnsettledClaim[];
  /** Records of the ledger that the log has not acknowledged. */
  unpublished(): number;
  /** The holds in force; null while it does not follow what people decide. */
  holds(): readonly StandingHold[] | null;
  /** What people suppressed or protected now; null likewise. */
  kept(): readonly Keeping[] | null;
}

/**
 * Puts what an executor does into metrics, and at each scrape what `reading` then says of it;
 * nothing, where it says nothing. Must not throw.
 */
export function countExecutor(
  meter: Meter,
  reading: () => ExecutorReading | undefined,
  now: () => number = Date.now,
): (event: ExecutorActivity) => void {
  const guards = countGuards(meter);
  meter.onScrape(() => show(reading(), meter, now));
  return (event) => {
    switch (event.type) {
      case 'batch':
        return countBatch(event, meter);
      case 'action':
        return countAction(event.action, meter);
      case 'aborted':
        return meter.inc(EXECUTOR_METRICS.abortedPlans, { scope: event.plan.scope.of });
      case 'other-cluster':
        return meter.inc(EXECUTOR_METRICS.otherCluster, { refused: event.what });
      case 'unproven':
        return meter.inc(EXECUTOR_METRICS.unproven, { refused: event.what });
      case 'read-failed':
      case 'failed':
        return meter.inc(EXECUTOR_METRICS.failures, {});
      case 'refused':
        return meter.inc(EXECUTOR_METRICS.refused, { topic: event.topic, reason: event.reason });
      case 'backup-newest':
        return meter.set(EXECUTOR_METRICS.backupTaken, {}, event.takenAt.getTime() / 1000);
      case 'backup-failed':
        return meter.inc(EXECUTOR_METRICS.backupFailures, {});
      case 'assigned':
      case 'decided':
      case 'revoked':
      case 'rebuilding':
      case 'backup-taken':
      case 'identity':
        return;
      default:
        return guards(event);
    }
  };
}

function show(seen: ExecutorReading | undefined, meter: Meter, now: () => number): void {
  meter.reset(EXECUTOR_METRICS.proposals);
  for (const { cluster, rule, count } of seen?.proposals() ?? [])
    meter.set(EXECUTOR_METRICS.proposals, { cluster, rule }, count);
  meter.set(EXECUTOR_METRICS.openClaims, {}, seen?.openClaims() ?? 0);
  const unsettled = seen?.unsettled() ?? [];
  meter.set(EXECUTOR_METRICS.unsettledClaims, {}, unsettled.length);
  meter.set(EXECUTOR_METRICS.unsettledClaimAge, {}, ageOf(unsettled[0], now()));
  meter.set(EXECUTOR_METRICS.outbox, {}, seen?.unpublished() ?? 0);
  showHolds(seen?.holds() ?? [], meter);
  for (const kind of KEEPING_KINDS)
    meter.set(
      EXECUTOR_METRICS.kept,
      { kind },
      (seen?.kept() ?? []).filter((it) => it.kind === kind).length,
    );
}

function showHolds(holds: readonly StandingHold[], meter: Meter): void {
  const counts = new Map(BREADTHS.map((it) => [it, 0]));
  for (const hold of holds) counts.set(breadthOf(hold), (counts.get(breadthOf(hold)) ?? 0) + 1);
  for (const [scope, count] of counts) meter.set(EXECUTOR_METRICS.holds, { scope }, count);
}

/** In seconds, by the clock that said since when. */
const ageOf = (oldest: UnsettledClaim | undefined, now: number): number =>
  oldest === undefined ? 0 : Math.max(0, now - Date.parse(oldest.since)) / 1000;

function countBatch({ records, newer, deadLetters }: ExecutedBatch, meter: Meter): void {
  meter.inc(EXECUTOR_METRICS.records, {}, records);
  meter.inc(EXECUTOR_METRICS.newer, {}, newer);
  meter.inc(EXECUTOR_METRICS.deadLetters, {}, deadLetters);
}

function countAction(
  { rule, action, state, code, claimedAt, endedAt }: ActionRecord,
  meter: Meter,
): void {
  meter.inc(EXECUTOR_METRICS.actions, { rule, action, state, code });
  if (state === 'undone') meter.inc(EXECUTOR_METRICS.undos, { code });
  if (code === 'yield') meter.inc(EXECUTOR_METRICS.yielded, { rule });
  if (state === 'done' && claimedAt !== null && endedAt !== null)
    meter.observe(
      EXECUTOR_METRICS.effectSeconds,
      { action },
      Math.max(0, Date.parse(endedAt) - Date.parse(claimedAt)) / 1000,
    );
}
