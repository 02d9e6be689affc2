import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { CHART, rendered } from './rendered';

const FOLDER = join(CHART, 'files/dashboards');

describeWith(helm, 'with Helm, the dashboards', () => {
  const shipped = (dashboards: object) =>
    rendered({ metrics: { dashboards } }).filter(({ metadata }) =>
      metadata.name.startsWith('ovn-steward-dashboard-'),
    );

  test('are ConfigMaps, one for each file as it is, with the label of the sidecar', () => {
    const maps = shipped({ enabled: true, annotations: { grafana_folder: 'network' } });
    expect(maps.map((it) => it.data)).toEqual(
      readdirSync(FOLDER).map((file) => ({
        [`ovn-steward-${file}`]: readFileSync(join(FOLDER, file), 'utf8').trimEnd(),
      })),
    );
    for (const { kind, metadata } of maps) {
      expect(kind).toBe('ConfigMap');
      expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' });
      expect(metadata.annotations).toEqual({ grafana_folder: 'network' });
    }
  });

  test('are not there unless they are enabled', () => {
    expect(shipped({})).toEqual([]);
  });
});
