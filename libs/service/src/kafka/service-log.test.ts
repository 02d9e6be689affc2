import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { createLogger } from '../log/logger';
import { createMeter } from '../meter/meter';
import { LOG_METRICS } from './log-metrics';
import { openServiceLog, watched } from './service-log';

let lines: string[];
beforeEach(() => {
  lines = [];
});

const tools = () => ({
  meter: createMeter(Object.values(LOG_METRICS)),
  logger: createLogger({
    service: 's',
    cluster: 'c',
    level: 'debug',
    format: 'json',
    write: (line) => {
      lines.push(line);
    },
  }),
});
const TIMING = { askEveryMs: 5, retryMs: 1 };

/** A log with scripted answers. */
function scripted() {
  const script = {
    topics: [] as (Error | undefined)[],
    notes: [] as string[],
    down: undefined as Error | undefined,
    asked: 0,
  };
  const log = {
    ensureTopics: () => {
      const error = script.topics.shift();
      return error ? Promise.reject(error) : Promise.resolve(script.notes);
    },
    watermarks: () => {
      script.asked += 1;
      return script.down ? Promise.reject(script.down) : Promise.resolve({ low: 0n, high: 0n });
    },
  } as unknown as Log;
  return { script, log };
}
const unavailable = new Failure('log-unavailable', 'no broker answers');

test('while there are no brokers it waits, is not ready and says why once; then it is ready', async () => {
  const { script, log } = scripted();
  script.topics = [unavailable, unavailable, unavailable];
  const { meter, logger } = tools();
  const watchedLog = watched(log, { meter, logger }, TIMING);
  const stop = new AbortController();
  expect(watchedLog.missing()).toMatchObject([{ what: 'log' }]);
  const ensured = watchedLog.ensure(stop.signal);
  await sleep(1);
  expect(watchedLog.missing()).toEqual([{ what: 'log', detail: 'no broker answers' }]);
  expect(await meter.text()).toMatch(/^steward_log_reachable 0$/m);
  await ensured;
  expect(watchedLog.missing()).toEqual([]);
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    'the log cannot be used',
    'the log can be used',
  ]);
  stop.abort();
});

test('a log that goes away later is missed, and welcomed back', async () => {
  const { script, log } = scripted();
  const { meter, logger } = tools();
  const watchedLog = watched(log, { meter, logger }, TIMING);
  const stop = new AbortController();
  await watchedLog.ensure(stop.signal);
  script.down = unavailable;
  while (watchedLog.missing().length === 0) await sleep(2);
  expect(await meter.text()).toMatch(/^steward_log_reachable 0$/m);
  script.down = undefined;
  while (watchedLog.missing().length > 0) await sleep(2);
  stop.abort();
  const { asked: requested } = script;
  await sleep(30);
  expect(script.asked).toBeLessThanOrEqual(requested + 1);
});

test('a position it no longer holds is counted, and its log line says which', async () => {
  const { meter, logger } = tools();
  const { log } = watched(openSqliteLog({ file: ':memory:' }), { meter, logger }, TIMING);
  await log.ensureTopics(TOPICS);
  await expect(log.read(CHANGES, 0, 7n, 10)).rejects.toMatchObject({ code: 'log-position-lost' });
  await log.close();
  expect(await meter.text()).toContain(`steward_log_positions_lost_total{topic="${CHANGES}"} 1`);
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'position lost',
      topic: CHANGES,
      detail: expect.stringContaining('Position 7 '),
    }),
  );
});

test('topics that differ end it; being refused does not', async () => {
  const { script, log } = scripted();
  script.topics = [
    new Failure('log-forbidden', 'grant Create'),
    new Failure('log-topic-drift', 'the topic differs'),
  ];
  await expect(
    watched(log, tools(), TIMING).ensure(new AbortController().signal),
  ).rejects.toMatchObject({ code: 'log-topic-drift' });
});

test('a topic that keeps more than it must is a warning', async () => {
  const { script, log } = scripted();
  script.notes = ['t: retentionMs is 3, not 2'];
  const stop = new AbortController();
  await watched(log, tools(), TIMING).ensure(stop.signal);
  stop.abort();
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 't: retentionMs is 3, not 2' }),
  );
});

test('being asked to stop ends the wait', async () => {
  const { script, log } = scripted();
  script.topics = Array.from({ length: 100 }, () => unavailable);
  const stop = new AbortController();
  const ensured = watched(log, tools(), { askEveryMs: 5, retryMs: 60_000 }).ensure(stop.signal);
  setTimeout(() => stop.abort(), 5);
  await expect(ensured).rejects.toMatchObject({ name: 'AbortError' });
});

test('without brokers it is refused, and what logs in is hidden from then on', async () => {
  expect(() => openServiceLog({ settings: Settings.parse({}), ...tools() })).toThrow(
    expect.objectContaining({ code: 'config-invalid' }),
  );
  const { logger, meter } = tools();
  const { log } = openServiceLog({
    settings: Settings.parse({
      kafka: {
        brokers: ['127.0.0.1:1'],
        sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'hunter2' },
      },
    }),
    meter,
    logger,
  });
  logger.info('hunter2');
  await log.close();
  expect(lines.join('')).not.toContain('hunter2');
});
