import { DEFINED_SERIES } from '../../series/defined-series';

/**
 * Labels that a variable of the dashboards chooses, where a series has them. `job` has every
 * series: Prometheus adds it.
 */
const CHOSEN = ['cluster'] as const;

/**
 * The selector of a series of ours, or of those of a Node process (`process_*`, `nodejs_*`), of the
 * chosen jobs and clusters. The label `cluster` is matched where the services have it; `steward
 * run` has none, and all clusters (`.*`) match that, too.
 * @param matchers further ones, such as `class="leak"`.
 * @throws Error for a series that nothing defines.
 */
export function series(name: string, ...matchers: readonly string[]): string {
  const definition = DEFINED_SERIES.get(seriesOf(name));
  if (definition === undefined && name.startsWith('steward_'))
    throw new Error(`No part defines the series ${name}: correct its name in the dashboard`);
  const chosen = CHOSEN.filter((it) => definition?.labels.includes(it));
  return `${name}{${[...['job', ...chosen].map((it) => `${it}=~"$${it}"`), ...matchers].join(', ')}}`;
}

/** How often a counter counts each second. */
export const rate = (name: string): string => `rate(${series(name)}[$__rate_interval])`;

/** How often a counter counted within each step of the panel. */
export const increase = (name: string, ...matchers: readonly string[]): string =>
  `increase(${series(name, ...matchers)}[$__rate_interval])`;

/** The name under which it is defined: histograms are queried by their parts. */
const seriesOf = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '');
