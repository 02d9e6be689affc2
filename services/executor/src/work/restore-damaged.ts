import { applyRestore, isEmpty, type RestoreView, viewRestore } from '@ovn-steward/backup/restore';
import { Failure } from '@ovn-steward/shared/errors';
import restoreRows from '../actions/restore-rows';
import type { GateContext } from '../gate/admission';
import type { Item } from '../gate/item';
import { permissionMissing } from '../gate/permission';
import { firstRefusal, holdDecision, keepingDecision } from '../gate/refusals';
import type { Ledger } from '../ledger/ledger';
import { type Limiter, PLACE_WITHIN_MS } from '../store/limiter';
import { inDoubt } from './in-doubt';
import type { LedgerEntry } from './ledger-entry';
import { recordOnce } from './record-once';
import { restoreClaim, endWithout, leftBehind } from './restore-ends';
import { RestoreHeld, heldItems } from './restore-held';
import { restoredSince } from './earlier-restores';
import type { ClusterWork } from './work';

/**
 * A collection deletes for seconds: rows go back once nothing has vanished for so long.
 * Milliseconds.
 */
const QUIET_MS = 10_000;
/** Somebody who goes on deleting what is put back is not to be fought: so often an hour. */
const MOST_AN_HOUR = 3;
const HOUR_MS = 3_600_000;
/** What could not be done is tried again no sooner; it reads the whole database. */
const AGAIN_MS = 30_000;

export interface RestoreDamagedOptions {
  readonly cluster: string;
  readonly work: ClusterWork;
  readonly ledger: Pick<Ledger, 'list'>;
  readonly limiter: Limiter;
  /** Where the backup goes that is taken before anything is written. */
  readonly backups: string;
  readonly clock: () => Date;
  /** Called before the first write of this process: stops every other executor from writing. */
  readonly takeOver: (signal: AbortSignal) => Promise<void>;
  /**
   * How long nothing may have vanished before rows go back; milliseconds. Ten seconds by default.
   */
  readonly quietMs?: number;
}

/** Whether what is to be done is to put rows of others back. */
export const isRestoring = ({ finding }: Pick<Item, 'finding'>): boolean =>
  finding.remedy.action === restoreRows.id;

/** Decides about findings of damage, and carries out what may be; called in each turn. */
export type RestoreDamaged = (
  items: readonly Item[],
  context: GateContext,
  signal: AbortSignal,
) => Promise<void>;

/**
 * Puts back what somebody did to rows of other owners, all that may go back in one transaction that
 * is refused where anything it builds on has moved. The gates are those of removals, but for two:
 * ceilings, which limit what is removed, and the time in which a controller that began to lead may
 * still delete, instead of which nothing may have vanished for a while.
 *
 * What an owner recreated since is completed by its keys and keeps what it has (`viewRestore`). The
 * proof is that the rows are missing in the living database; that they were there, only the
 * findings say.
 */
export function restoreDamaged(options: RestoreDamagedOptions): RestoreDamaged {
  const { work, clock, quietMs = QUIET_MS } = options;
  const quiet = quietSince();
  let notBefore = 0;
  return async (items, context, signal) => {
    if (items.length === 0) return;
    let count: number | undefined;
    const spent = (): number =>
      (count ??= restoredSince(options.ledger, options.cluster, clock().getTime() - HOUR_MS));
    const decided = items.map((item) => ({ item, stays: whyItStays(item, context, work, spent) }));
    await recordOnce(
      work.ledger,
      decided.flatMap(({ item, stays }) => (stays ? [[item, stays] as const] : [])),
    );
    const go = decided.flatMap(({ item, stays }) => (stays ? [] : [item]));
    const isQuiet = performance.now() - quiet(items) >= quietMs;
    if (go.length === 0 || !isQuiet || performance.now() < notBefore) return;
    if (!(await options.limiter.take(PLACE_WITHIN_MS, signal))) return;
    try {
      await restore(go, options, signal);
    } catch (error) {
      if (!(error instanceof Failure) || RETHROWN.has(error.code)) throw error;
      notBefore = performance.now() + AGAIN_MS;
      const entry = { state: 'deferred', code: error.code, reason: error.message } as const;
      for (const item of go) work.ledger.write(item, { ...entry, unsent: true });
    }
  };
}

/**
 * With these it is not known whether anything was written, or this executor has no say any more.
 */
const RETHROWN: ReadonlySet<string> = new Set([
  'outcome-unknown',
  'fenced',
  'log-partition-lost',
  'log-closed',
]);

/** Since when the findings say what they say, by `performance.now()`. */
function quietSince(): (items: readonly Item[]) => number {
  let said = '';
  let since = 0;
  return (items) => {
    const now = items.map(({ finding: { id, revision } }) => `${id} ${revision}`).join();
    if (now !== said) {
      said = now;
      since = performance.now();
    }
    return since;
  };
}

function whyItStays(
  item: Item,
  context: GateContext,
  work: ClusterWork,
  spent: () => number,
): LedgerEntry | undefined {
  const doubted = inDoubt(item, work);
  if (doubted !== undefined) return doubted;
  const decision =
    holdDecision(item, context) ??
    keepingDecision(item, context) ??
    permissionMissing(item, context.settings.approvers) ??
    firstRefusal({ ...context, yielding: undefined }) ??
    (item.approval === undefined && spent() >= MOST_AN_HOUR ? SPENT : undefined);
  return decision && { state: decision.state, code: decision.code, reason: decision.reason };
}

const SPENT = {
  state: 'deferred',
  code: 'ceiling',
  reason: `rows of others were put back ${MOST_AN_HOUR} times within the hour, and somebody goes on deleting them: set Kube-OVN not to do it (neighbours-at-risk), then approve it (steward approve)`,
} as const;

async function restore(
  items: readonly Item[],
  { work, cluster, backups, clock, takeOver }: RestoreDamagedOptions,
  signal: AbortSignal,
): Promise<void> {
  const pair = await work.prover.pair(signal);
  if (pair.is !== 'paired')
    return void (await recordOnce(
      work.ledger,
      items.map((item) => [
        item,
        {
          state: 'deferred',
          code: pair.is === 'mispaired' ? 'mispaired' : 'unknown',
          reason: pair.reason,
        },
      ]),
    ));
  const { northbound } = work.systems;
  const view = await viewRestore({
    file: `the findings of ${cluster}`,
    damage: items.map(({ finding }) => finding),
    cluster,
    northbound,
    selection: { owners: undefined, tables: undefined, removeNew: false },
    otherCluster: false,
    signal,
  });
  if (isEmpty(view.plan)) return endWithout(items, view, work, clock());

  await work.belonging.claim(pair.identity, signal);
  const claimedAt = clock();
  for (const item of items) work.ledger.write(item, restoreClaim(item, claimedAt));
  await work.publish(signal);
  await takeOver(signal);
  try {
    const done = await written(view, items, { work, cluster, backups, clock }, signal);
    for (const item of items) work.ledger.write(item, leftBehind(item, view) ?? done);
  } catch (error) {
    if (!(error instanceof RestoreHeld)) throw error;
    for (const item of items) work.ledger.write(item, error.entryOf(item));
  }
}

/**
 * @returns what became of it.
 * @throws RestoreHeld when nothing was written since something of it is held.
 */
async function written(
  view: RestoreView,
  items: readonly Item[],
  {
    work,
    cluster,
    backups,
    clock,
  }: Pick<RestoreDamagedOptions, 'work' | 'cluster' | 'backups' | 'clock'>,
  signal: AbortSignal,
): Promise<LedgerEntry> {
  const beforeWriting = async (): Promise<void> => {
    await work.fence(signal);
    const held = await heldItems(items, work, signal);
    if (held.size > 0) throw new RestoreHeld(held);
  };
  await beforeWriting(); // also here: a backup takes its time
  const { northbound } = work.systems;
  const { backup, moved, unread } = await applyRestore(view, {
    northbound,
    cluster,
    folder: backups,
    at: clock(),
    signal,
    beforeWriting,
  });
  return { state: 'done', code: 'done', reason: doneText(view, backup.path, moved, unread) };
}

const doneText = (
  { plan: { inserts, updates, leftOut } }: Pick<RestoreView, 'plan'>,
  backup: string,
  moved: readonly string[],
  unread: string | undefined,
): string =>
  [
    `${inserts.length} rows were put back and ${updates.length} got back what they had lost`,
    `the backup of before is ${backup}`,
    ...leftOut.slice(0, 3).map((it) => `${it.table} ${it.uuid}: ${it.says}`),
    ...moved.slice(0, 3),
    ...(unread === undefined ? [] : [`they could not be read afterwards: ${unread}`]),
  ].join('; ');
