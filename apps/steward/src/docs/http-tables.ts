import type { Definition } from '@ovn-steward/service/meter/definition';
import { SERVICE_METRICS } from '@ovn-steward/service/meter/service-metrics';
import { METRICS } from '../http/metrics';
import { SERVICE_SERIES } from '../series/service-series';

interface DescribedRoute {
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
  }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** What the tables take of an OpenAPI document. */
export interface DescribedRoutes {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedRoute>>>>;
}

/** The routes of `steward run --listen`, for docs/http.md. */
export const routesTable = ({ paths }: DescribedRoutes): string =>
  [
    '| Route | Answers | Status |',
    '|---|---|---|',
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { summary, responses }]) =>
          `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${Object.entries(responses)
            .map(([status, { description }]) => `${status}: ${description}`)
            .join(' ')} |`,
      ),
    ),
  ].join('\n');

/** What `GET /findings` takes, for docs/http.md. */
export const findingsQueryTable = ({ paths }: DescribedRoutes): string =>
  [
    '| Parameter | Meaning |',
    '|---|---|',
    ...paths['/findings']!['get']!.parameters.map(
      ({ name, description }) => `| \`${name}\` | ${description ?? ''} |`,
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

/** Every series of the services, and which of them have it, for docs/services.md. */
export function servicesMetricsTable(): string {
  const having = new Map<string, { definition: Definition; services: string[] }>();
  const add = (definition: Definition, service: string): void => {
    const series = having.get(definition.name) ?? { definition, services: [] };
    having.set(definition.name, { ...series, services: [...series.services, service] });
  };
  for (const metric of Object.values(SERVICE_METRICS)) add(metric, 'all');
  for (const [service, definitions] of SERVICE_SERIES)
    for (const definition of definitions) add(definition, service);
  const rows = [...having.values()].map(
    ({ definition, services }) =>
      `| ${services.length === SERVICE_SERIES.length ? 'all' : services.join(', ')} | ${cells(definition)} |`,
  );
  return ['| Service | Metric | Type | Labels | Meaning |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
