import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change, Put } from '@ovn-steward/contracts/changes/change';
import { encodeChange } from '@ovn-steward/contracts/changes/change-codec';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, TOPICS } from '@ovn-steward/shared/log/topics';
import { historyFromLog } from './history';

const SAMPLE = join(__dirname, '../../../../contracts/examples/change.v1.put-object.json');
const PUT = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Put;
const { object: _, ...others } = PUT;
const CHANGES_REPORTED: Change[] = [
  PUT,
  { ...others, seq: PUT.seq + 1, type: 'omitted', bytes: 9_000_000 },
  { ...others, seq: PUT.seq + 2, type: 'renamed' } as unknown as Change,
  { ...others, seq: PUT.seq + 3, type: 'delete' },
];

test('the past of a subject is what was published under its key; what is too large to publish is not gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const file = join(folder, 'log.db');
  const log = openSqliteLog({ file });
  try {
    await log.ensureTopics(TOPICS);
    const [key] = encodeChange(PUT).map((it) => it.key);
    for (const change of CHANGES_REPORTED)
      await log.append(
        CHANGES,
        0,
        encodeChange(change).map((it) => ({ ...it, key: key! })),
      );
    const { source, kind, uid, name, cluster } = PUT;
    const finding = { cluster, subject: { source, kind, uid, name } } as Finding;
    const seen = { at: PUT.observedAt, what: `seen in epoch ${PUT.epoch} at ${PUT.cursor}` };
    expect(await historyFromLog(file, finding)).toEqual([
      seen,
      seen,
      { at: '(no time)', what: 'published in a form that cannot be read' },
      { at: PUT.observedAt, what: 'gone' },
    ]);
  } finally {
    await log.close();
    rmSync(folder, { recursive: true });
  }
});
