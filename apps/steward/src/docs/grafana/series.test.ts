import { series } from './series';

test('chooses by job, and by cluster what has that label', () => {
  expect(series('steward_findings', 'class="leak"')).toBe(
    'steward_findings{job=~"$job", cluster=~"$cluster", class="leak"}',
  );
  expect(series('steward_executor_outbox')).toBe('steward_executor_outbox{job=~"$job"}');
});

test('knows the parts of a histogram, and the series of a process', () => {
  expect(series('steward_analyzer_batch_duration_seconds_bucket')).toContain('{job=~"$job"}');
  expect(series('process_resident_memory_bytes')).toContain('{job=~"$job"}');
});

test('refuses what nothing defines, and names it', () => {
  expect(() => series('steward_findngs')).toThrow('steward_findngs');
});
