import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Heartbeat } from '@ovn-steward/contracts/changes/change';
import { encodeChange } from '@ovn-steward/contracts/changes/change-codec';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, TOPICS } from '@ovn-steward/shared/log/topics';
import { heardIn, heardOnLog, stalenessOf } from './memory-age';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const heard = (source: string, observedThrough: string, state = 'complete') => ({
  source,
  state,
  observedThrough,
});
const FRESH = '2026-05-04T11:59:00Z';

test('fresh words of both sources leave no doubt', () => {
  expect(
    stalenessOf([heard('ovn-nb', FRESH), heard('kubernetes', FRESH)], 'x', NOW),
  ).toBeUndefined();
});

test.each<[string, Parameters<typeof stalenessOf>[0], string]>([
  ['nobody collected', [], 'Nothing has been collected yet for x'],
  ['one source never reported', [heard('ovn-nb', FRESH)], 'kubernetes never reported'],
  [
    'one has not said up to when it knows',
    [heard('ovn-nb', FRESH), heard('kubernetes', '')],
    'kubernetes never reported',
  ],
  [
    'one is being read',
    [heard('ovn-nb', FRESH), heard('kubernetes', FRESH), heard('kubernetes', '', 'listing')],
    'kubernetes is still being read',
  ],
  [
    'one is hours behind',
    [heard('ovn-nb', '2026-05-04T06:48:00Z'), heard('kubernetes', FRESH)],
    'ovn-nb last reported 5.2 hours ago, at 2026-05-04T06:48:00Z',
  ],
  [
    'both are days behind',
    [heard('ovn-nb', '2026-05-01T12:00:00Z'), heard('kubernetes', '2026-05-02T12:00:00Z')],
    'kubernetes last reported 2 days ago',
  ],
])('is reported where %s', (_, streams, says) => {
  expect(stalenessOf(streams, 'x', NOW)).toContain(says);
});

const SAMPLE = join(__dirname, '../../../../contracts/examples/change.v1.heartbeat.json');
const HEARTBEAT = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Heartbeat;
const heardOf = (change: Heartbeat, cluster = HEARTBEAT.cluster) => {
  const { key, value, timestamp } = encodeChange(change)[0]!;
  const record = { offset: 0n, key, value: Buffer.from(String(value)), headers: {}, timestamp };
  return heardIn(record, cluster);
};

test('a heartbeat says up to when its source is known; a forged one says nothing', () => {
  const { source, observedThrough } = HEARTBEAT;
  expect(heardOf(HEARTBEAT)).toEqual([{ source, state: 'complete', observedThrough }]);
  expect(heardOf(HEARTBEAT, 'elsewhere')).toEqual([]);
  expect(heardOf({ ...HEARTBEAT, observedThrough: '9999-12-31T23:59:59Z' })).toEqual([]);
});

const PARTITION = 3;
const CROWD = 5000;
test.each([
  ['all of the partition was read', CROWD - 1, true, /^Nothing has been collected yet for x/],
  [
    'only its end was read',
    CROWD,
    false,
    /^Nothing about x is among the newest 5000 records of its partition of steward\.changes\.v1/,
  ],
])('says what is known of a cluster where %s', async (_, others, readAll, says) => {
  const log = openSqliteLog({ file: ':memory:' });
  try {
    await log.ensureTopics(TOPICS);
    const [entry] = encodeChange(HEARTBEAT);
    await log.append(CHANGES, PARTITION, Array<NewRecord>(others + 1).fill(entry!));
    const read = await heardOnLog(log, PARTITION, 'elsewhere');
    expect(read).toEqual({ heard: [], readAll });
    expect(stalenessOf(read.heard, 'x', NOW, read.readAll)).toMatch(says);
    expect(stalenessOf([heard('ovn-nb', FRESH)], 'x', NOW, read.readAll)).toContain(
      readAll ? 'kubernetes never reported' : 'kubernetes reported nothing in the newest 5000',
    );
  } finally {
    await log.close();
  }
});
