import { join } from 'node:path';
import type { Observation } from '../../source-kit/source';
import { createOvnFileSource } from './ovn-file';
import { createOvnHistorySource } from './ovn-history';

const leaky = (file: string): string =>
  join(__dirname, '../../../../../examples/recordings/leaky', file);
const history = { id: 'ovn-nb', path: leaky('nb-history.db') } as const;

async function observe(source: {
  observe(signal: AbortSignal): AsyncIterable<readonly Observation[]>;
}): Promise<Observation[]> {
  const seen: Observation[] = [];
  for await (const batch of source.observe(new AbortController().signal)) seen.push(...batch);
  return seen;
}

function folded(seen: readonly Observation[]): Map<string, unknown> {
  const state = new Map<string, unknown>();
  for (const observation of seen) {
    if (observation.type === 'object')
      state.set(`${observation.kind} ${observation.uid}`, [observation.name, observation.object]);
    if (observation.type === 'gone') state.delete(`${observation.kind} ${observation.uid}`);
  }
  return state;
}

it('ends where the file ends', async () => {
  const replayed = folded(await observe(createOvnHistorySource(history)));
  expect(replayed.size).toBeGreaterThan(100);
  expect(replayed).toEqual(folded(await observe(createOvnFileSource(history))));
});

it('reports each transaction at its own time, growing', async () => {
  const seen = await observe(createOvnHistorySource(history));
  const times = seen.flatMap((it) => (it.type === 'progress' ? [Date.parse(it.through)] : []));
  expect(times.length).toBeGreaterThan(10);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBeGreaterThan(10);
  expect(seen.filter((it) => it.type === 'begin' || it.type === 'complete')).toHaveLength(2);
});

it('refuses what a file source refuses', async () => {
  await expect(
    observe(createOvnHistorySource({ id: 'ovn-sb', path: history.path })),
  ).rejects.toMatchObject({ code: 'input-foreign-schema' });
  await expect(
    observe(createOvnHistorySource({ id: 'ovn-nb', path: leaky('none.db') })),
  ).rejects.toMatchObject({ code: 'input-not-found' });
});
