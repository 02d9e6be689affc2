import type { Log } from '../log/log';
import { CONTROL } from '../log/topics';
import { signedLog, type SignedLogOptions } from './signed-log';

const DECISIONS: ReadonlySet<string> = new Set([CONTROL]);

/**
 * The embedded log as its executor reads it. Only the executor may write to its file, so no record
 * needs a signature; but decisions name their signer only where people sign them, and then that is
 * verified. Nothing is signed here.
 */
export const embeddedLog = (log: Log, trusted: SignedLogOptions['trusted']): Log =>
  trusted === undefined ? log : signedLog(log, { trusted, required: false, topics: DECISIONS });
