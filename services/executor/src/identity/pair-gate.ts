import { Failure } from '@ovn-steward/shared/errors';
import {
  type ClusterIdentity,
  identityText,
  sameIdentity,
} from '@ovn-steward/shared/cluster-identity';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import type { Systems } from '@ovn-steward/systems/systems';
import { createBulkCache } from '../prove/bulk-cache';
import { LiveObjects } from '../prove/live-objects';
import { pairingOfLiving } from '../prove/live-pairing';
import { liveSources } from '../prove/live-sources';
import { type BelongingEvent, SEND_MS } from './belonging';

/** Published each time a write of a guard is refused. */
export type GuardRefused = Extract<BelongingEvent, { type: 'other-cluster' }>;

/** No statement of an uninstall counts for a guard: without Kube-OVN there is nothing to guard. */
const NO_STATEMENT = { statements: [], life: async () => undefined };

/**
 * The check of a guard without a ledger right before each write, for `guardedSystems`: whether its
 * two systems are shown to be one cluster, by the evidence that the prover requires before each
 * proof. Once shown, the guard belongs to that pair for as long as it runs.
 * @returns a check that throws Failure `other-cluster` where nothing shows it, where something
 * contradicts it, or where another pair answers later; it checks again at the next write.
 */
export function pairGate(
  systems: Systems,
  onEvent: (event: GuardRefused) => void,
): (signal: AbortSignal) => Promise<void> {
  const cache = createBulkCache();
  const objects = new LiveObjects(systems.kubernetes, cache);
  const living = livingIdentity(systems, () => performance.now());
  let proven: ClusterIdentity | undefined;

  const refuse = (why: string): never => {
    onEvent({ type: 'other-cluster', what: 'guard', why });
    throw new Failure('other-cluster', why);
  };
  return async (signal) => {
    if (proven !== undefined) {
      const here = await living.recent(SEND_MS, signal);
      if (!sameIdentity(proven, here))
        refuse(
          `The guard was started for ${identityText(proven)}, and those who answer now are ${identityText(here)}: nothing is written. Check the addresses and the kubeconfig, and start it again.`,
        );
      return;
    }
    const found = await pairingOfLiving(
      cache,
      living,
      async () => (await liveSources(systems, objects, cache, signal)).rows,
      objects,
      NO_STATEMENT,
      SEND_MS,
      signal,
    );
    signal.throwIfAborted();
    if (found.is !== 'paired')
      return refuse(
        `Nothing is written to this Kubernetes, since it is not shown to be that of the Northbound: ${found.reason}. Check the address of the Northbound, the kubeconfig and its context.`,
      );
    proven = found.identity;
  };
}
