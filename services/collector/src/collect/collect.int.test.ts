import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { createCollector } from './collect';
import { memoryMirror } from '../mirror/mirror-memory';
import { sqliteMirror } from '../mirror/mirror-sqlite';
import type { Source } from '../source-kit/source';
import { createOvnFileSource } from '../sources/ovn/ovn-file';
import { createOvnSource } from '../sources/ovn/ovn-live';
import { contentsOf } from '../testing/fold';

const folder = mkdtempSync(join(tmpdir(), 'collect-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs a collector of one source until `enough` of its changes were published; gives what it added
 * to the log.
 */
async function collect(
  source: Source,
  log: Change[],
  enough: (change: Change) => boolean,
): Promise<Change[]> {
  const from = log.length;
  const stop = new AbortController();
  const mirror = sqliteMirror(join(folder, 'mirror.db'));
  const publish = async (changes: readonly Change[]): Promise<void> => {
    log.push(...changes);
    if (changes.some(enough)) stop.abort();
  };
  await createCollector({
    cluster: 'c',
    sources: [source],
    publish,
    mirror,
    clock: () => new Date(),
  }).run(stop.signal);
  mirror.close();
  return log.slice(from);
}

const reported = (changes: readonly Change[]): string[] =>
  changes
    .filter((it) => it.type !== 'heartbeat')
    .map((it) => ('uid' in it ? `${it.type} ${it.kind} ${it.name}` : it.type));
const isEnd = (change: Change): boolean => change.type === 'snapshot-end';

describeWith(ovn, 'a collector of a live Northbound database', () => {
  it('reports after a restart what changed while it was away, deletions too, and the log is the database', async () => {
    const server = await startOvnStandalone({ database: recording('leaky', 'nb.db') });
    const source = (): Source =>
      createOvnSource({ id: 'ovn-nb', remotes: server.remote, probeMs: 200 });
    const log: Change[] = [];
    await server.nbctl('ls-add', 'doomed', '--', 'lsp-add', 'doomed', 'p');
    await collect(source(), log, isEnd);
    expect(reported(await collect(source(), log, isEnd))).toEqual([
      'snapshot-begin',
      'snapshot-end',
    ]);

    const before = log.length;
    const running = collect(source(), log, (it) => it.type === 'put' && it.name === 'late');
    while (!log.slice(before).some(isEnd)) await sleep(10);
    await server.nbctl('ls-add', 'late');
    expect(reported(await running).slice(-1)).toEqual(['put Logical_Switch late']);

    await server.nbctl('ls-del', 'doomed', '--', 'ls-add', 'born');
    expect(reported(await collect(source(), log, isEnd)).sort()).toEqual([
      'delete Logical_Switch doomed',
      'delete Logical_Switch_Port p',
      'put Logical_Switch born',
      'snapshot-begin',
      'snapshot-end',
    ]);

    const copy = join(folder, 'copy.db');
    copyFileSync(server.file, copy);
    const fromFile: Change[] = [];
    const publish = async (changes: readonly Change[]): Promise<void> =>
      void fromFile.push(...changes);
    await createCollector({
      cluster: 'c',
      sources: [createOvnFileSource({ id: 'ovn-nb', path: copy })],
      publish,
      mirror: memoryMirror(),
      clock: () => new Date(),
    }).run(new AbortController().signal);
    expect(contentsOf(log, 'ovn-nb')).toEqual(contentsOf(fromFile, 'ovn-nb'));
    expect(log.findLast(isEnd)).toMatchObject({
      digest: (fromFile.findLast(isEnd) as Change & { digest: string }).digest,
    });
    await server.stop();
  });
});
