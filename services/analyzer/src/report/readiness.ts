import type { AnalyzedCluster } from '../partition/analyzed-cluster';
import { NEEDED_KINDS } from '../status/audit-sources';
import type { MissingStream, Readiness } from './schemas';

/** What readiness is decided from. */
export interface Known {
  readonly streams: ReturnType<AnalyzedCluster['streams']>;
  /** Whether a kind that cannot be read is shown not to be installed, which is an answer too. */
  readonly notInstalled: (kind: string) => boolean;
}

export interface Expectation {
  /** The names of all streams that are expected. */
  readonly streams: readonly string[];
  /** A stream whose watermark is older than this, in milliseconds, may have lost its source. */
  readonly staleAfterMs: number;
}

/**
 * A Kubernetes server reports its progress when a watch ends, after some seconds. One that sends no
 * bookmarks is listed instead, which is bounded by the number of objects: this leaves room for some
 * ten thousands of a kind.
 */
export const STALE_AFTER_MS = 360_000;

const KUBERNETES = 'kubernetes/';
const DEFINITIONS = 'kubernetes/CustomResourceDefinition';

/**
 * Ready when every stream that some rule needs is known in full and fresh. `now`: milliseconds on
 * the sources' clock.
 */
export function readinessOf(known: Known, expected: Expectation, now: number): Readiness {
  const byName = new Map(known.streams.map((it) => [it.stream, it]));
  const missing = expected.streams.filter(isNeeded).flatMap((name): MissingStream[] => {
    // A kind that is not installed is as fresh as the list of definitions that shows it.
    const stream = byName.get(
      name.startsWith(KUBERNETES) && known.notInstalled(name.slice(KUBERNETES.length))
        ? DEFINITIONS
        : name,
    );
    if (!stream)
      return [{ stream: name, reason: 'silent', detail: `${name} has said nothing yet` }];
    const { completeness, observedThrough } = stream;
    if (completeness.state === 'listing')
      return [{ stream: name, reason: 'listing', detail: `${name} is being read in full` }];
    if (completeness.state === 'unavailable')
      return [{ stream: name, reason: 'unavailable', detail: completeness.detail }];
    if (observedThrough === '')
      return [
        { stream: name, reason: 'stale', detail: `${name} has not said up to when it knows` },
      ];
    const ageMs = now - Date.parse(observedThrough);
    return ageMs > expected.staleAfterMs
      ? [
          {
            stream: name,
            reason: 'stale',
            detail: `${name} last reported ${Math.round(ageMs / 1000)} s ago, at ${observedThrough}`,
          },
        ]
      : [];
  });
  return { ready: missing.length === 0, missing };
}

/**
 * Databases always: rules read tables of both, and one that is expected need not have said yet
 * which it has. A Kubernetes kind when some rule reads it.
 */
const isNeeded = (name: string): boolean =>
  !name.startsWith(KUBERNETES) || NEEDED_KINDS.has(name.slice(KUBERNETES.length));
