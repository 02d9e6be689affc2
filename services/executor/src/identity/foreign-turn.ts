import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Adoption } from '../control/control-state';
import type { LedgerOwner } from '../ledger/ledger-identity';
import { Belonging } from './belonging';
import { type Identified, livingIdentity } from '@ovn-steward/systems/living-identity';

/**
 * To whom the ledger of a cluster belongs, as far as it is known without the executor that has it.
 */
export interface Whose {
  /** What the executor's file says; undefined where it says nothing, or is not at hand. */
  readonly owner: LedgerOwner | undefined;
  /** Whose the newest claim in the ledger is that says it. */
  readonly newest: ClusterIdentity | undefined;
}

/**
 * Why an executor's turn that began now would do nothing on these systems (`Belonging.begin`);
 * undefined when it would. Writes and publishes nothing.
 * @param adopted the newest adoption of the ledger by a person.
 * @throws Failure when the systems cannot be read.
 */
export const foreignTurn = (
  cluster: string,
  systems: Identified,
  { owner, newest }: Whose,
  adopted: Adoption | undefined,
  signal: AbortSignal,
): Promise<string | undefined> =>
  new Belonging({
    cluster,
    living: livingIdentity(systems, () => performance.now()),
    owners: { get: () => owner, set: () => undefined },
    newest: () => newest,
    onEvent: () => undefined,
  }).begin(adopted, signal);
