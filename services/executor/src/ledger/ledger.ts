import {
  type ActionRecord,
  type ActionState,
  UNDER_WAY,
} from '@ovn-steward/contracts/actions/action';
import { actionIn, actionJson } from '@ovn-steward/contracts/actions/action-codec';
import { Failure } from '@ovn-steward/shared/errors';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { isTaken } from './action-record';
import { foldRecord, type LedgerHead, type UnpublishedRecord } from './fold';
import type { ActionEntry, ReadAction } from './read-action';
import { inStateFile, makePart, type StateTables } from '@ovn-steward/shared/log/state-file';
import {
  columnsOf,
  LEDGER_TABLES,
  LEDGER_VERSION,
  PUT_ACTION,
  UNPROVEN_TABLE,
} from './ledger-tables';
import { LedgerReader } from './ledger-reader';

/** A record to be published. */
export interface OutgoingAction {
  readonly seq: number;
  readonly id: string;
  /** The action's JSON. */
  readonly text: string;
}

/** What a batch of the log brought about. */
export interface FoldResult {
  /** How many records changed what stands: decisions that were not known here. */
  readonly news: number;
  /** How many are ignored, since their author is not proven and what stands is known better. */
  readonly refused: number;
}

/** What a record of the log did to what stands. */
type Effect = 'news' | 'nothing' | 'refused';

type Forgotten = Extract<ActionEntry, { readonly forgotten: string }>;

/** A batch to publish ends beyond this, so that large undo records do not fill the memory. */
const OUTBOX_CHARACTERS = 8 * 1_048_576;

/**
 * The executor's ledger: the newest record of every action, what of it is not published yet, and up
 * to where the log's actions are folded in. All but what is not published can be built again from
 * the log (`fold.ts`, `catch-up.ts`).
 */
export class Ledger extends LedgerReader {
  readonly #path: string;

  /** @throws Failure `state-corrupt` when the file is no usable database. */
  constructor(file: StateTables) {
    super(file);
    this.#path = file.path;
    if (this.db.readonly) return;
    inStateFile(file.path, () => this.db.exec(UNPROVEN_TABLE));
    makePart(file, 'ledger', LEDGER_VERSION, () => this.#make());
  }

  /**
   * Records decisions for publication; all of them or none. One that stands already is skipped.
   * @throws Failure `fenced` when one is not newer than what stands: that came from elsewhere,
   * decide again; `log-record-refused` when one is larger than its topic takes; `log-full` when
   * there is no room.
   */
  write(actions: readonly ActionRecord[]): void {
    this.#within(() => {
      for (const action of actions) {
        const text = actionJson(action);
        const known = this.#head(action.id);
        if (known?.text === text) continue;
        if (known !== undefined && action.revision <= known.revision)
          throw new Failure(
            'fenced',
            `Action ${action.id} stands in revision ${known.revision} already, ${known.state}: decide about it again.`,
          );
        if (!isTaken(action.id, text))
          throw new Failure(
            'log-record-refused',
            `Action ${action.id} is larger than its topic takes: refuse it.`,
          );
        this.#put({ action, text, unproven: false });
        this.#enqueue(
          partitionOf(action.cluster, PARTITIONS),
          action.id,
          { ...action, text },
          false,
        );
      }
    });
  }

  /**
   * Folds in what the log says, in its order, up to `next`.
   * @param hidden ids over which the log has a record that counts for nothing: their current record
   * is published again, since compaction keeps the last.
   */
  take(
    partition: number,
    entries: readonly ActionEntry[],
    next: bigint,
    hidden: Iterable<string> = [],
  ): FoldResult {
    return this.#withinUnsynced(() => {
      let added = 0;
      const refused: string[] = [];
      for (const entry of entries) {
        const effect = 'forgotten' in entry ? this.#forget(entry) : this.#fold(partition, entry);
        if (effect === 'news') added += 1;
        if (effect === 'refused')
          refused.push('forgotten' in entry ? entry.forgotten : entry.action.id);
      }
      for (const id of new Set([...hidden, ...refused])) {
        const known = this.#head(id);
        if (known !== undefined && !known.unproven && this.#waiting(id).length === 0)
          this.#enqueue(partition, id, known, true);
      }
      this.#moveTo(partition, next);
      return { news: added, refused: refused.length };
    });
  }

  /** The oldest records of a partition that are not published; at most so many. */
  outbox(partition: number, max: number): OutgoingAction[] {
    const waiting: OutgoingAction[] = [];
    let size = 0;
    for (const outgoing of this.sql<[number, number], OutgoingAction>(
      'SELECT seq, id, record AS text FROM outbox WHERE partition = ? ORDER BY seq LIMIT ?',
    ).iterate(partition, max)) {
      waiting.push(outgoing);
      size += outgoing.text.length;
      if (size >= OUTBOX_CHARACTERS) break;
    }
    return waiting;
  }

  /** How many records are to be published, of all partitions. */
  unpublished(): number {
    return this.sql<[], { count: number }>('SELECT count(*) AS count FROM outbox').get()!.count;
  }

  /**
   * Those are in the log, which goes on at `next`, and nothing lies between them and what was
   * folded in before.
   */
  published(partition: number, seqs: readonly number[], next: bigint): void {
    this.#withinUnsynced(() => {
      for (const seq of seqs) this.sql('DELETE FROM outbox WHERE seq = ?').run(seq);
      this.#moveTo(partition, next);
    });
  }

  /**
   * The log of a partition is not the one that was read: it is to be read from its beginning, and
   * what it turns out to lack is published again.
   */
  restart(partition: number): void {
    this.#within(() => {
      this.sql(
        `
        INSERT INTO outbox (partition, id, revision, again, record)
        SELECT partition, id, revision, 0, record FROM action WHERE partition = ? AND id NOT IN (SELECT id FROM unproven) AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = action.id AND outbox.again = 0) ORDER BY id`,
      ).run(partition);
      this.sql('DELETE FROM outbox WHERE partition = ? AND again = 1').run(partition);
      this.sql('DELETE FROM action_position WHERE partition = ?').run(partition);
    });
  }

  #make(): void {
    this.db.exec(LEDGER_TABLES);
    for (const { text } of this.sql<[], { text: string }>(
      'SELECT record AS text FROM outbox ORDER BY seq',
    ).all())
      this.#put({ action: actionIn(text), text, unproven: false });
  }

  #fold(partition: number, read: ReadAction): Effect {
    const { action } = read;
    const known = this.#head(action.id);
    const folded = foldRecord(known, this.#waiting(action.id), read);
    switch (folded.is) {
      case 'known':
        if (folded.seq !== undefined) this.sql('DELETE FROM outbox WHERE seq = ?').run(folded.seq);
        if (read.unproven !== true) this.sql('DELETE FROM unproven WHERE id = ?').run(action.id);
        return 'nothing';
      case 'behind':
        if (folded.repeat) this.#enqueue(partition, action.id, known!, true);
        return 'nothing';
      case 'refused':
        return 'refused';
      case 'stands':
        this.sql('DELETE FROM outbox WHERE id = ?').run(action.id);
        this.#put(folded.read);
        if (folded.publish)
          this.#enqueue(
            partition,
            action.id,
            { ...folded.read.action, text: folded.read.text },
            false,
          );
        return 'news';
    }
  }

  /** A tombstone. It does not remove what is under way here, or not published yet. */
  #forget({ forgotten: id, unproven }: Forgotten): Effect {
    const known = this.#head(id);
    if (known === undefined) return 'nothing';
    if (unproven === true && !known.unproven) return 'refused';
    if (UNDER_WAY.has(known.state as ActionState) || this.#waiting(id).some((it) => !it.again))
      return 'nothing';
    for (const table of ['outbox', 'action', 'unproven'])
      this.sql(`DELETE FROM ${table} WHERE id = ?`).run(id);
    return 'news';
  }

  #put(read: ReadAction): void {
    this.sql(PUT_ACTION).run(...columnsOf(read));
    this.sql(
      read.unproven === true
        ? 'INSERT OR IGNORE INTO unproven (id) VALUES (?)'
        : 'DELETE FROM unproven WHERE id = ?',
    ).run(read.action.id);
  }

  #enqueue(
    partition: number,
    id: string,
    { revision, text }: Pick<LedgerHead, 'revision' | 'text'>,
    again: boolean,
  ): void {
    this.sql(
      'INSERT INTO outbox (partition, id, revision, again, record) VALUES (?, ?, ?, ?, ?)',
    ).run(partition, id, revision, again ? 1 : 0, text);
  }

  #moveTo(partition: number, next: bigint): void {
    this.sql('INSERT OR REPLACE INTO action_position (partition, next) VALUES (?, ?)').run(
      partition,
      String(next),
    );
  }

  #head(id: string): LedgerHead | undefined {
    const known = this.sql<[string], Omit<LedgerHead, 'unproven'>>(
      'SELECT revision, state, record AS text FROM action WHERE id = ?',
    ).get(id);
    return known && { ...known, unproven: this.isUnproven(id) };
  }

  #waiting(id: string): UnpublishedRecord[] {
    return this.sql<[string], Omit<UnpublishedRecord, 'again'> & { again: number }>(
      'SELECT seq, revision, again, record AS text FROM outbox WHERE id = ? ORDER BY seq',
    )
      .all(id)
      .map((it) => ({ ...it, again: it.again === 1 }));
  }

  #within<T>(step: () => T): T {
    return inStateFile(this.#path, () => this.db.transaction(step)());
  }

  /**
   * For what the log has: should power fail before the disk has it, it is read from there once
   * more. It lies before whatever is written next.
   */
  #withinUnsynced<T>(step: () => T): T {
    this.db.pragma('synchronous = NORMAL');
    try {
      return this.#within(step);
    } finally {
      this.db.pragma('synchronous = FULL');
    }
  }
}
