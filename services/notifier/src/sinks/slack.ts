import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import type { SinkType } from './sink';

const MOST_LINES = 5;

/** Slack reads `<…>` and `&` as markup (api.slack.com, "Formatting text for app surfaces"): with names from a cluster it could be made to mention everybody. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A message for Slack's incoming webhooks, and for those that take the same: Mattermost, Rocket.Chat. */
export const slack: SinkType = { path: '', body: (it) => ({ text: escaped(textOf(it)) }) };

function textOf({ state, severity, cluster, title, since, open, findings }: Notification): string {
  if (state === 'resolved') return `RESOLVED ${title} (cluster ${cluster}, since ${since})`;
  const shown = findings.slice(0, MOST_LINES);
  return [
    `${severity.toUpperCase()} ${title} (cluster ${cluster}, since ${since})`,
    ...(open > 1 ? shown.map((it) => `- ${it.summary}`) : []),
    ...(open > shown.length ? [`- and ${open - shown.length} more`] : []),
    ...(shown[0] === undefined ? [] : [`steward explain ${shown[0].id.slice(0, 12)}`]),
  ].join('\n');
}
