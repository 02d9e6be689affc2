import { createHash } from 'node:crypto';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import {
  type ActionsNotification,
  NotifiedState,
} from '@ovn-steward/contracts/notifications/actions-notification';
import { FollowedStore } from '@ovn-steward/shared/log/followed-store';
import type { StateFile } from '@ovn-steward/shared/log/state-file';

/** What one record says: an action stands as this, or is forgotten. */
export type ActionStep = { readonly stands: ActionRecord } | { readonly forgotten: string };

/** A sink that is notified of actions. */
export interface ActionsSink {
  readonly name: string;
  readonly waitMs: number;
  takes(action: ActionRecord, state: NotifiedState): boolean;
}

/** Actions of one group that a sink is to be sent. */
export interface DueActions {
  readonly sink: string;
  readonly group: string;
  /** In milliseconds. */
  readonly at: number;
  readonly failures: number;
  /** Composed, and perhaps sent: it is sent again as it is until an answer is known. */
  readonly pending: ActionsNotification | undefined;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS notified_action (id TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS actions_begun (at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS action_to_send (
    seq INTEGER PRIMARY KEY, sink TEXT NOT NULL, grp TEXT NOT NULL, document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS action_of_group ON action_to_send (sink, grp);
  CREATE TABLE IF NOT EXISTS action_sending (
    sink TEXT NOT NULL, grp TEXT NOT NULL, due INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, pending TEXT, PRIMARY KEY (sink, grp)
  ) STRICT, WITHOUT ROWID;
`;

interface Row {
  readonly sink: string;
  readonly grp: string;
  readonly due: number;
  readonly failures: number;
  readonly pending: string | null;
}

/**
 * The actions that each sink is to be sent, with how far the log was read. What is queued and the
 * position are stored as one, so no action is lost or queued twice. Actions from before the first
 * start are not sent.
 */
export class ActionsToSend extends FollowedStore {
  constructor(file: StateFile) {
    super(file, {
      name: 'notifier-actions',
      version: 1,
      tables: [],
      position: 'action_position',
      make: SCHEMA,
    });
  }

  /** Records when sending actions began, once. @param at milliseconds since 1970. */
  begin(at: number): void {
    this.db
      .prepare(
        'INSERT INTO actions_begun (at) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM actions_begun)',
      )
      .run(at);
  }

  /**
   * Applies a batch with its position, and queues for each sink what it takes.
   * @throws Failure `log-full` when there is no room for it.
   */
  apply(
    batch: { partition: number; steps: readonly ActionStep[]; next: bigint; at: number },
    sinks: readonly ActionsSink[],
  ): void {
    const { partition, steps, next, at } = batch;
    this.applied(partition, { next, at }, () => {
      for (const step of steps)
        if ('forgotten' in step)
          this.db.prepare('DELETE FROM notified_action WHERE id = ?').run(step.forgotten);
        else this.#stands(step.stands, sinks, at);
    });
  }

  /** The group that is due first for a sink; undefined when there is none. */
  next(sink: string): DueActions | undefined {
    const row = this.db
      .prepare<[string], Row>(
        'SELECT * FROM action_sending WHERE sink = ? ORDER BY due, grp LIMIT 1',
      )
      .get(sink);
    return (
      row && {
        sink,
        group: row.grp,
        at: row.due,
        failures: row.failures,
        pending:
          row.pending === null ? undefined : (JSON.parse(row.pending) as ActionsNotification),
      }
    );
  }

  /** The actions of a group, as they came. */
  actions({ sink, group }: Pick<DueActions, 'sink' | 'group'>): ActionRecord[] {
    return this.db
      .prepare<[string, string], { document: string }>(
        'SELECT document FROM action_to_send WHERE sink = ? AND grp = ? ORDER BY seq',
      )
      .all(sink, group)
      .map((it) => JSON.parse(it.document) as ActionRecord);
  }

  /** The number of groups that wait for a sink. */
  waiting(sink: string): number {
    return this.db
      .prepare<[string], { count: number }>(
        'SELECT count(*) AS count FROM (SELECT DISTINCT grp FROM action_to_send WHERE sink = ?)',
      )
      .get(sink)!.count;
  }

  /** Keeps what is about to be sent, so that a crash sends the same again. */
  compose({ sink, group }: DueActions, pending: ActionsNotification): void {
    this.db
      .prepare('UPDATE action_sending SET pending = ? WHERE sink = ? AND grp = ?')
      .run(JSON.stringify(pending), sink, group);
  }

  /** The sink has it. What came meanwhile is sent at `due`, in milliseconds. */
  recordDelivered({ sink, group }: DueActions, sent: ActionsNotification, due: number): void {
    this.db.transaction(() => {
      this.db
        .prepare(
          'DELETE FROM action_to_send WHERE seq IN (SELECT seq FROM action_to_send WHERE sink = ? AND grp = ? ORDER BY seq LIMIT ?)',
        )
        .run(sink, group, sent.count);
      this.db
        .prepare(
          'UPDATE action_sending SET pending = NULL, failures = 0, due = ? WHERE sink = ? AND grp = ?',
        )
        .run(due, sink, group);
    })();
  }

  /** There is nothing to send any more. */
  settled({ sink, group }: DueActions): void {
    this.db.prepare('DELETE FROM action_sending WHERE sink = ? AND grp = ?').run(sink, group);
  }

  /** It was not taken: tried again at `due`. */
  postponed({ sink, group }: DueActions, due: number): void {
    this.db
      .prepare(
        'UPDATE action_sending SET due = ?, failures = failures + 1 WHERE sink = ? AND grp = ?',
      )
      .run(due, sink, group);
  }

  /** Drops what is kept of sinks that are not there any more. */
  keepSinks(names: readonly string[]): void {
    for (const table of ['action_to_send', 'action_sending'])
      this.db
        .prepare(`DELETE FROM ${table} WHERE sink NOT IN (SELECT value FROM json_each(?))`)
        .run(JSON.stringify(names));
  }

  /**
   * A revision that was read before says nothing new, also when the log is read from its beginning
   * again.
   */
  #stands(action: ActionRecord, sinks: readonly ActionsSink[], at: number): void {
    const isNew = this.db
      .prepare(
        'INSERT INTO notified_action (id, revision) VALUES (?, ?) ON CONFLICT DO UPDATE SET revision = excluded.revision WHERE excluded.revision > revision',
      )
      .run(action.id, action.revision).changes;
    const state = NotifiedState.safeParse(action.state);
    if (isNew === 0 || !state.success || Date.parse(action.at) < this.#begun()) return;
    const group = groupOfAction(action);
    for (const { name, waitMs } of sinks.filter((it) => it.takes(action, state.data))) {
      this.db
        .prepare('INSERT INTO action_to_send (sink, grp, document) VALUES (?, ?, ?)')
        .run(name, group, JSON.stringify({ ...action, proof: [], undo: null }));
      this.db
        .prepare(
          'INSERT INTO action_sending (sink, grp, due) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        )
        .run(name, group, at + waitMs);
    }
  }

  #begun(): number {
    return this.db.prepare<[], { at: number }>('SELECT at FROM actions_begun').get()?.at ?? 0;
  }
}

/** Actions of one state, rule, plan and subnet are one notification; sha256 in hex. */
const groupOfAction = ({ cluster, state, rule, plan, scope }: ActionRecord): string =>
  createHash('sha256')
    .update(JSON.stringify(['actions', cluster, state, rule, plan, scope.subnet, scope.vpc]))
    .digest('hex');
