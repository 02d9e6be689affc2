import type { Effect } from '@ovn-steward/systems/effect';

/**
 * How to put back what was removed. `back`: it is there again. `impossible`: not without harm to
 * what is there now; nothing is to be written.
 */
export type UndoPlan =
  | {
      readonly is: 'ready';
      readonly effect: Effect;
      /** What this does not bring back, a sentence each. */
      readonly losses: readonly string[];
    }
  | { readonly is: 'back'; readonly reason: string }
  | {
      readonly is: 'impossible';
      readonly reason: string;
      /** It is in the way only for now. */
      readonly passes?: boolean;
    };

export const impossible = (reason: string): UndoPlan => ({ is: 'impossible', reason });
