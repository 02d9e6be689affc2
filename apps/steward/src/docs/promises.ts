import { ACTION_CODES } from '@ovn-steward/contracts/actions/action-codes';
import type { Definition } from '@ovn-steward/service/meter/definition';
import { SERVICE_METRICS } from '@ovn-steward/service/meter/service-metrics';
import { sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { METRICS } from '../http/metrics';
import { EXIT } from '../process/exit-codes';
import { SERVICE_SERIES } from '../series/service-series';

const seriesOf = (definitions: readonly Definition[]): object =>
  Object.fromEntries(definitions.map(({ name, type, labels }) => [name, { type, labels }]));

/**
 * What scripts, dashboards and configurations rely on beside documents, topics and HTTP:
 * `contracts/promises.json`. `npm run compatibility` compares it with that of every release.
 */
export const promises = (): object => ({
  exitCodes: EXIT,
  metrics: {
    'steward run': seriesOf(METRICS),
    ...Object.fromEntries(
      SERVICE_SERIES.map(([service, definitions]) => [
        service,
        seriesOf([...Object.values(SERVICE_METRICS), ...definitions]),
      ]),
    ),
  },
  settings: settingsOf(sectionOf(Settings)).map(({ path }) => path),
  actionCodes: [...new Set(ACTION_CODES.map(({ code }) => code))],
});
