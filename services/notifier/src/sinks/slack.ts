import type { ActionsNotification } from '@ovn-steward/contracts/notifications/actions-notification';
import type { Notification } from '@ovn-steward/contracts/notifications/notification';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { SinkType } from './sink';

const MOST_LINES = 5;

/**
 * Slack reads `<…>` and `&` as markup (api.slack.com, "Formatting text for app surfaces"): with
 * names from a cluster it could be made to mention everybody.
 */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A message for Slack's incoming webhooks, and for those that take the same: Mattermost,
 * Rocket.Chat.
 */
export const slack: SinkType = {
  path: '',
  body: (it) => ({ text: escaped(textOf(it)) }),
  actionsBody: (it) => ({ text: escaped(actionsText(it)) }),
};

function actionsText({ title, cluster, count, actions, state }: ActionsNotification): string {
  const shown = actions.slice(0, MOST_LINES);
  const [first] = shown;
  return [
    `${state.toUpperCase()} ${title} (cluster ${cluster})`,
    ...(count > 1 ? shown.map((it) => `- ${safeText(describe(it.target))}: ${it.reason}`) : []),
    ...(count > shown.length ? [`- and ${count - shown.length} more`] : []),
    ...(first === undefined ? [] : [nextOf(state, first.id.slice(0, 12))]),
  ].join('\n');
}

const nextOf = (state: string, id: string): string =>
  state === 'proposed' ? `steward approve ${id}` : `steward actions ${id}`;

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
