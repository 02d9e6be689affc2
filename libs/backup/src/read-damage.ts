import { readFile } from 'node:fs/promises';
import { Finding, type FormerContent } from '@ovn-steward/contracts/findings/finding';
import type { Replica } from '@ovn-steward/ovsdb';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { z } from 'zod';
import { beforeDamage } from './before-damage';
import type { NorthboundSnapshot } from './snapshot';
import type { ReadBackup } from './read-backup';

const Findings = z.union([z.array(Finding), Finding.transform((it) => [it])]);

/** Whether the file holds findings, and no database: by its name. */
export const isOfFindings = (path: string): boolean => path.endsWith('.json');

/**
 * Reads a file of findings of damage (`steward findings --output json`), as {@link damageBackup}
 * does.
 */
export const readDamage = async (
  path: string,
  snapshot: NorthboundSnapshot,
  cluster: string | undefined,
): Promise<ReadBackup> => damageBackup(await read(path), path, snapshot, cluster);

/**
 * Makes of findings of damage, and of the living database, what that was before. Resolved ones are
 * passed over.
 *
 * @param path where the findings are from, for messages.
 * @param cluster of which the living database is.
 * @throws Failure `input-unreadable`; `restore-refused` when they are of another cluster, or carry
 *   no row.
 */
export function damageBackup(
  all: readonly Finding[],
  path: string,
  snapshot: NorthboundSnapshot,
  cluster: string | undefined,
): ReadBackup {
  const findings = all.filter((it) => it.state !== 'resolved');
  const stranger = findings.find((it) => it.cluster !== cluster);
  if (stranger)
    throw new Failure(
      'restore-refused',
      `${path} holds findings of cluster ${stranger.cluster}, and this is ${cluster ?? 'none'}. Nothing was written. Name the right file, or the cluster (--cluster).`,
    );
  const was = findings.flatMap((it) => it.was ?? []);
  if (was.length === 0)
    throw new Failure(
      'restore-refused',
      `${path} carries no row as it was. Nothing was written. Save findings of damage: steward findings --rule neighbour-damaged --output json > ${path}`,
    );
  const [oldest] = findings.map((it) => it.firstSeen).sort();
  return {
    path,
    replica: rebuilt(path, snapshot, was),
    facts: undefined,
    takenAt: oldest === undefined ? undefined : new Date(oldest),
    identity: snapshot.identity,
  };
}

function rebuilt(
  path: string,
  { replica }: NorthboundSnapshot,
  was: readonly FormerContent[],
): Replica {
  try {
    return beforeDamage(replica, was);
  } catch (error) {
    throw new Failure(
      'input-unreadable',
      `${path} holds a row that this database cannot have (${messageOf(error)}). Nothing was written. Use the findings as they were published.`,
      { cause: error },
    );
  }
}

async function read(path: string): Promise<readonly Finding[]> {
  try {
    return Findings.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new Failure(
      'input-unreadable',
      `${path} holds no findings (${error instanceof z.ZodError ? 'it is JSON, but neither a finding nor a list of findings' : messageOf(error)}). Save them with steward findings --rule neighbour-damaged --output json.`,
      { cause: error },
    );
  }
}
