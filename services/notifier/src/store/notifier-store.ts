import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import { FollowedStore } from '@ovn-steward/shared/log/followed-store';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { groupOf } from './group-of';

/** What one record says: a finding stands as this, or is forgotten. */
export type Step = { readonly stands: Finding } | { readonly forgotten: string };

/** What a sink was last sent about a group. */
export interface Delivered {
  /** When, in milliseconds. */
  readonly at: number;
  /**
   * Of the findings that were open, or about which the sink was notified before and that were not
   * all over since.
   */
  readonly ids: readonly string[];
  readonly last: Notification;
}

/** A notification that was composed, and what the sink knows once it has it. */
export type Pending = Omit<Delivered, 'at'>;

/** A group about which a sink may have to be notified. */
export interface Due {
  readonly sink: string;
  readonly group: string;
  /** In milliseconds. */
  readonly at: number;
  readonly failures: number;
  readonly delivered: Delivered | undefined;
  /** Composed, and perhaps sent: it is sent again as it is until an answer is known. */
  readonly pending: Pending | undefined;
}

const SCHEMA = `
  CREATE TABLE finding (
    id TEXT PRIMARY KEY, partition INTEGER NOT NULL, revision INTEGER NOT NULL, grp TEXT NOT NULL, open INTEGER NOT NULL, document TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX open_of_group ON finding (grp) WHERE open = 1;
  CREATE TABLE IF NOT EXISTS delivery (
    sink TEXT NOT NULL, grp TEXT NOT NULL, partition INTEGER NOT NULL, due INTEGER, failures INTEGER NOT NULL DEFAULT 0, told TEXT, pending TEXT, PRIMARY KEY (sink, grp)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS due_of_sink ON delivery (sink, due) WHERE due IS NOT NULL;
`;

interface DueRow {
  readonly sink: string;
  readonly grp: string;
  readonly due: number;
  readonly failures: number;
  readonly told: string | null;
  readonly pending: string | null;
}

/**
 * The findings as they stand, and what each sink was sent about them. What was sent outlives a
 * rebuilding from the log, and is compared with what stands once it is read again, so that nothing
 * is sent twice.
 */
export class NotifierStore extends FollowedStore {
  constructor(file: StateFile) {
    super(file, { name: 'notifier', version: 1, tables: ['finding'], make: SCHEMA });
  }

  /**
   * Applies a batch with its position, and queues for each sink the groups it changed. A revision
   * lower than the one that stands came late, and is skipped.
   * @throws Failure `log-full` when there is no room for it.
   */
  apply(
    batch: { partition: number; steps: readonly Step[]; next: bigint; at: number },
    sinks: readonly { readonly name: string; readonly waitMs: number }[],
  ): void {
    const { partition, steps, next, at } = batch;
    this.applied(partition, { next, at }, () => {
      const changed = new Set(steps.flatMap((step) => this.#step(partition, step)));
      for (const group of changed)
        for (const { name, waitMs } of sinks) this.#queue(name, group, partition, at + waitMs);
    });
  }

  /** The open findings of a group, by id. */
  open(group: string): Finding[] {
    return this.db
      .prepare<[string], { document: string }>(
        'SELECT document FROM finding WHERE grp = ? AND open = 1 ORDER BY id',
      )
      .all(group)
      .map((it) => JSON.parse(it.document) as Finding);
  }

  /**
   * The group that is due first for a sink, and when, among those of the partitions; undefined when
   * there is none. Only of a partition that was read to its end is it known what is not open any
   * more.
   */
  next(sink: string, partitions: readonly number[]): Due | undefined {
    const row = this.db
      .prepare<[string, string], DueRow>(
        'SELECT * FROM delivery WHERE sink = ? AND due IS NOT NULL AND partition IN (SELECT value FROM json_each(?)) ORDER BY due, grp LIMIT 1',
      )
      .get(sink, JSON.stringify(partitions));
    return row && dueOf(row);
  }

  /** The number of groups that wait for a sink. */
  waiting(sink: string): number {
    return this.db
      .prepare<[string], { count: number }>(
        'SELECT count(*) AS count FROM delivery WHERE sink = ? AND due IS NOT NULL',
      )
      .get(sink)!.count;
  }

  /** Keeps what is about to be sent, so that a crash sends the same again. */
  compose({ sink, group }: Due, pending: Pending): void {
    this.db
      .prepare('UPDATE delivery SET pending = ? WHERE sink = ? AND grp = ?')
      .run(JSON.stringify(pending), sink, group);
  }

  /** The sink has it. `due`: when to check the group again, in milliseconds. */
  recordDelivered({ sink, group }: Due, delivered: Delivered, due: number): void {
    this.db
      .prepare(
        'UPDATE delivery SET told = ?, pending = NULL, failures = 0, due = ? WHERE sink = ? AND grp = ?',
      )
      .run(JSON.stringify(delivered), due, sink, group);
  }

  /** There is nothing to send. What a sink was sent about a group that is over is forgotten. */
  settled({ sink, group, delivered }: Due): void {
    if (delivered === undefined || delivered.ids.length === 0)
      this.db.prepare('DELETE FROM delivery WHERE sink = ? AND grp = ?').run(sink, group);
    else
      this.db.prepare('UPDATE delivery SET due = NULL WHERE sink = ? AND grp = ?').run(sink, group);
  }

  /** It is checked again at `due`, with or without news. */
  later({ sink, group }: Due, due: number): void {
    this.db.prepare('UPDATE delivery SET due = ? WHERE sink = ? AND grp = ?').run(due, sink, group);
  }

  /** It was not taken: tried again at `due`. */
  postponed({ sink, group }: Due, due: number): void {
    this.db
      .prepare('UPDATE delivery SET due = ?, failures = failures + 1 WHERE sink = ? AND grp = ?')
      .run(due, sink, group);
  }

  /**
   * Queues every group that a sink was notified about, or that is open: its settings may be others
   * now.
   */
  retryAt(sink: string, at: number): void {
    this.db.transaction(() => {
      const groups = this.db
        .prepare<[], { grp: string; partition: number }>(
          'SELECT DISTINCT grp, partition FROM finding WHERE open = 1',
        )
        .all();
      for (const { grp, partition } of groups) this.#queue(sink, grp, partition, at);
      this.db
        .prepare('UPDATE delivery SET due = min(coalesce(due, ?), ?) WHERE sink = ?')
        .run(at, at, sink);
    })();
  }

  /** Drops what is kept of sinks that are not there any more. */
  keepSinks(names: readonly string[]): void {
    this.db
      .prepare('DELETE FROM delivery WHERE sink NOT IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(names));
  }

  /** The groups of which the step changed what is open. */
  #step(partition: number, step: Step): string[] {
    const id = 'forgotten' in step ? step.forgotten : step.stands.id;
    const before = this.db
      .prepare<[string], { revision: number; grp: string; open: number }>(
        'SELECT revision, grp, open FROM finding WHERE id = ?',
      )
      .get(id);
    const was = before?.open === 1 ? [before.grp] : [];
    if ('forgotten' in step) {
      this.db.prepare('DELETE FROM finding WHERE id = ?').run(id);
      return was;
    }
    const { stands } = step;
    if (before !== undefined && stands.revision < before.revision) return [];
    const group = groupOf(stands);
    const open = stands.state === 'confirmed';
    this.db
      .prepare(
        'INSERT OR REPLACE INTO finding (id, partition, revision, grp, open, document) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(
        id,
        partition,
        stands.revision,
        group,
        Number(open),
        open ? JSON.stringify(stands) : null,
      );
    return open ? [...was, group] : was;
  }

  #queue(sink: string, group: string, partition: number, due: number): void {
    this.db
      .prepare(
        'INSERT INTO delivery (sink, grp, partition, due) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET due = coalesce(due, excluded.due)',
      )
      .run(sink, group, partition, due);
  }
}

const dueOf = ({ sink, grp, due, failures, told, pending }: DueRow): Due => ({
  sink,
  group: grp,
  at: due,
  failures,
  delivered: told === null ? undefined : (JSON.parse(told) as Delivered),
  pending: pending === null ? undefined : (JSON.parse(pending) as Pending),
});
