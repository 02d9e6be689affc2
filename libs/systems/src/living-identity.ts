import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { gatherCalls } from '@ovn-steward/shared/gather-calls';
import type { Systems } from './systems';

/** Which two systems answer. */
export interface LivingIdentity {
  /**
   * Read again: one read of NB_Global, none where the database is clustered, and one GET of a
   * Namespace over a connection of its own. Calls of one turn of the event loop share one read,
   * which begins after them.
   * @throws Failure.
   */
  read(signal: AbortSignal): Promise<ClusterIdentity>;
  /**
   * As answered within so many milliseconds over the same connection to the Northbound; else read
   * again.
   * @throws Failure.
   */
  recent(withinMs: number, signal: AbortSignal): Promise<ClusterIdentity>;
  /** Whether `recent` would answer without asking. */
  isRecent(withinMs: number): boolean;
}

/** As much of the systems as shows their identity. */
export interface Identified {
  readonly northbound: Pick<Systems['northbound'], 'identity' | 'connections'>;
  readonly kubernetes: Pick<Systems['kubernetes'], 'identity'>;
}

/** @param now milliseconds on a clock that never goes back. */
export function livingIdentity(
  { northbound, kubernetes }: Identified,
  now: () => number,
): LivingIdentity {
  let last:
    | { readonly pair: ClusterIdentity; readonly at: number; readonly connections: number }
    | undefined;
  const readPair = async (signal: AbortSignal): Promise<ClusterIdentity> => {
    try {
      const pair = {
        northbound: await northbound.identity(signal),
        kubernetes: await kubernetes.identity(signal),
      };
      last = { pair, at: now(), connections: northbound.connections() };
      return pair;
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
  const gathered = gatherCalls<'pair', ClusterIdentity>((_, signal) => {
    const pair = readPair(signal);
    return () => pair;
  });
  const read = (signal: AbortSignal): Promise<ClusterIdentity> => gathered('pair', signal);
  const known = (withinMs: number): ClusterIdentity | undefined =>
    last !== undefined &&
    last.connections === northbound.connections() &&
    now() - last.at <= withinMs
      ? last.pair
      : undefined;
  return {
    read,
    recent: async (withinMs, signal) => known(withinMs) ?? read(signal),
    isRecent: (withinMs) => known(withinMs) !== undefined,
  };
}
