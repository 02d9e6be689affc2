import { define, perCluster } from './definition';
import { createMeter } from './meter';
import { PROCESS_METRICS } from './process-metrics';

const SENT = define('counter', 'sent_total', ['to'], 'How many were sent.');
const READY = define('gauge', 'ready', [], '1 while ready.');
const OPEN = perCluster(define('gauge', 'open', ['rule'], 'Open ones.'));
const BATCH = define('histogram', 'batch_seconds', [], 'How long a batch took.');

test('definitions become series with their type, help and labels', async () => {
  const meter = createMeter([SENT, READY, OPEN, BATCH]);
  meter.inc(SENT, { to: 'a' });
  meter.inc(SENT, { to: 'a' }, 2);
  meter.set(READY, {}, 1);
  meter.add(OPEN, { cluster: 'berlin', rule: 'r' }, 2);
  meter.observe(BATCH, {}, 0.3);
  const text = await meter.text();
  expect(text).toMatch(
    /^# HELP steward_sent_total How many were sent\.\n# TYPE steward_sent_total counter\nsteward_sent_total\{to="a"\} 3$/m,
  );
  expect(text).toMatch(/^steward_ready 1$/m);
  expect(text).toMatch(/^steward_open\{cluster="berlin",rule="r"\} 2$/m);
  expect(text).toMatch(/^steward_batch_seconds_bucket\{le="0\.5"\} 1$/m);
  expect(text).not.toContain('nodejs_');
});

test('what is shown at a scrape is read at that moment, and what was reset is gone', async () => {
  const meter = createMeter([OPEN]);
  const open = new Map([['a', 1]]);
  meter.onScrape(() => {
    meter.reset(OPEN);
    for (const [rule, count] of open) meter.set(OPEN, { cluster: 'c', rule }, count);
  });
  expect(await meter.text()).toContain('rule="a"} 1');
  open.clear();
  expect(await meter.text()).not.toContain('rule=');
});

test('what cannot be read loses its own series alone, is counted and is said once', async () => {
  const said: string[] = [];
  const meter = createMeter([READY, OPEN, SENT, PROCESS_METRICS.unshown], {
    onFailed: (reason) => void said.push(reason),
  });
  let broken = '';
  meter.onScrape(() => {
    meter.set(READY, {}, 1);
    if (broken !== '') throw new Error(broken);
    meter.set(OPEN, { cluster: 'c', rule: 'r' }, 1);
  });
  meter.onScrape(() => meter.inc(SENT, { to: 'a' }));
  expect(await meter.text()).toMatch(/^steward_ready 1$[^]*^steward_open\{.* 1$/m);
  broken = 'the first reason';
  await meter.text();
  const text = await meter.text();
  expect(text).toMatch(/^steward_sent_total\{to="a"\} 3$/m);
  expect(text).not.toMatch(/^steward_(?:ready|open)\b/m);
  expect(text).toMatch(/^steward_metrics_unreadable_total 2$/m);
  broken = 'another';
  await meter.text();
  expect(said).toEqual(['the first reason', 'another']);
  broken = '';
  expect(await meter.text()).toMatch(/^steward_ready 1$[^]*^steward_open\{.* 1$/m);
});

test('a process may be reported as well', async () => {
  expect(await createMeter([], { process: true }).text()).toMatch(
    /^process_resident_memory_bytes \d+$/m,
  );
});

test('a series nobody defined is an error', () => {
  expect(() => createMeter([READY]).inc(SENT, { to: 'a' })).toThrow(
    'steward_sent_total is no counter of this meter',
  );
});
