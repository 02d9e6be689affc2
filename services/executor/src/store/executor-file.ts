export {
  inStateFile as inExecutorFile,
  makePart,
  openStateFile as openExecutorFile,
  type StateFile as ExecutorFile,
} from '@ovn-steward/shared/log/state-file';

/** Its name in a state directory. */
export const EXECUTOR_FILE = 'executor.db';
