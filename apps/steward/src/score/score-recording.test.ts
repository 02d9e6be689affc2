import { join } from 'node:path';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { byTime, scoreRecording } from './score-recording';

const RECORDINGS = join(__dirname, '../../../../examples/recordings');
const score = (name: string, dueMs?: number) =>
  scoreRecording(
    { ovnNb: join(RECORDINGS, name, 'nb.db'), kubernetes: join(RECORDINGS, name) },
    Settings.parse({}),
    dueMs,
  );

test('nothing of a clean cluster is missed, late or taken', async () => {
  const { releases } = await score('clean', 1000);
  expect(releases).toMatchObject([
    {
      late: { count: 0 },
      missed: { count: 0 },
      pending: 0,
      removedAlive: { count: 0 },
      damaged: { count: 0 },
    },
  ]);
});

test('what is left in a leaky one is missed where it is due, and pending before', async () => {
  const [before] = (await score('leaky')).releases;
  expect(before).toMatchObject({ release: 'v1.17.0', missed: { count: 0 } });
  expect(before!.pending).toBeGreaterThan(40);
  const [due] = (await score('leaky', 0)).releases;
  expect(due!.missed.count).toBeGreaterThan(40);
  expect(due!.pending + due!.missed.count).toBe(before!.pending);
});

test('a recording of one moment shows no collection, and says what to do', async () => {
  await expect(score('kube-ovn-1.17.0-dev/clean')).rejects.toThrow(/no watch\.ndjson/);
});

test('changes of several streams are merged by time, each stream in its own order', () => {
  const change = (stream: string, seq: number, at: number) =>
    ({ stream, seq, observedAt: `2026-01-01T00:00:0${at}Z` }) as Change;
  const merged = byTime([
    change('a', 1, 1),
    change('a', 2, 4),
    change('a', 3, 3),
    change('b', 1, 1),
    change('b', 2, 2),
  ]);
  expect(merged.map((batch) => batch.map((it) => `${it.stream}${it.seq}`))).toEqual([
    ['a1', 'b1'],
    ['b2'],
    ['a2', 'a3'],
  ]);
});
