import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { inStateFile, makePart, type StateTables } from '@ovn-steward/shared/log/state-file';

/** Which living systems the ledger of one cluster belongs to. */
export interface LedgerOwner {
  readonly identity: ClusterIdentity;
  /** Whether records that do not say of which systems they are count as of these. */
  readonly unnamed: boolean;
  /** The id of the decision by which a person said so; null where it was proven by a claim. */
  readonly adopted: string | null;
}

interface Row {
  readonly northbound: string;
  readonly kubernetes: string;
  readonly unnamed: number;
  readonly adopted: string | null;
}

/**
 * Kept in the executor's file, beside its ledger and over all versions of it: from the log it could
 * only be guessed.
 */
export class LedgerIdentity {
  readonly #file: StateTables;

  /** @throws Failure `state-corrupt` when the file is no usable database. */
  constructor(file: StateTables) {
    this.#file = file;
    if (!file.db.readonly)
      makePart(file, 'identity', 1, () =>
        file.db.exec(
          'CREATE TABLE IF NOT EXISTS ledger_identity (cluster TEXT PRIMARY KEY, northbound TEXT NOT NULL, kubernetes TEXT NOT NULL, unnamed INTEGER NOT NULL, adopted TEXT) STRICT, WITHOUT ROWID',
        ),
      );
  }

  /** undefined before the first claim, and in a file of a version that did not know. */
  get(cluster: string): LedgerOwner | undefined {
    if (this.#isMissing()) return undefined;
    const row = inStateFile(this.#file.path, () =>
      this.#file.db
        .prepare<[string], Row>(
          'SELECT northbound, kubernetes, unnamed, adopted FROM ledger_identity WHERE cluster = ?',
        )
        .get(cluster),
    );
    if (row === undefined) return undefined;
    const { northbound, kubernetes, unnamed, adopted } = row;
    return { identity: { northbound, kubernetes }, unnamed: unnamed === 1, adopted };
  }

  #isMissing(): boolean {
    const { db, path } = this.#file;
    if (!db.readonly) return false;
    return inStateFile(
      path,
      () =>
        db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'ledger_identity'").get() ===
        undefined,
    );
  }

  set(cluster: string, { identity, unnamed, adopted }: LedgerOwner): void {
    inStateFile(this.#file.path, () =>
      this.#file.db
        .prepare(
          'INSERT OR REPLACE INTO ledger_identity (cluster, northbound, kubernetes, unnamed, adopted) VALUES (?, ?, ?, ?, ?)',
        )
        .run(cluster, identity.northbound, identity.kubernetes, unnamed ? 1 : 0, adopted),
    );
  }
}
