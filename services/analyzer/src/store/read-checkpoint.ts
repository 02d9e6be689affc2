import { existsSync } from 'node:fs';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { openDatabase } from '@ovn-steward/shared/log/sqlite-database';
import type { StreamState } from '../world/streams';

/** What a checkpoint says, read beside the analyzer that writes it. */
export interface CheckpointContents {
  readonly now: string;
  readonly findings: readonly Finding[];
  readonly streams: readonly StreamState[];
}

/** Reads a checkpoint without disturbing its writer. @throws Failure `input-not-found`, `state-corrupt`. */
export function readCheckpoint(path: string): CheckpointContents {
  if (!existsSync(path)) throw new Failure('input-not-found', `${path} does not exist; start \`steward run\` with this state directory first, or name another with --state-dir`);
  try {
    const db = openDatabase(path, { readonly: true, timeout: 5000 });
    try {
      const all = <T>(sql: string): T[] => db.prepare<[], T>(sql).all();
      return {
        now: all<{ value: string }>("SELECT value FROM meta WHERE key = 'now'")[0]?.value ?? '',
        findings: all<{ finding: string }>('SELECT finding FROM finding').map((it) => JSON.parse(it.finding) as Finding),
        streams: all<{ state: string }>('SELECT state FROM stream').map((it) => JSON.parse(it.state) as StreamState),
      };
    } finally {
      db.close();
    }
  } catch (error) {
    throw new Failure('state-corrupt', `${path} cannot be read as a checkpoint (${messageOf(error)})`, { cause: error });
  }
}
