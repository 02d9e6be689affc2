import type { StreamState } from './streams';

/** As far apart may two recordings of one cluster be, as docs/recordings.md says. */
const APART_MS = 60_000;

/**
 * Why two recordings are not of one moment, in one sentence; undefined when nothing shows that: an
 * object was created later than the database was read. Where a pod was created or deleted between
 * them, its port appears left over, or its address leaked. That the newest object is older is no
 * sign: hours may pass without one.
 *
 * @param of the stream of the database.
 */
export function readApart(streams: Iterable<StreamState>, of = 'ovn-nb'): string | undefined {
  let database = NaN;
  let made = -Infinity;
  for (const { stream, source, completeness, observedThrough } of streams) {
    if (completeness.state !== 'complete') continue;
    const time = Date.parse(observedThrough);
    if (stream === of) database = time;
    else if (source === 'kubernetes' && time > made) made = time;
  }
  return made - database > APART_MS
    ? 'the Kubernetes objects were recorded more than a minute after the database: what came or went between proves nothing; record both again, within a minute of each other'
    : undefined;
}
