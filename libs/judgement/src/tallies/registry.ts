import type { Tally } from '../world/relation';
import { chassisConfiguration } from './chassis-configuration';
import { foreignAcls } from './foreign-acls';
import { heldAddresses } from './held-addresses';
import { holdersByMinute } from './holders-by-minute';
import { listEvidence } from './list-evidence';
import { neighbours } from './neighbours';
import { pairingEvidence } from './pairing-evidence';
import { servedPods } from './served-pods';

/** Every tally the fold keeps; a test holds this list equal to the folder. */
export const TALLIES: readonly Tally[] = [
  chassisConfiguration as Tally,
  foreignAcls as Tally,
  heldAddresses as Tally,
  holdersByMinute as Tally,
  listEvidence as Tally,
  neighbours as Tally,
  pairingEvidence as Tally,
  servedPods as Tally,
];
