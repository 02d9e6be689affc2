import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { Belonging } from '../identity/belonging';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { LedgerIdentity } from '../ledger/ledger-identity';
import type { Systems } from '@ovn-steward/systems/systems';
import { RECORDED_CLUSTER } from './recorded-engine';

const never = new AbortController().signal;

/** Who these systems are. */
export const identityOf = ({ northbound, kubernetes }: Systems): Promise<ClusterIdentity> =>
  livingIdentity({ northbound, kubernetes }, () => 0).read(never);

/** To whom the ledger in that file belongs, over these systems. */
export const belongingOf = (file: StateFile, systems: Systems): Belonging =>
  new Belonging({
    cluster: RECORDED_CLUSTER,
    living: livingIdentity(systems, () => performance.now()),
    owners: new LedgerIdentity(file),
    newest: () => undefined,
    onEvent: () => undefined,
  });
