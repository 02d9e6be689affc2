import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a measured process before its program, and into each of its threads: at the end the
 * process says on file descriptor 3 what it has used (getrusage(2)), once.
 */
if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));
