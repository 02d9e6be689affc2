import type { Log, LogRecord } from '../log/log';
import { openSqliteLog } from '../log/sqlite-log';
import { ACTIONS, CONTROL, FINDINGS, TOPICS } from '../log/topics';
import { SIGNATURE_HEADER } from './signature-header';
import { signedLog, type SignedLogOptions } from './signed-log';
import { keyHolder, trusting } from './testing/keys';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const anna = keyHolder();
const executor = keyHolder({ role: 'executor', name: 'executor-1' });
const keys = trusting(anna, executor);
let bare: Log;

beforeEach(async () => {
  bare = openSqliteLog({ file: ':memory:', now: () => NOW });
  await bare.ensureTopics(TOPICS);
});
afterEach(() => bare.close());

const over = (more: Partial<SignedLogOptions> = {}): Log =>
  signedLog(bare, {
    key: anna.key,
    trusted: () => keys,
    required: true,
    now: () => NOW,
    ...more,
  });
const record = (key: string, headers?: Record<string, string>) => ({
  key,
  value: `{"of":"${key}"}`,
  timestamp: NOW,
  ...(headers && { headers }),
});
const all = async (log: Log, topic: string): Promise<readonly LogRecord[]> =>
  (await log.read(topic, 0, 0n, 100)).records;
const timeOf = ({ origin }: LogRecord): number => (origin?.is === 'proven' ? origin.at : NaN);

test.each([CONTROL, ACTIONS])('what is appended to %s is proven when it is read', async (topic) => {
  const log = over();
  await log.append(topic, 0, [record('a', { id: '1' }), { ...record('b'), value: null }]);
  const records = await all(log, topic);
  expect(records.map((it) => it.origin)).toMatchObject([
    { is: 'proven', by: { name: 'anna' } },
    { is: 'proven', by: { name: 'anna' } },
  ]);
  expect(records[0]).toMatchObject({ headers: { id: '1' } });
});

test('other topics are as they were', async () => {
  const log = over();
  await log.append(FINDINGS, 0, [record('a')]);
  const [read] = await all(log, FINDINGS);
  expect([read?.headers, read?.origin]).toEqual([{}, undefined]);
});

test('what others appended without a key is refused', async () => {
  await bare.append(CONTROL, 0, [record('a')]);
  expect((await all(over(), CONTROL))[0]?.origin).toMatchObject({
    is: 'refused',
    reason: 'unsigned',
  });
  expect((await all(over({ required: false }), CONTROL))[0]?.origin).toEqual({ is: 'unsigned' });
});

test('who follows the topic hears the same', async () => {
  const log = over();
  await log.append(CONTROL, 0, [record('a')]);
  await bare.append(CONTROL, 0, [record('b')]);
  const stop = new AbortController();
  const heard: unknown[] = [];
  await log.consume({
    group: 'g',
    topics: [CONTROL],
    resumeAt: () => 0n,
    signal: stop.signal,
    onBatch: async ({ records }) => {
      heard.push(...records.map((it) => it.origin?.is));
      if (heard.length === 2) stop.abort();
    },
  });
  expect(heard).toEqual(['proven', 'refused']);
});

test('times of signatures only grow, whatever the clock does', async () => {
  let clock = NOW;
  const log = over({ now: () => clock });
  for (const at of [NOW, NOW, NOW - 60_000, NOW + 5]) {
    clock = at;
    await log.append(CONTROL, 0, [record('a')]);
  }
  clock = NOW;
  expect((await all(log, CONTROL)).map(timeOf)).toEqual([NOW, NOW + 1, NOW + 2, NOW + 5]);
});

test('who has read what others signed signs later, though his clock is behind', async () => {
  await over({ key: executor.key, now: () => NOW + 60_000 }).append(CONTROL, 0, [record('a')]);
  const log = over();
  await all(log, CONTROL);
  await log.append(CONTROL, 0, [record('a')]);
  expect((await all(log, CONTROL)).map(timeOf)).toEqual([NOW + 60_000, NOW + 60_001]);
});

test('a time that nobody proved moves no clock', async () => {
  const stranger = keyHolder({ role: 'approver', name: 'anna' });
  await over({ key: stranger.key, now: () => NOW + 60_000 }).append(CONTROL, 0, [record('a')]);
  const log = over();
  await all(log, CONTROL);
  await log.append(CONTROL, 0, [record('b')]);
  expect(timeOf((await all(log, CONTROL))[1]!)).toBe(NOW);
});

test('a record that is signed already goes on as it is', async () => {
  await over({ key: executor.key }).append(CONTROL, 0, [record('a')]);
  const log = over();
  const [{ key, value, headers, timestamp } = record('')] = await all(log, CONTROL);
  await log.append(CONTROL, 0, [{ key, value, headers: headers ?? {}, timestamp }]);
  expect((await all(log, CONTROL))[1]).toMatchObject({
    headers: { [SIGNATURE_HEADER]: headers?.[SIGNATURE_HEADER] },
    origin: { is: 'proven', by: { name: 'executor-1' } },
  });
});

test('without keys nothing is signed, and whatever is read counts as unsigned', async () => {
  const log = over({ key: undefined, trusted: undefined });
  await log.append(CONTROL, 0, [record('a')]);
  const [read] = await all(log, CONTROL);
  expect([read?.headers, read?.origin]).toEqual([{}, { is: 'unsigned' }]);
});
