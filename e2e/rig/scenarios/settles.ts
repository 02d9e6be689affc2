import { waitFor } from '@ovn-steward/testbed/run/wait';
import { differences, type NetworkState, networkState } from '../network-state';
import type { Rig } from '../rig';

/**
 * Waits until the network is as it was, and gives what still differs when that takes longer; each
 * line with what it belongs to.
 */
export async function settles(
  rig: Rig,
  expected: NetworkState,
  after: string,
  timeoutMs = 60_000,
): Promise<readonly string[]> {
  let left: readonly string[] = [];
  await waitFor(async () => (left = differences(expected, await networkState(rig))).length === 0, {
    what: after,
    timeoutMs,
  }).catch(() => undefined);
  return left.map((it) => `${after}: ${it}`);
}
