import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { RECORDINGS } from '../testing/truth';
import { recordedChanges } from './recorded-changes';

const settings = Settings.parse({ cluster: 'test' });
const at = join(RECORDINGS, 'leaky');

test('reports what a recorded watch and the history of a database report, at the time of each', async () => {
  const changes = await recordedChanges(
    { ovnNb: join(at, 'nb-history.db'), kubernetes: at },
    settings,
  );
  const gone = (changes ?? []).flatMap((it) => (it.type === 'delete' ? [it] : []));
  const sources = gone.map(({ source, kind }) => `${source} ${kind}`);
  expect(sources).toEqual(expect.arrayContaining(['kubernetes OvnFip', 'ovn-nb Port_Group']));
  for (const { observedAt } of gone) expect(observedAt).toMatch(/^2026-11-21T07:/);
  expect(new Set(gone.map(({ observedAt }) => observedAt)).size).toBeGreaterThan(2);
});

test('is nothing where no watch was recorded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-no-watch-'));
  try {
    for (const file of ['kubernetes.json', 'listed.json'])
      cpSync(join(at, file), join(folder, file));
    const options = { ovnNb: join(at, 'nb.db'), kubernetes: folder };
    expect(await recordedChanges(options, settings)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
