import { type Control } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { changeKey } from '@ovn-steward/contracts/changes/change';
import { FindingEvent } from '@ovn-steward/contracts/findings/finding-event';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import {
  CHANGES,
  DEAD_LETTER,
  FINDINGS,
  PARTITIONS,
  TOPICS,
  CONTROL,
} from '@ovn-steward/shared/log/topics';
import { Analyzer } from './analyzer';
import type { AnalyzedBatch, AnalyzerEvent } from './analyzer-options';
import { Checkpoint } from '../store/checkpoint';
import { readCheckpoint } from '../store/read-checkpoint';
import { ip, logicalSwitch, object, pod, port } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';

const GRACE = {
  garbage: 600_000,
  leak: 600_000,
  drift: 0,
  stuck: 0,
  misplaced: 0,
  missing: 0,
  damage: 0,
};
const NOW = new Date('2026-01-01T00:00:00Z');
const PARTITION = partitionOf('test', PARTITIONS);

let folder = '';
let log: Log;
let batches: AnalyzedBatch[] = [];
let events: AnalyzerEvent[] = [];
beforeEach(async () => {
  batches = [];
  events = [];
  folder = mkdtempSync(join(tmpdir(), 'analyze-'));
  log = openSqliteLog({ file: ':memory:', now: () => NOW.getTime() });
  await log.ensureTopics(TOPICS);
});
afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true });
});

const publish = (changes: readonly Change[]): Promise<unknown> =>
  log.append(
    CHANGES,
    PARTITION,
    changes.map((change) => ({
      key: changeKey(change),
      value: JSON.stringify(change),
      timestamp: Date.parse(change.observedAt),
    })),
  );

/** Runs an analyzer until it has read everything there is, and stops it. */
async function analyzeAll(file = 'analyzer.db'): Promise<string[]> {
  const stop = new AbortController();
  const openCheckpoint = (partition: number): Checkpoint =>
    new Checkpoint(join(folder, file), partition);
  const analyzer = new Analyzer({
    only: 'test',
    log,
    openCheckpoint,
    grace: GRACE,
    version: '1.2.3',
    decisions: log,
    clock: () => NOW,
    onBatch: (it) => batches.push(it),
    onEvent: (it) => events.push(it),
  });
  const running = analyzer.run(stop.signal);
  const { high } = await log.watermarks(CHANGES, PARTITION);
  while ((analyzer.position(PARTITION) ?? -1n) < high) await new Promise((go) => setTimeout(go, 5));
  stop.abort();
  await running;
  return (analyzer.picture('test')?.findings() ?? [])
    .map((it) => `${it.id} ${it.state} ${it.firstSeen} ${it.summary}`)
    .sort();
}

/** Every record of the topic, read from its beginning. */
async function recordsOf(topic: string): Promise<{ key: string; value: string | null }[]> {
  const { records } = await log.read(topic, PARTITION, 0n, 10_000);
  return records.map((it) => ({ key: it.key, value: it.value?.toString('utf8') ?? null }));
}

const world = (history: History): Change[] => [
  ...history.listEverything(),
  history.put(object('Subnet', 'apps')),
  history.put(logicalSwitch()),
  history.put(port()),
  history.put(ip('web-0.shop.second.shop.ovn')),
  ...history.heartbeats(0),
];

test('publishes each revision of each finding once, as CloudEvents', async () => {
  const history = new History();
  await publish(world(history));
  await analyzeAll();
  await publish(history.heartbeats(11));
  const standing = await analyzeAll();
  await analyzeAll();
  const events = (await recordsOf(FINDINGS)).map((it) => FindingEvent.parse(JSON.parse(it.value!)));
  expect(standing.map((it) => it.split(' ')[1])).toEqual(['confirmed', 'confirmed']);
  expect(events.map((it) => `${it.data.rule} ${it.data.revision} ${it.data.state}`).sort()).toEqual(
    [
      'leaked-ip 1 suspected',
      'leaked-ip 2 confirmed',
      'orphaned-logical-switch-port 1 suspected',
      'orphaned-logical-switch-port 2 confirmed',
    ],
  );
  expect(new Set(events.map((it) => it.id)).size).toBe(events.length);
});

test('a lost checkpoint is rebuilt from the log to the same findings of the same age', async () => {
  const history = new History();
  await publish(world(history));
  await analyzeAll();
  await publish([
    ...history.remove(pod('shop/web-1')),
    history.put(pod('shop/other')),
    ...history.heartbeats(5),
  ]);
  const before = await analyzeAll();
  const published = (await recordsOf(FINDINGS)).length;
  expect(await analyzeAll('another.db')).toEqual(before);
  expect((await recordsOf(FINDINGS)).length).toBe(published);
});

test('resolves while it was away, and says so', async () => {
  const history = new History();
  await publish(world(history));
  await analyzeAll();
  await publish([history.put(pod('shop/web-0'))]);
  expect(await analyzeAll()).toEqual([]);
  const last = (await recordsOf(FINDINGS)).at(-1)!;
  expect(FindingEvent.parse(JSON.parse(last.value!)).data.state).toBe('resolved');
  expect(readCheckpoint(join(folder, 'analyzer.db')).findings.map((it) => it.state)).toEqual([
    'resolved',
    'resolved',
  ]);
});

test('what cannot be read goes to the dead letters with its provenance, and the rest is judged', async () => {
  const history = new History();
  await log.append(CHANGES, PARTITION, [
    { key: 'k', value: 'no JSON', timestamp: NOW.getTime() },
    { key: 'v2', value: JSON.stringify({ type: 'put', version: 2 }), timestamp: NOW.getTime() },
  ]);
  await publish(world(history));
  expect(await analyzeAll()).toHaveLength(2);
  const letters = (await recordsOf(DEAD_LETTER)).map(
    (it) => JSON.parse(it.value!) as { topic: string; offset: string; why: string; value: string },
  );
  expect(
    letters.map((it) => [it.topic, it.offset, Buffer.from(it.value, 'base64').toString()]),
  ).toEqual([
    [CHANGES, '0', 'no JSON'],
    [CHANGES, '1', '{"type":"put","version":2}'],
  ]);
  expect(letters[1]!.why).toMatch(/version 1/);
  const { high } = await log.watermarks(CHANGES, PARTITION);
  const sum = (of: (it: AnalyzedBatch) => number): number =>
    batches.reduce((so, it) => so + of(it), 0);
  expect([sum((it) => it.deadLetters), sum((it) => it.records)]).toEqual([2, Number(high)]);
  expect(batches.every((it) => it.seconds > 0 && it.seconds < 60)).toBe(true);
});

test('a change published twice or out of order moves nothing', async () => {
  const history = new History();
  const changes = world(history);
  const late = history.remove(port());
  await publish([...changes, ...changes, ...late, ...changes]);
  expect((await analyzeAll()).map((it) => it.includes('port '))).toEqual([false]);
});

test("another cluster's changes in the same partition are left alone", async () => {
  await publish(world(new History()).map((it) => ({ ...it, cluster: 'other' })));
  expect(await analyzeAll()).toEqual([]);
});

test('a file that is no checkpoint is refused with what to do', () => {
  writeFileSync(join(folder, 'broken.db'), 'x'.repeat(4096));
  expect(() => new Checkpoint(join(folder, 'broken.db'), 0)).toThrow(
    expect.objectContaining({
      code: 'state-corrupt',
      message: expect.stringMatching(/move it away/),
    }),
  );
});

test('what people suppressed is reported so from its first revision on, and open again at the next start', async () => {
  const control = (type: 'suppress' | 'unsuppress'): Control =>
    ({
      type,
      version: 1,
      id: type,
      cluster: 'test',
      by: 'anna',
      at: NOW.toISOString(),
      selector: { rule: 'leaked-ip' },
      ...(type === 'suppress' && { reason: 'known', until: null }),
    }) as Control;
  const report = (it: Control): Promise<unknown> =>
    log.append(CONTROL, PARTITION, [encodeControl(it, NOW.getTime())]);
  const states = (standing: readonly string[]): readonly string[] =>
    standing.map((it) => it.split(' ')[1]!).sort();
  await report(control('suppress'));
  await publish(world(new History()));
  expect(states(await analyzeAll())).toEqual(['suppressed', 'suspected']);
  expect(states(await analyzeAll('another.db'))).toEqual(['suppressed', 'suspected']);
  await report(control('unsuppress'));
  expect(states(await analyzeAll('another.db'))).toEqual(['suspected', 'suspected']);
});
