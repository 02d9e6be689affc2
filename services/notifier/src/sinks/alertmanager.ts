import type { SinkType } from './sink';

/**
 * Sent again so often: an alert ends by itself where it is not (Prometheus does the same every
 * minute).
 */
const AGAIN_EVERY_MS = 60_000;
/**
 * After so long without being sent again it ends, so that a notifier that is gone leaves no alert
 * standing.
 */
const ENDS_AFTER_MS = 5 * AGAIN_EVERY_MS;

/**
 * An alert by API v2 of Alertmanager (api/v2/openapi.yaml, postAlerts). Its labels name the group,
 * so that it stays one alert while its findings come and go; a severity that changes makes another,
 * and the former ends.
 */
export const alertmanager: SinkType = {
  path: '/api/v2/alerts',
  againEveryMs: AGAIN_EVERY_MS,
  body: ({ state, group, cluster, cause, title, severity, since, at, open, findings }) => [
    {
      labels: {
        alertname: 'OvnStewardFindings',
        cluster,
        severity,
        group: group.slice(0, 16),
        ...(cause ? { cause: `${cause.kind} ${cause.key}` } : {}),
      },
      annotations: {
        summary: title,
        open: String(open),
        findings: findings.map((it) => it.id.slice(0, 12)).join(' '),
      },
      startsAt: since,
      endsAt: state === 'resolved' ? at : new Date(Date.parse(at) + ENDS_AFTER_MS).toISOString(),
    },
  ],
};
