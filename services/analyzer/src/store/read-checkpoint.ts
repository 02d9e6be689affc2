import { existsSync } from 'node:fs';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { openDatabase } from '@ovn-steward/shared/log/sqlite-database';

/** What a checkpoint says, read beside the analyzer that writes it. */
export interface CheckpointContents {
  /** Of every cluster in the partition. */
  readonly findings: readonly Finding[];
}

/** Reads a checkpoint without disturbing its writer. @throws Failure `input-not-found`, `state-corrupt`. */
export function readCheckpoint(path: string): CheckpointContents {
  if (!existsSync(path))
    throw new Failure(
      'input-not-found',
      `${path} does not exist; start \`steward run\` with this state directory first, or name another with --state-dir`,
    );
  try {
    const db = openDatabase(path, { readonly: true, timeout: 5000 });
    try {
      const rows = db.prepare<[], { finding: string }>('SELECT finding FROM finding').all();
      return { findings: rows.map((it) => JSON.parse(it.finding) as Finding) };
    } finally {
      db.close();
    }
  } catch (error) {
    throw new Failure(
      'state-corrupt',
      `${path} cannot be read as a checkpoint (${messageOf(error)})`,
      { cause: error },
    );
  }
}
