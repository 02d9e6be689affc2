import type { ClusterIdentity } from '@ovn-steward/shared/events/cluster-identity';
import type { Systems } from '../systems';

/** Which two systems answer. */
export interface LivingIdentity {
  /** Asked anew: one read of NB_Global, none where the database is clustered, and one GET of a Namespace over a connection of its own. @throws Failure. */
  read(signal: AbortSignal): Promise<ClusterIdentity>;
  /** As answered within so many milliseconds over the same connection to the Northbound; else asked anew. @throws Failure. */
  recent(withinMs: number, signal: AbortSignal): Promise<ClusterIdentity>;
}

/** As much of the systems as says who they are. */
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
  const read = async (signal: AbortSignal): Promise<ClusterIdentity> => {
    last = undefined;
    const pair = {
      northbound: await northbound.identity(signal),
      kubernetes: await kubernetes.identity(signal),
    };
    last = { pair, at: now(), connections: northbound.connections() };
    return pair;
  };
  return {
    read,
    recent: async (withinMs, signal) =>
      last !== undefined &&
      last.connections === northbound.connections() &&
      now() - last.at <= withinMs
        ? last.pair
        : read(signal),
  };
}
