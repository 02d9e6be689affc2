import { isDeepStrictEqual } from 'node:util';
import { operation, type Operation, type TransactResult } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import type { Cluster } from '../cluster';
import { isPart, reasonToKeep, withoutGone } from '../oracle';
import {
  differences,
  grew,
  referrersOf,
  type Row,
  type Rows,
  sameJson,
  withoutEntry,
} from '../pictures';
import type { Scores } from './scores';
import { standsAgain } from './standing';

/** A row that an executor removed, and by whom it was referred to. */
interface Image {
  readonly action: string;
  readonly row: Row;
  readonly referrers: readonly (readonly [table: string, uuid: string, column: string])[];
}

type Owns = (lock: string) => boolean;

type Changed = readonly [table: string, uuid: string];

/** Called with every write of an executor that was committed: what it did to whose claim. */
export type OnWrite = (
  operations: readonly Operation[],
  action: string,
  what: 'removal' | 'put-back',
) => void;

/**
 * Watches every transaction of the database, and judges those of executors row by row, column by
 * column.
 */
export function judgeRows(cluster: Cluster, scores: Scores, onWrite: OnWrite): void {
  const { database } = cluster.northbound;
  const images = new Map<string, Image>();
  /** Actions that took an entry out of a row, which has no incarnation. */
  const entries = new Map<string, Reference>();
  const { standing, claimed, tally, describe, offend } = scores;
  const picture = (): Rows =>
    new Map(
      [...database.schema.tables.keys()].map((table) => [table, new Map(database.rows(table))]),
    );
  const transact = database.transact.bind(database);
  database.transact = (operations, owns) => {
    if (operations[0]?.op !== 'assert') {
      const moved = transact(operations, owns);
      for (const [id, target] of standing)
        if (target.source === 'ovn-nb' && !standsAgain(cluster, target)) standing.delete(id);
      for (const [id, target] of entries)
        if (standsAgain(cluster, target)) scores.overtaken.add(id);
      return moved;
    }
    const [lock, ...all] = operations;
    const writes = writesIn(all);
    // Several are tried as what they are, one transaction, and then judged one after the other.
    const tried = writes.length > 1 ? transact([...operations, ABORT], owns) : undefined;
    if (tried !== undefined && !isAborted(tried, operations.length)) {
      tally.refusals += 1;
      return tried;
    }
    if (writes.length > 1) tally.together += writes.length;
    const results = writes.map((it) => commit(lock!, it, owns));
    return joined(results);
  };

  function commit(
    lock: Operation,
    write: readonly Operation[],
    owns: Owns | undefined,
  ): TransactResult {
    const action = actionOf(write);
    const before = picture();
    const target = claimed.get(action);
    const reason = target && reasonToKeep(cluster, target);
    const result = transact([lock, ...write], owns);
    if (!result.ok) tally.refusals += 1;
    else {
      const did = judge(action, target, reason, before, picture());
      if (did !== undefined) onWrite(write, action, did);
    }
    return result;
  }

  function judge(
    action: string,
    target: Reference | undefined,
    reason: string | undefined,
    before: Rows,
    after: Rows,
  ): 'removal' | 'put-back' | undefined {
    const [gone, come, changed] = differences(before, after);
    if (gone.length + come.length + changed.length === 0) return undefined;
    if (!target) {
      offend('wrongDeletions', `a write of no action that was claimed: ${action}`);
      return undefined;
    }
    if (come.length > 0 || (target.part !== undefined && grew(before, after, target))) {
      scores.count(action, 'undos');
      standing.set(action, target);
      scores.doubtful = scores.doubtful.filter((it) => it.action !== action);
      for (const it of come) judgePutBack(action, it, after);
      return 'put-back';
    }
    scores.count(action, 'removals');
    if (target.part !== undefined) entries.set(action, target);
    for (const it of gone) judgeGone(action, target, reason, it, before);
    if (target.part !== undefined)
      scores.doubt(action, target, reason, before.get(target.kind)?.get(target.uid) ?? {});
    else if (!gone.some(([table, uuid]) => table === target.kind && uuid === target.uid))
      offend('wrongDeletions', `${describe(action)} removed something else than its target`);
    for (const it of changed) judgeChanged(action, target, it, before, after, gone);
    return 'removal';
  }

  function judgeGone(
    action: string,
    target: Reference,
    reason: string | undefined,
    [table, uuid]: Changed,
    before: Rows,
  ): void {
    const row = before.get(table)!.get(uuid)!;
    images.set(`${table} ${uuid}`, { action, row, referrers: referrersOf(before, table, uuid) });
    if (table === target.kind && uuid === target.uid && target.part === undefined)
      scores.doubt(action, target, reason, row);
    else if (!isPart(target.kind, table, row) || isKeptPart(before, table, uuid, target, row))
      offend(
        'wrongDeletions',
        `${describe(action)} took ${table} ${uuid} along: ${JSON.stringify(row)}`,
      );
  }

  /** Rows that stay change only in that they forget what went, or lose the one entry. */
  function judgeChanged(
    action: string,
    target: Reference,
    [table, uuid]: Changed,
    before: Rows,
    after: Rows,
    gone: readonly Changed[],
  ): void {
    const then = before.get(table)!.get(uuid)!;
    const now = after.get(table)!.get(uuid)!;
    const isGone = (it: string): boolean => gone.some(([, each]) => each === it);
    for (const column of Object.keys(then)) {
      if (isDeepStrictEqual(then[column], now[column])) continue;
      const isEntry =
        target.part !== undefined &&
        table === target.kind &&
        uuid === target.uid &&
        column === target.part.column;
      const expected = isEntry
        ? withoutEntry(then[column], target.part!.key)
        : withoutGone(then[column], isGone);
      if (!sameJson(expected, now[column]))
        offend(
          'wrongDeletions',
          `${describe(action)} changed column ${column} of ${table} ${uuid} from ${JSON.stringify(then[column])} to ${JSON.stringify(now[column])}`,
        );
    }
  }

  function judgePutBack(action: string, [table, uuid]: Changed, after: Rows): void {
    const image = images.get(`${table} ${uuid}`);
    const now = after.get(table)!.get(uuid)!;
    if (!image && scores.settled.has(action)) return;
    if (!image)
      return offend(
        'undoMismatches',
        `${describe(action)} put in ${table} ${uuid}, which no executor removed`,
      );
    // Two executors may each have taken the removal for theirs, or one action is given up, the next
    // removes the thing, and then the first is wanted back: it is the one thing that is back.
    const theirs = scores.effects.get(image.action);
    if (image.action !== action && theirs?.undos === 0) {
      theirs.undos = 1;
      scores.overtaken.add(image.action);
    }
    const isGone = (it: string): boolean => ![...after.values()].some((rows) => rows.has(it));
    for (const column of Object.keys(image.row))
      if (!sameJson(withoutGone(image.row[column], isGone), now[column]))
        offend(
          'undoMismatches',
          `${describe(action)}: column ${column} of ${table} ${uuid} was ${JSON.stringify(image.row[column])} and is ${JSON.stringify(now[column])}`,
        );
    for (const [by, holder, column] of image.referrers) {
      const row = after.get(by)?.get(holder);
      if (
        row &&
        database.schema.tables.get(by)?.columns.get(column)?.kind === 'set' &&
        !JSON.stringify(row[column]).includes(uuid)
      )
        offend(
          'undoMismatches',
          `${describe(action)}: ${by} ${holder} does not refer to ${table} ${uuid} again (${column})`,
        );
    }
  }
}

/** Parts go only with the row that alone held them. */
function isKeptPart(
  before: Rows,
  table: string,
  uuid: string,
  target: Reference,
  row: Row,
): boolean {
  const ids = JSON.stringify(row['external_ids']);
  return (
    referrersOf(before, table, uuid).some(
      ([by, holder]) => by !== target.kind || holder !== target.uid,
    ) ||
    ids.includes('neutron:') ||
    ids.includes('someone')
  );
}

const ABORT = operation.abort();

/** Whether nothing but the abort behind them kept all operations from being committed. */
const isAborted = (result: TransactResult, at: number): boolean =>
  !result.ok && result.error.error === 'aborted' && result.error.at === at;

/** What several writes came to as one transaction: its lock, and the results of each. */
function joined(results: readonly TransactResult[]): TransactResult {
  const [first] = results;
  if (results.length === 1) return first!;
  const refused = results.find((it) => !it.ok);
  // Of the same table, no write depends on what another one leaves behind.
  if (refused) throw new Error(`a write was refused that was let through with others`);
  return {
    ok: true,
    results: [first!.results[0]!, ...results.flatMap((it) => it.results.slice(1))],
  };
}

/** The writes of one transaction (`writeTogether`): each ends with its comment. */
export function writesIn(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const ends = operations.flatMap((it, index) => (it.op === 'comment' ? [index + 1] : []));
  if (ends.length < 2) return [operations];
  return ends.map((end, nth) => operations.slice(ends[nth - 1] ?? 0, end));
}

/** The idempotency key, which every transaction carries in its comment. */
export function actionOf(operations: readonly Operation[]): string {
  const comment = operations.find((it) => it.op === 'comment');
  return (
    /action ([0-9a-f]+)/.exec(comment?.op === 'comment' ? comment.comment : '')?.[1] ?? 'unnamed'
  );
}
