import type { Dashboard } from './dashboard';

/** Each dashboard with what its panels answer, and its picture, for docs/dashboards.md. */
export const dashboardsTable = (dashboards: readonly Dashboard[]): string =>
  dashboards
    .map(({ name, title, purpose, sections }) =>
      [
        `### ${title}`,
        '',
        purpose,
        '',
        `![The dashboard ${title} of a recorded cluster](pictures/${name}.png)`,
        '',
        '| Section | Panel | Answers | Empty means |',
        '|---|---|---|---|',
        ...sections.flatMap((section) =>
          section.panels.map(
            (it) => `| ${section.title} | ${it.title} | ${it.answers} | ${it.empty ?? ''} |`,
          ),
        ),
      ].join('\n'),
    )
    .join('\n\n');
