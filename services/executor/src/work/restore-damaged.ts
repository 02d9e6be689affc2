import { applyRestore, isEmpty, type RestoreView, viewRestore } from '@ovn-steward/backup/restore';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { FormerContent } from '@ovn-steward/contracts/findings/finding';
import { Failure } from '@ovn-steward/shared/errors';
import restoreRows from '../actions/restore-rows';
import type { GateContext } from '../gate/admission';
import type { Item } from '../gate/item';
import { permissionMissing } from '../gate/permission';
import { firstRefusal, holdDecision, keepingDecision } from '../gate/refusals';
import type { Ledger } from '../ledger/ledger';
import type { Limiter } from '../store/limiter';
import { inDoubt } from './in-doubt';
import type { LedgerEntry } from './ledger-entry';
import { recordOnce } from './record-once';
import { restoredSince, restoreReason } from './restores-lately';
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
    const decided = items.map((item) => ({ item, stays: whyItStays(item, context, spent) }));
    await recordOnce(
      work.ledger,
      decided.flatMap(({ item, stays }) => (stays ? [[item, stays] as const] : [])),
    );
    const go = decided.flatMap(({ item, stays }) => (stays ? [] : [item]));
    const isQuiet = performance.now() - quiet(items) >= quietMs;
    if (go.length === 0 || !isQuiet || performance.now() < notBefore) return;
    await options.limiter.take(signal);
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
  let [said, since] = ['', 0];
  return (items) => {
    const now = items.map(({ finding: { id, revision } }) => `${id} ${revision}`).join();
    if (now !== said) [said, since] = [now, performance.now()];
    return since;
  };
}

function whyItStays(
  item: Item,
  context: GateContext,
  spent: () => number,
): LedgerEntry | undefined {
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
  if (isEmpty(view.plan)) return everyEnds(items, work, { state: 'refused', ...unable(view) });

  await work.belonging.claim(pair.identity, signal);
  const claimedAt = clock();
  for (const item of items) work.ledger.write(item, claimOf(item, claimedAt));
  await work.publish(signal);
  await takeOver(signal);
  const entry = await written(view, items, { work, cluster, backups, clock }, signal);
  for (const item of items)
    work.ledger.write(item, (entry.state === 'done' && leftOf(item, view)) || entry);
}

/** What ends an item of which all was left out while others went back; undefined for the others. */
function leftOf(
  { finding: { was = [] } }: Item,
  { plan }: Pick<RestoreView, 'plan'>,
): LedgerEntry | undefined {
  const left = plan.leftOut.filter(({ uuid }) => was.some(({ uid }) => uid === uuid));
  const [why] = left;
  return why === undefined || left.length < was.length
    ? undefined
    : {
        state: 'refused',
        code: 'changed',
        reason: `it did not go back with the rest: ${textOf(why)}`,
      };
}

/** Thrown before the write by what keeps the rows from going back now. */
class Kept extends Error {
  constructor(readonly entry: LedgerEntry) {
    super(entry.reason);
  }
}

/** @returns what became of it. */
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
    const kept = await heldNow(items, work, signal);
    if (kept !== undefined) throw new Kept({ ...kept, unsent: true });
  };
  try {
    await beforeWriting(); // also here: a backup takes its time
    const { northbound } = work.systems;
    const { backup, moved, unread } = await applyRestore(view, {
      ...{ northbound, cluster, folder: backups, at: clock(), signal },
      beforeWriting,
    });
    return { state: 'done', code: 'done', reason: doneText(view, backup.path, moved, unread) };
  } catch (error) {
    if (error instanceof Kept) return error.entry;
    throw error;
  }
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

const textOf = ({ table, uuid, says }: RestoreView['plan']['leftOut'][number]): string =>
  `${table} ${uuid}: ${says}; steward restore shows the difference`;

const unable = ({
  plan: { leftOut, losses },
}: Pick<RestoreView, 'plan'>): Pick<LedgerEntry, 'code' | 'reason'> => {
  const [why] = [...leftOut, ...losses];
  return why === undefined
    ? { code: 'gone', reason: 'all that was damaged is there again' }
    : {
        code: 'changed',
        reason: `nothing can be put back: ${textOf(why)}`,
      };
};

function everyEnds(items: readonly Item[], { ledger }: ClusterWork, entry: LedgerEntry): void {
  for (const item of items) ledger.write(item, entry);
}

/** What a claim keeps is which rows are inserted: they are not removed again (`restore-rows`). */
const claimOf = (item: Item, at: Date): LedgerEntry => ({
  state: 'claimed',
  code: 'claimed',
  reason: restoreReason(item, at),
  undo: { of: 'rows', rows: rowsOf(item.finding.was ?? []), links: [] },
});

/**
 * Without rows that only moved to another tier: that they are there does not show that they are
 * back.
 */
const rowsOf = (was: readonly FormerContent[]): (Undo & { of: 'rows' })['rows'] =>
  was
    .filter(({ gone }) => gone)
    .map(({ table, uid: uuid, row }) => ({
      table,
      uuid,
      name: typeof row['name'] === 'string' ? row['name'] : '',
      columns: {},
    }));

/** What the newest records of the findings say, and a person's word of the last moment. */
async function heldNow(
  items: readonly Item[],
  work: ClusterWork,
  signal: AbortSignal,
): Promise<LedgerEntry | undefined> {
  for (const item of items) {
    const doubted = inDoubt(item, work);
    if (doubted !== undefined) return doubted;
    const { finding } = item;
    const kept = await work.holds.removal(finding, [finding.scope], signal);
    if (kept !== undefined)
      return { state: 'deferred', code: kept.code, reason: `${kept.reason}; nothing was written` };
  }
  return undefined;
}
