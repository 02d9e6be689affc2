import { valuesRows } from './values-page';

/** What people set first, in the order in which they come to it. */
const COMMON = [
  'mode',
  'settings',
  'image.registry',
  'kubeOvn.namespace',
  'ovnTls.use',
  'embedded.persistence.size',
  'rights.executor',
  'backup.enabled',
  'metrics.podMonitor.enabled',
  'metrics.rules.enabled',
  'metrics.dashboards.enabled',
  'networkPolicy.enabled',
  'podDisruptionBudget.enabled',
];

/**
 * The table of them for the README of the chart. @throws Error for one that the chart does not
 * have.
 */
export function commonValuesTable(): string {
  const rows = valuesRows();
  const picked = COMMON.map((path) => {
    const found = rows.find((it) => it.startsWith(`| \`${path}\` `));
    if (found === undefined) throw new Error(`the chart has no value ${path}`);
    return found;
  });
  return ['| Value | Default | Meaning |', '|---|---|---|', ...picked].join('\n');
}
