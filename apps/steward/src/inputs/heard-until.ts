import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { FILES } from './state-files';

/**
 * The last time up to which a state directory has heard its sources, by their clock; undefined
 * where it never did. What cannot be read is for whoever opens it to report.
 */
export function heardUntil(stateDir: string): Date | undefined {
  const file = join(stateDir, FILES.checkpoint);
  if (!existsSync(file)) return undefined;
  try {
    const times = readCheckpoint(file).streams.map((it) => Date.parse(it.observedThrough));
    const last = Math.max(...times.filter((it) => !Number.isNaN(it)));
    return last === -Infinity ? undefined : new Date(last);
  } catch {
    return undefined;
  }
}
