import type { FollowedState, ReadPosition } from './follow-topic';
import type { Database } from './sqlite-database';
import { inStateFile, makePart, type StateTables } from './state-file';

export interface FollowedTables {
  /** Of the part of the file; one for each store. */
  readonly name: string;
  /**
   * Grows when stored state is no longer what the code would build; it is then rebuilt from the
   * log.
   */
  readonly version: number;
  /**
   * Those that hold what was read, each with a column `partition`; the statements of `make` create
   * them again.
   */
  readonly tables: readonly string[];
  readonly make: string;
  /** The table of the positions, where a file holds more than one store. Default: `position`. */
  readonly position?: string;
}

/**
 * What is kept of a compacted topic in tables of a state file, and how far each partition was read.
 * It holds nothing that is not in the log; delete the file and it is rebuilt.
 */
export class FollowedStore implements FollowedState {
  protected readonly db: Database;
  readonly #path: string;
  readonly #tables: readonly string[];
  readonly #position: string;

  /** @throws Failure `state-corrupt` when the file is no usable database. */
  constructor(
    file: StateTables,
    { name, version, tables, make, position = 'position' }: FollowedTables,
  ) {
    this.db = file.db;
    this.#path = file.path;
    this.#position = position;
    this.#tables = [position, ...tables];
    const drops = this.#tables.map((table) => `DROP TABLE IF EXISTS ${table};`).join('\n');
    const positions = `CREATE TABLE ${position} (partition INTEGER PRIMARY KEY, next TEXT NOT NULL, at INTEGER NOT NULL) STRICT;`;
    makePart(file, name, version, () => this.db.exec(`${drops}\n${positions}\n${make}`));
  }

  /** Where a partition goes on; undefined for one never read. */
  position(partition: number): ReadPosition | undefined {
    const row = this.db
      .prepare<[number], { next: string; at: number }>(
        `SELECT next, at FROM ${this.#position} WHERE partition = ?`,
      )
      .get(partition);
    return row && { next: BigInt(row.next), at: row.at };
  }

  /**
   * Forgets what was read of one partition, or of all, so that reading starts at the log's
   * beginning.
   */
  forget(partition?: number): void {
    this.db.transaction(() => {
      for (const table of this.#tables)
        if (partition === undefined) this.db.exec(`DELETE FROM ${table}`);
        else this.db.prepare(`DELETE FROM ${table} WHERE partition = ?`).run(partition);
    })();
  }

  /**
   * Applies a batch and saves the position behind it: both or neither.
   * @throws Failure `log-full` when there is no room.
   */
  protected applied<T>(partition: number, { next, at }: ReadPosition, apply: () => T): T {
    return inStateFile(this.#path, () =>
      this.db.transaction(() => {
        const result = apply();
        this.db
          .prepare(
            `INSERT OR REPLACE INTO ${this.#position} (partition, next, at) VALUES (?, ?, ?)`,
          )
          .run(partition, String(next), at);
        return result;
      })(),
    );
  }
}
