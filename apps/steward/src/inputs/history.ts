import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { type KeyRecord, readKeyHistory } from '@ovn-steward/shared/log/sqlite-key-history';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import { readHistory } from '@ovn-steward/ovsdb';

/** Something that happened to a finding's subject. */
export interface HistoryEntry {
  readonly at: string;
  readonly what: string;
}

const MOST = 50;

/**
 * The subject's past in a database file: every transaction that touched its row, with the writer's
 * comment.
 */
export async function historyFromDatabase(
  path: string,
  { subject }: Finding,
): Promise<HistoryEntry[]> {
  if (subject.source !== 'ovn-nb') return [];
  const entries: HistoryEntry[] = [];
  for await (const { date, comment, changes } of readHistory(path)) {
    for (const change of changes) {
      if (change.uuid !== subject.uid || change.table !== subject.kind) continue;
      const columns = change.kind === 'modify' ? ` ${[...change.changed.keys()].join(', ')}` : '';
      entries.push({
        at: date?.toISOString() ?? '(no time)',
        what: `${change.kind}${columns}${comment ? ` (${comment})` : ''}`,
      });
    }
  }
  return entries.slice(-MOST);
}

/** The subject's past in the embedded log, as far back as compaction left it. */
export async function historyFromLog(
  path: string,
  { cluster, subject }: Finding,
): Promise<HistoryEntry[]> {
  const records = readKeyHistory(
    path,
    CHANGES,
    `${cluster}/${subject.source}/${subject.kind}/${subject.uid}`,
  );
  return records.flatMap((it) => entryOf(it) ?? []).slice(-MOST);
}

function entryOf(record: KeyRecord): HistoryEntry | undefined {
  if (record.value === null) return undefined;
  const read = decodeChange({ ...record, headers: {} });
  if (!('change' in read))
    return { at: '(no time)', what: 'published in a form that cannot be read' };
  const { change } = read;
  const seen = `seen in epoch ${change.epoch}${change.cursor ? ` at ${change.cursor}` : ''}`;
  return { at: change.observedAt, what: change.type === 'delete' ? 'gone' : seen };
}
