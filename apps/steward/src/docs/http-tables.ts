import { ANALYZER_SERVICE_METRICS } from '@ovn-steward/analyzer';
import { COLLECTOR_SERVICE_METRICS } from '@ovn-steward/collector';
import { EXECUTOR_SERVICE_METRICS } from '@ovn-steward/executor';
import type { Definition } from '@ovn-steward/service/meter/definition';
import { SERVICE_METRICS } from '@ovn-steward/service/meter/service-metrics';
import { METRICS } from '../http/metrics';
import { DESCRIBED } from '../http/routes';

/** The routes of `steward run --listen`, for docs/http.md. */
export const routesTable = (): string =>
  [
    '| Route | Answers | Status |',
    '|---|---|---|',
    ...DESCRIBED.map(
      (it) =>
        `| \`GET ${it.path}\` | ${it.says} | ${Object.entries(it.responses)
          .map(([status, { says }]) => `${status}: ${says}`)
          .join(' ')} |`,
    ),
  ].join('\n');

/** What `GET /findings` takes, for docs/http.md. */
export const findingsQueryTable = (): string =>
  [
    '| Parameter | Meaning |',
    '|---|---|',
    ...DESCRIBED.flatMap((it) => Object.entries(it.query?.shape ?? {})).map(
      ([name, it]) => `| \`${name}\` | ${(it as { description?: string }).description ?? ''} |`,
    ),
  ].join('\n');

/** Every series of `GET /metrics`, for docs/http.md. */
export const metricsTable = (): string =>
  [
    '| Metric | Type | Labels | Meaning |',
    '|---|---|---|---|',
    ...METRICS.map((it) => `| ${cells(it)} |`),
  ].join('\n');

const cells = ({ name, type, labels, help }: Definition): string =>
  `\`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help}`;

const SERVICES: readonly (readonly [string, readonly Definition[]])[] = [
  ['collector', COLLECTOR_SERVICE_METRICS],
  ['analyzer', ANALYZER_SERVICE_METRICS],
  ['executor', EXECUTOR_SERVICE_METRICS],
];

/** Every series of the services, and which of them have it, for docs/services.md. */
export function servicesMetricsTable(): string {
  const having = new Map<string, { definition: Definition; services: string[] }>();
  const note = (definition: Definition, service: string): void => {
    const it = having.get(definition.name) ?? { definition, services: [] };
    having.set(definition.name, { ...it, services: [...it.services, service] });
  };
  for (const it of Object.values(SERVICE_METRICS)) note(it, 'all');
  for (const [service, definitions] of SERVICES) for (const it of definitions) note(it, service);
  const rows = [...having.values()].map(
    ({ definition, services }) =>
      `| ${services.length === SERVICES.length ? 'all' : services.join(', ')} | ${cells(definition)} |`,
  );
  return ['| Service | Metric | Type | Labels | Meaning |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
