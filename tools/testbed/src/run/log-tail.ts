import { existsSync, readFileSync } from 'node:fs';

/** The last 25 lines of a log file. */
export const logTail = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-25).join('\n') : '';
