import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { NOW } from './findings';
import { startSink, type SinkServer } from './sink-server';

/** An embedded log to notify from, a sink to notify, and a folder for the notifier's state. */
export interface NotifierBed {
  readonly folder: string;
  readonly log: Log;
  readonly sink: SinkServer;
  /** The clock of the notifier in milliseconds since 1970; advanced by the tests. */
  now: number;
  close(): Promise<void>;
}

export async function openNotifierBed(): Promise<NotifierBed> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-'));
  const log = openSqliteLog({ file: join(folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  const sink = await startSink();
  return {
    folder,
    log,
    sink,
    now: NOW.getTime(),
    async close() {
      sink.close();
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
}
