import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyRestore, viewRestore } from '@ovn-steward/backup/restore';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type WatchedIncident, watchIncident } from './incidents/watched-incident';
import { until } from '@ovn-steward/shared/testing/until';

describeWith(ovn, 'the recorded incident on a living Northbound', () => {
  let incident: WatchedIncident;
  let folder = '';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'damage-'));
    incident = await watchIncident('incident');
  });
  afterEach(async () => {
    await incident.stop();
    rmSync(folder, { recursive: true });
  });

  test('is found while it happens, and what was deleted stands again after the findings are restored', async () => {
    expect(await incident.happen()).toBeGreaterThan(70);

    const file = join(folder, 'damage.json');
    writeFileSync(file, JSON.stringify(incident.damage()));
    const live = liveNorthbound({ remotes: incident.server.remote });
    const { signal } = new AbortController();
    const view = await viewRestore({
      file,
      cluster: 'incident',
      northbound: live,
      selection: { owners: undefined, tables: undefined, removeNew: false },
      otherCluster: false,
      signal,
    });
    expect(view.plan.leftOut).toEqual([]);
    expect(view.plan.losses).toEqual([]);
    await applyRestore(view, {
      northbound: live,
      cluster: 'incident',
      folder,
      at: new Date(),
      signal,
    });
    await live.close();

    expect(await incident.different()).toEqual([]);
    await until(() => incident.damage().length === 0, 'all damage to be gone');
  });
});
