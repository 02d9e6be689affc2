/** The executor's state file, by its name in a state directory. */
export const EXECUTOR_FILE = 'executor.db';
