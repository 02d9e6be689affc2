import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answers, type DrawnDashboard, drawDashboard } from '@ovn-steward/testbed/grafana';
import type { PrometheusServer } from '@ovn-steward/testbed/prometheus';
import { CHART } from '../../tools/chart/rendered';

/** As Grafana replaces the variables, with all values chosen. */
export const withVariables = (expr: string, job: string): string =>
  expr
    .replaceAll('$job', job)
    .replaceAll('$__rate_interval', '1m')
    .replaceAll(/\$(cluster|subnet|rule)\b/g, '.*');

/** A dashboard as the chart ships it. */
export const shippedDashboard = (name: string): DrawnDashboard =>
  JSON.parse(
    readFileSync(join(CHART, 'files/dashboards', `${name}.json`), 'utf8'),
  ) as DrawnDashboard;

/** Draws what Prometheus answers for a job now, and for the last seconds. */
export async function drawFor(
  { prometheus, job, seconds }: { prometheus: PrometheusServer; job: string; seconds: number },
  dashboard: DrawnDashboard,
  picture: string,
) {
  const end = Math.floor(Date.now() / 1000);
  const range = { start: end - seconds, end, step: Math.max(1, Math.round(seconds / 200)) };
  const answers: Record<number, Answers[number]> = {};
  for (const { id, targets } of dashboard.panels)
    answers[id] = await Promise.all(
      (targets ?? []).map((target) => {
        const expr = withVariables(target.expr, job);
        return target.range ? prometheus.askOver(expr, range) : prometheus.ask(expr, end);
      }),
    );
  return drawDashboard(dashboard, { answers, from: range.start, to: end }, picture);
}
