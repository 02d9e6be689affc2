import { freeVpcs } from '@ovn-steward/guard/free-vpcs';
import { removePolicy } from '@ovn-steward/guard/install';
import { liftAllGates } from '@ovn-steward/guard/pod-gates';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { GuardRemoval, TakenAway } from '../output/guard-remove-text';

/**
 * Takes away the policies, then the gates, so that no pod is held anew, then the finalizers. A gate
 * that stays keeps no finalizer on.
 * @throws Failure when a policy cannot be removed, or pods or Vpcs cannot be listed.
 */
export async function takeAway(
  { policies, guarded, held }: GuardRemoval,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<TakenAway> {
  for (const policy of policies) await removePolicy(policy, kubernetes, signal);
  const { refused } = held.length === 0 ? { refused: [] } : await liftAllGates(kubernetes, signal);
  const freed = guarded.length === 0 ? [] : await freeVpcs(kubernetes, signal);
  return { freed, refusedGates: refused };
}
