import { METRICS } from '../http/metrics';
import { DESCRIBED } from '../http/routes';

/** The routes of `steward run --listen`, for docs/http.md. */
export const routesTable = (): string =>
  ['| Route | Answers | Status |', '|---|---|---|', ...DESCRIBED.map((it) => `| \`GET ${it.path}\` | ${it.says} | ${Object.entries(it.responses).map(([status, { says }]) => `${status}: ${says}`).join(' ')} |`)].join('\n');

/** What `GET /findings` takes, for docs/http.md. */
export const findingsQueryTable = (): string =>
  ['| Parameter | Meaning |', '|---|---|', ...DESCRIBED.flatMap((it) => Object.entries(it.query?.shape ?? {})).map(([name, it]) => `| \`${name}\` | ${(it as { description?: string }).description ?? ''} |`)].join('\n');

/** Every series of `GET /metrics`, for docs/http.md. */
export const metricsTable = (): string =>
  ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...Object.values(METRICS).map((it) => `| \`${it.name}\` | ${it.type} | ${it.labels.map((label) => `\`${label}\``).join(', ')} | ${it.help} |`)].join('\n');
