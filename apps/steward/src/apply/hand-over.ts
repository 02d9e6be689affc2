import { pause } from '@ovn-steward/shared/pause';
import { newDecision } from '../inputs/new-decision';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import { type ActionRecord, ENDED } from '@ovn-steward/contracts/actions/action';
import { type ActionRecords, actionRecords } from '../inputs/action-records';
import { type Channel, publishDecisions } from '../inputs/decisions';
import type { ApplyOptions } from './apply-here';
import { type PlanProgress, planProgressOf } from './plan-progress';

export interface HandOverOptions extends Omit<ApplyOptions, 'systems' | 'report'> {
  /** How long an executor has to take up a plan; 30 s by default, and 0.1 s for each entry. */
  readonly takenUpMs?: number;
}

const POLL_INTERVAL_MS = 300;
/**
 * An executor reads a plan within seconds, and takes some milliseconds to verify each entry against
 * the systems.
 */
const TAKEN_UP_MS = 30_000;
const TAKEN_UP_ENTRY_MS = 100;
/** What is put off for so long is not about to be done. */
const AT_REST_MS = 10_000;
/** What is being done when it is withdrawn is finished. */
const LAST_READ_MS = 1500;

/**
 * Hands a plan to the executor that runs elsewhere, and follows in the log what becomes of it,
 * until all of it has ended or nothing moves any more. What is not done by then is withdrawn, also
 * when the signal fires: nothing of it happens later, unattended.
 * @returns what was decided about its entries.
 * @throws Failure `source-unreachable` when no executor takes it up; as publishing and reading do.
 */
export async function handOver(options: HandOverOptions): Promise<readonly ActionRecord[]> {
  const { plan, channel, overCeilings } = options;
  const ids = new Set(plan.entries.map(({ id }) => id));
  const records = await actionRecords(channel, (it) => ids.has(it.id));
  try {
    await records.catchUp();
    const reported = new Map(
      planProgressOf(plan, records.of).actions.flatMap((it) =>
        it === undefined ? [] : [[it.id, it.revision]],
      ),
    );
    await publishDecisions(channel, [
      { type: 'plan', ...newDecision(channel), plan: { ...plan }, overCeilings },
    ]);
    const progress = await follow(records, reported, options);
    if (progress.ended) return decided(progress);
    await publishDecisions(channel, [
      { type: 'withdraw', ...newDecision(channel), of: `plan/${plan.id}` },
    ]);
    await sleep(LAST_READ_MS);
    return decided(await readNew(records, reported, options));
  } finally {
    await records.close();
  }
}

/** Until all has ended or is refused, nothing moves, or the signal fires. */
async function follow(
  records: ActionRecords,
  reported: Map<string, number>,
  options: HandOverOptions,
): Promise<PlanProgress> {
  const {
    plan: { entries },
    channel,
    signal,
    wait,
    takenUpMs = TAKEN_UP_MS,
  } = options;
  const deadline = performance.now() + takenUpMs + TAKEN_UP_ENTRY_MS * entries.length;
  const before = new Map(reported);
  let moved = performance.now();
  let seen = '';
  for (;;) {
    const progress = await readNew(records, reported, options);
    const now = JSON.stringify([...reported]);
    if (now !== seen) {
      moved = performance.now();
      seen = now;
    }
    if (progress.ended || signal.aborted) return progress;
    if (progress.refused && isNews(progress, before)) return progress;
    const isKnown = isTakenUp(progress, before);
    const late = performance.now() > deadline;
    if (!isKnown && late) await refuseNotTakenUp(channel, options);
    // A plan that is refused as before gets no new record. Until an executor has had its time, what
    // is recorded may be of an earlier attempt.
    const waits = wait && !(progress.refused && late);
    if (isKnown && !waits && progress.atRest && performance.now() - moved > AT_REST_MS)
      return progress;
    await pause(POLL_INTERVAL_MS, signal);
  }
}

/** Whether all that has not ended was decided since the plan was handed over. */
const isNews = (progress: PlanProgress, before: ReadonlyMap<string, number>): boolean =>
  decided(progress).every((it) => ENDED.has(it.state) || it.revision !== before.get(it.id));

/**
 * Whether an executor decided about it since it was handed over. It records that also where it
 * decides as before; an older record, also under this plan, is no sign of one that runs now.
 */
const isTakenUp = (progress: PlanProgress, before: ReadonlyMap<string, number>): boolean =>
  decided(progress).some((it) => it.revision !== before.get(it.id));

/** @throws Failure `source-unreachable`. */
async function refuseNotTakenUp(channel: Channel, { plan }: HandOverOptions): Promise<never> {
  await publishDecisions(channel, [
    { type: 'withdraw', ...newDecision(channel), of: `plan/${plan.id}` },
  ]);
  const whose =
    channel.stateDir === undefined
      ? `the cluster ${channel.cluster}`
      : `the pipeline on ${channel.stateDir}`;
  throw new Failure(
    'source-unreachable',
    `No executor of ${whose} took the plan up, so it was withdrawn; nothing was done. Does one run that acts on this cluster?`,
  );
}

/** Reads on, and reports what is new. */
async function readNew(
  records: ActionRecords,
  reported: Map<string, number>,
  { plan, onAction }: HandOverOptions,
): Promise<PlanProgress> {
  await records.catchUp();
  const progress = planProgressOf(plan, records.of);
  for (const action of decided(progress)) {
    if (reported.get(action.id) === action.revision) continue;
    reported.set(action.id, action.revision);
    onAction(action);
  }
  return progress;
}

const decided = ({ actions }: PlanProgress): readonly ActionRecord[] =>
  actions.filter((it) => it !== undefined);
