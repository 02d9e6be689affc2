import type { Tally } from '../world/relation';
import { heldAddresses } from './held-addresses';

/** Every tally the fold keeps; a test holds this list equal to the folder. */
export const TALLIES: readonly Tally[] = [heldAddresses as Tally];
