/** The series of ours in an expression, histograms by the name that is defined. */
export const seriesIn = (expr: string): string[] =>
  [...expr.matchAll(/\b((?:steward|process|nodejs)_\w+)/g)].map((it) =>
    it[1]!.replace(/_bucket$/, ''),
  );

/** The labels an expression chooses by and groups by. */
export const labelsIn = (expr: string): string[] => [
  ...groupedBy(expr),
  ...[...expr.matchAll(/(\w+)(?:!=|=~|=)"/g)].map((it) => it[1]!),
];

/** The labels its result has, where it aggregates by some. */
export const groupedBy = (expr: string): string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap((it) => it[1]!.split(/,\s*/));

/** Those that Prometheus adds itself when it scrapes, and that of histograms. */
export const FROM_PROMETHEUS = ['job', 'instance', 'le'] as const;
