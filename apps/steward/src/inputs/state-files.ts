import { EXECUTOR_FILE } from '@ovn-steward/executor';

/** The files in a state directory. */
export const FILES = {
  log: 'log.db',
  checkpoint: 'analyzer.db',
  executor: EXECUTOR_FILE,
} as const;
