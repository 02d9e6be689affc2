import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { equal, stringifyJson } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';
import type { Northbound, RefusedTransaction } from '@ovn-steward/systems/northbound/northbound';
import { refusalText } from '@ovn-steward/systems/northbound/refusal-text';
import { isWrittenByOvn } from './kept-columns';
import { type Difference, databaseDifference, type Pair } from './difference';
import { isSelected, type RestoreSelection } from './draft';
import { ownersIn } from './owners';
import { type NorthboundSnapshot, takeSnapshot } from './snapshot';
import { foreignTo, type ReadBackup, readBackup } from './read-backup';
import { damageBackup, isOfFindings, readDamage } from './read-damage';
import { type Remade, remadeIn } from './remade';
import { planRestore, type RestorePlan } from './restore-plan';
import { restoreTransaction } from './restore-transaction';
import { type Backup, takeBackup } from './take-backup';
import { underNewUuids } from './under-new-uuids';

/** Larger than this, one transaction would hold up the server and its other clients for seconds. */
const LARGEST_BYTES = 8 * 1024 * 1024;

export interface RestoreOrder {
  /** A backup; or findings of damage as JSON, which say themselves what was there. */
  readonly file: string;
  /**
   * Findings of damage that need not be read from `file`, which then only names where they are
   * from.
   */
  readonly damage?: readonly Finding[];
  /** Of which findings must be; backups know their database themselves. */
  readonly cluster?: string;
  readonly northbound: Northbound;
  readonly selection: RestoreSelection;
  /** The backup may be of another database. */
  readonly otherCluster: boolean;
  readonly signal: AbortSignal;
}

/** What restoring would do, and what that was concluded from. */
export interface RestoreView {
  readonly backup: ReadBackup;
  readonly snapshot: NorthboundSnapshot;
  readonly selection: RestoreSelection;
  /**
   * Rows that their owner recreated since under other uuids: what the backup has of them goes into
   * those. None where new rows are removed.
   */
  readonly remade: readonly Remade[];
  /** What was compared: the backup with the new uuids of what was recreated. */
  readonly pair: Pair;
  readonly difference: Difference;
  readonly plan: RestorePlan;
}

/**
 * Reads a backup and the living database, compares them, and says what would be written. Writes
 * nothing.
 * @throws Failure of reading either; `restore-refused` when the backup is of another database, or
 *   when nothing in either has an owner or table that was named.
 */
export async function viewRestore({
  file,
  damage,
  cluster,
  northbound,
  selection,
  otherCluster,
  signal,
}: RestoreOrder): Promise<RestoreView> {
  const read =
    damage !== undefined || isOfFindings(file) ? undefined : await readBackup(file, signal);
  const snapshot = await takeSnapshot(northbound, signal);
  const backup =
    read ??
    (damage === undefined
      ? await readDamage(file, snapshot, cluster)
      : damageBackup(damage, file, snapshot, cluster));
  const foreign = otherCluster ? undefined : foreignTo(backup, snapshot);
  if (foreign !== undefined)
    throw new Failure(
      'restore-refused',
      `${file} is no backup of ${northbound.where}: ${foreign}. Nothing was written. Name the right file or database; --other-cluster restores all the same.`,
    );
  const asTaken: Pair = {
    backup: backup.replica,
    live: snapshot.replica,
    tables: selection.tables,
  };
  for (const table of selection.tables ?? []) {
    if (!asTaken.backup.schema.tables.has(table) && !asTaken.live.schema.tables.has(table))
      throw new Failure(
        'restore-refused',
        `Neither the backup nor ${northbound.where} has a table ${table}. Names of tables are as in ovn-nb(5), such as Logical_Switch_Port.`,
      );
  }
  refuseStrangers(asTaken, selection, northbound.where);
  const { remade, pair, difference } = merged(asTaken, selection);
  return {
    backup,
    snapshot,
    selection,
    remade,
    pair,
    difference,
    plan: planRestore(pair, difference, selection),
  };
}

/**
 * With `removeNew`, the former rows come back under their own uuids; without it, they are merged
 * onto those that their owner recreated.
 */
function merged(
  asTaken: Pair,
  { removeNew }: RestoreSelection,
): Pick<RestoreView, 'remade' | 'pair' | 'difference'> {
  const difference = databaseDifference(asTaken);
  const remade = removeNew ? undefined : remadeIn(asTaken, difference);
  if (remade === undefined || remade.size === 0) return { remade: [], pair: asTaken, difference };
  const pair = { ...asTaken, backup: underNewUuids(asTaken, remade) };
  return { remade: [...remade.values()], pair, difference: databaseDifference(pair) };
}

/**
 * Refuses owners that have no rows: with a mistyped name, the database would appear to be
 * unchanged.
 * @throws Failure `restore-refused`.
 */
function refuseStrangers(
  { backup, live }: Pair,
  { owners }: RestoreSelection,
  where: string,
): void {
  if (owners === undefined) return;
  const there = new Set(
    [backup, live].flatMap((replica) => {
      const owner = ownersIn(replica);
      return [...replica.schema.tables.keys()].flatMap((table) =>
        [...replica.rows(table)].map((row) => owner(row).owner),
      );
    }),
  );
  const known = [...there].sort();
  const stranger = [...owners].find((it) => !there.has(it));
  if (stranger === undefined) return;
  const meant = nearest(stranger, known);
  throw new Failure(
    'restore-refused',
    `Neither the backup nor ${where} has a row of an owner ${stranger}.${meant === undefined ? '' : ` Did you mean ${meant}?`} There are rows of ${known.join(', ')}. Nothing was written.`,
  );
}

/** The differences that a selection is about; new rows always, so that they are seen. */
export const selectedRows = ({
  difference,
  selection,
}: Pick<RestoreView, 'difference' | 'selection'>): Difference['rows'] =>
  difference.rows.filter(
    (row) =>
      isSelected(row, selection) ||
      (row.ownerBefore !== undefined &&
        isSelected({ table: row.table, owner: row.ownerBefore }, selection)),
  );

export const isEmpty = ({ inserts, updates, removals }: RestorePlan): boolean =>
  inserts.length + updates.length + removals.length === 0;

export interface RestoreOptions {
  readonly northbound: Northbound;
  readonly cluster: string;
  /** Where the backup goes that is taken before anything is written. */
  readonly folder: string;
  readonly at: Date;
  readonly signal: AbortSignal;
  /** Called with the backup before the database is written to. */
  readonly onBackup?: (backup: Backup) => void;
  /**
   * Called when all is ready to be written, which may be long after this was begun: the backup has
   * the whole database. Where it throws, nothing is written, and that is thrown.
   */
  readonly beforeWriting?: () => Promise<void>;
}

export interface Restored {
  readonly backup: Backup;
  /**
   * What differed from what was written when it was read right afterwards: another client changed
   * it.
   */
  readonly moved: readonly string[];
  /** Why it could not be read right afterwards: then what has moved is not known. */
  readonly unread?: string;
}

/**
 * Carries out what was shown: takes a backup of the snapshot from which the difference was made,
 * stops other executors from writing (`takeOver`), then writes all in one transaction that is
 * refused when anything it builds on has moved since.
 *
 * @throws Failure `restore-refused`: nothing was written. `outcome-unknown`: it was sent and no
 *   answer came. `backup-invalid`: no backup could be taken, nothing was written.
 */
export async function applyRestore(
  view: RestoreView,
  { northbound, cluster, folder, at, signal, onBackup, beforeWriting }: RestoreOptions,
): Promise<Restored> {
  const taken = view.backup.takenAt?.toISOString() ?? 'an unknown time';
  const operations = restoreTransaction(
    view.plan,
    view.pair,
    `ovn-steward restore of the backup of ${taken}`,
  );
  const bytes = Buffer.byteLength(stringifyJson(operations));
  if (bytes > LARGEST_BYTES)
    throw new Failure(
      'restore-refused',
      `It would be one transaction of ${Math.ceil(bytes / 2 ** 20)} MiB, more than the ${LARGEST_BYTES / 2 ** 20} MiB that a server in use should be given. Nothing was written. Restore by owner (--owner) or table (--table); to put back everything at once, stop the writers and use ovsdb-client restore, which gives every row a new uuid.`,
    );
  const backup = await takeBackup({ snapshot: view.snapshot, cluster, at, to: { folder } });
  onBackup?.(backup);
  await northbound.takeOver(signal);
  if ((await northbound.identity(signal)) !== view.snapshot.identity)
    throw new Failure(
      'restore-refused',
      `${northbound.where} became another database after it was compared. Nothing was written. Check the addresses.`,
    );
  await beforeWriting?.();
  const answer = await northbound.write(operations, signal);
  if (answer.is === 'refused')
    throw new Failure(
      'restore-refused',
      `${refusal(answer, operations.length)} Nothing was written. Check the difference again, then restore again. The backup taken just before is ${backup.path}.`,
    );
  return { backup, ...(await readAfterwards(view.plan, northbound, signal)) };
}

/** It is committed: that the database does not answer any more takes nothing of that back. */
async function readAfterwards(
  plan: RestorePlan,
  northbound: Northbound,
  signal: AbortSignal,
): Promise<Pick<Restored, 'moved' | 'unread'>> {
  try {
    return { moved: movedSince(plan, await takeSnapshot(northbound, signal)) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { moved: [], unread: error.message };
  }
}

/** A guard that does not hold is `timed out` (RFC 7047 section 5.2.6). */
function refusal(refused: RefusedTransaction, operations: number): string {
  const { error, at } = refused;
  if (error === 'timed out') return 'The database has changed since it was compared.';
  const where = at === 'commit' ? 'at its end' : `at operation ${at + 1} of ${operations}`;
  return `The database refused the transaction ${where}: ${refusalText(refused)}.`;
}

function movedSince(plan: RestorePlan, { replica }: NorthboundSnapshot): string[] {
  const moved: string[] = [];
  for (const { table, uuid, columns } of [...plan.inserts, ...plan.updates]) {
    const row = replica.get(table, uuid);
    if (!row) moved.push(`${table} ${uuid} is gone again`);
    else
      for (const [name, value] of columns)
        if (!isWrittenByOvn(table, name) && !equal(row.get(name), value))
          moved.push(`column ${name} of ${table} ${uuid} was changed again`);
  }
  for (const { table, uuid } of plan.removals)
    if (replica.get(table, uuid)) moved.push(`${table} ${uuid} is there again`);
  return moved;
}
