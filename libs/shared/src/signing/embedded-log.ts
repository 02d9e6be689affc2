import type { Log } from '../log/log';
import { CONTROL } from '../log/topics';
import { signedLog, type SignedLogOptions } from './signed-log';

const DECISIONS: ReadonlySet<string> = new Set([CONTROL]);

/**
 * The embedded log as its executor reads it. Who may write to its file is the executor, so that no record needs a signature; but what people decide says who they
 * are only where they sign it, and then that is verified. Nothing is signed here.
 */
export const embeddedLog = (log: Log, trusted: SignedLogOptions['trusted']): Log =>
  trusted === undefined ? log : signedLog(log, { trusted, required: false, topics: DECISIONS });
