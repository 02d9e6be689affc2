import { DASHBOARDS } from '../docs/dashboards/registry';

/** Every query of every panel, named as in `pipeline / Lag / {{job}} analyzer`. */
export const DASHBOARD_QUERIES = DASHBOARDS.flatMap((dashboard) =>
  dashboard.sections.flatMap(({ panels }) =>
    panels.flatMap(({ title, queries, empty }) =>
      queries.map(({ expr, legend }) => ({
        name: `${dashboard.name} / ${title} / ${legend}`,
        expr,
        empty,
        /** The labels its legend shows. */
        shown: [...legend.matchAll(/\{\{(\w+)\}\}/g)].map((it) => it[1]!),
      })),
    ),
  ),
);
