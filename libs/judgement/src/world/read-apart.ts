import { kubernetesStream } from '@ovn-steward/shared/kinds';
import type { StreamState } from './streams';

const LEASES = kubernetesStream('Lease');
/** As far apart may two recordings of one cluster be, as docs/recordings.md says. */
const APART_MS = 60_000;

/**
 * Why two recordings are not of one moment, in one sentence; undefined when nothing shows that. Where a pod was made or went between them, its port looks left over, or its
 * address leaked.
 *
 * - An object that was made later than the database was read.
 * - A database that was read later than any Lease was renewed, where there are Leases. When any other object was made is no sign: hours may pass without one.
 */
export function readApart(streams: Iterable<StreamState>, hasLeases: boolean): string | undefined {
  let [database, made, renewed] = [NaN, -Infinity, NaN];
  for (const { stream, completeness, observedThrough } of streams) {
    if (completeness.state !== 'complete') continue;
    const time = Date.parse(observedThrough);
    if (stream === 'ovn-nb') database = time;
    else if (stream === LEASES) renewed = time;
    else if (time > made) made = time;
  }
  if (made - database > APART_MS)
    return 'the Kubernetes objects were recorded more than a minute after the database: what came or went between proves nothing; record both anew, within a minute of each other';
  if (hasLeases && database - renewed > APART_MS)
    return 'the database was recorded more than a minute after the Leases of this Kubernetes: what came or went between proves nothing; record both anew, within a minute of each other';
  return undefined;
}
