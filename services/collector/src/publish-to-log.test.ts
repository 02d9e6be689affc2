import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Change } from '@ovn-steward/shared/events/change';
import type { AppendAck, NewRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { createCollector } from './collect';
import { memoryMirror } from './mirror-memory';
import { publishToLog } from './publish-to-log';
import { contentsOf } from './testing/fold';
import { fullRead, gone, scripted } from './testing/script';

const folder = mkdtempSync(join(tmpdir(), 'publish-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes what a reader of the log can fold, deletions with their tombstone', async () => {
  const log = openSqliteLog({ file: join(folder, 'log.db') });
  await log.ensureTopics(TOPICS);
  const sources = [scripted('x', [[fullRead({ a: { x: 1 }, b: {} }), [gone('b')]]])];
  await createCollector({ cluster: 'c', sources, publish: publishToLog(log, 'c'), mirror: memoryMirror(), clock: () => new Date() }).run(new AbortController().signal);

  const { records } = await log.read(CHANGES, partitionOf('c', PARTITIONS), 0n, 100);
  expect(records.map((it) => it.key)).toEqual(['c/kubernetes/_snapshot-begin/s', 'c/kubernetes/Pod/a', 'c/kubernetes/Pod/b', 'c/kubernetes/_snapshot-end/s', 'c/kubernetes/Pod/b', 'c/kubernetes/Pod/b']);
  const changes = records.flatMap((it) => (it.value ? [Change.parse(JSON.parse(it.value.toString()))] : []));
  expect(contentsOf(changes)).toEqual({ a: { x: 1 } });
  const [deletion, tombstone] = records.slice(-2);
  expect(tombstone).toMatchObject({ value: null, headers: { stream: 's', epoch: '1', seq: '5', id: changes.at(-1)?.id } });
  expect(deletion?.headers).toEqual(tombstone?.headers);
  await log.close();
});

it('appends no batch beyond half a MiB but a single record, in order and all of it', async () => {
  const appended: number[][] = [];
  const append = async (_topic: string, _partition: number, records: readonly NewRecord[]): Promise<AppendAck> => {
    appended.push(records.map((it) => (JSON.parse(String(it.value)) as { seq: number }).seq));
    return { first: 0n, next: 0n };
  };
  const large = 'é'.repeat(100 * 1024);
  const contents = Object.fromEntries(['a', 'b', 'c', 'd'].map((it) => [it, { large: it === 'c' ? large.repeat(4) : large }]));
  await createCollector({ cluster: 'c', sources: [scripted('x', [[fullRead(contents)]])], publish: publishToLog({ append }, 'c'), mirror: memoryMirror(), clock: () => new Date() }).run(new AbortController().signal);
  expect(appended).toEqual([[1, 2, 3], [4], [5, 6]]);
});
