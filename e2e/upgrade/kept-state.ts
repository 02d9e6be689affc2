/** Of a state directory of `steward run`, what is kept of each version. */
export const STATE_FILES = [
  'cluster',
  'log.db',
  'analyzer.db',
  'collector.db',
  'executor.db',
  'control.db',
] as const;

/** What is kept of how that version showed its state, by the name of the file. */
export const SHOWN: Readonly<Record<string, readonly string[]>> = {
  findings: ['findings', '--output', 'json'],
  actions: ['actions', '--output', 'json'],
  holds: ['holds', '--output', 'json'],
  suppressions: ['suppressions', '--output', 'json'],
};
