import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { steward } from '../testing/cli';
import { CLUSTER, poisonAndHeal } from './heal.contract';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steward-heal-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function onLog<T>(use: (log: Log) => Promise<T>): Promise<T> {
  const log = openSqliteLog({ file: join(folder, 'log.db') });
  try {
    await log.ensureTopics(TOPICS);
    return await use(log);
  } finally {
    await log.close();
  }
}

it('makes a poisoned stream of an embedded log known again', async () => {
  await poisonAndHeal(onLog, (...options) =>
    steward(['heal', '--cluster', CLUSTER, '--state-dir', folder, ...options]),
  );
});

it('needs the name of a cluster, and a log', async () => {
  expect((await steward(['heal', '--state-dir', folder])).stderr).toMatch(/--cluster/);
  expect((await steward(['heal', '--cluster', 'c', '--state-dir', folder])).stderr).toMatch(
    /no event log/,
  );
});
