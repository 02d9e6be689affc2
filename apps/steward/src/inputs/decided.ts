import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decisionsReader, openInbox } from '@ovn-steward/executor';
import { readBeside } from '@ovn-steward/shared/log/sqlite-read-beside';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { FILES } from './state-files';
import type { Channel } from './decisions';
import { openLog } from './log';

const MAX_RECORDS = 500;

/** What people decided about the cluster, as its log says. */
export interface Decided {
  /** To the log's end as it is now. @throws Failure as reading does. */
  now: ReturnType<typeof decisionsReader>;
  close(): Promise<void>;
}

/**
 * Reads the decisions about a cluster from Kafka, or from the embedded log of a folder and what
 * waits for it, beside the process that uses it.
 * @throws Failure as opening the log does.
 */
export async function openDecided({
  cluster,
  partition,
  stateDir,
  options,
}: Channel): Promise<Decided> {
  if (stateDir === undefined) {
    const log = await openLog(options);
    return {
      now: decisionsReader((from) => log.read(CONTROL, partition, from, MAX_RECORDS), cluster),
      close: () => log.close(),
    };
  }
  const file = join(stateDir, FILES.log);
  return {
    now: decisionsReader(
      async (from) =>
        existsSync(file)
          ? readBeside(file, CONTROL, partition, from, MAX_RECORDS)
          : { records: [], next: from },
      cluster,
      () => waitingIn(stateDir),
    ),
    close: async () => undefined,
  };
}

/** What people decided that no process has taken to the log yet. */
export function waitingIn(stateDir: string): ReturnType<ReturnType<typeof openInbox>['waiting']> {
  if (!existsSync(join(stateDir, FILES.control))) return [];
  const inbox = openInbox(stateDir);
  try {
    return inbox.waiting();
  } finally {
    inbox.close();
  }
}
