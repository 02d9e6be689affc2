import { EXECUTOR_FILE } from '@ovn-steward/executor';
import { NOTIFIER_FILE } from '@ovn-steward/notifier';

/** The files in a state directory. */
export const FILES = {
  log: 'log.db',
  checkpoint: 'analyzer.db',
  executor: EXECUTOR_FILE,
  notifier: NOTIFIER_FILE,
  collector: 'collector.db',
  control: 'control.db',
} as const;
