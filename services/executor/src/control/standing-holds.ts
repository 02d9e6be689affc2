import { ascendingBy } from '@ovn-steward/shared/compare';
import { Scope } from '@ovn-steward/contracts/control/control';
import { Decider } from '@ovn-steward/contracts/control/decided-by';
import { z } from 'zod';
import { type ControlState, holdsAt } from './control-state';

/** A hold in force, as it is shown. */
export const StandingHold = z.object({
  scope: Scope.describe(
    'What it holds: all that is named must match; nothing named is the whole cluster.',
  ),
  except: z.array(z.string()).describe('What it lets through: `undo`, `put-back`, `call-off`.'),
  reason: z.string(),
  ...Decider.shape,
  since: z.string().describe('When; RFC 3339. Empty where the record cannot be read.'),
  until: z.string().nullable().describe('When it ends by itself; null: with `steward resume`.'),
  heardBy: z.array(z.string()).describe('The executors that said that they respect it.'),
});
export type StandingHold = z.infer<typeof StandingHold>;

/** The holds in force at that moment, the oldest first, and who said that they respect them. */
export function standingHolds(state: ControlState, now: Date): StandingHold[] {
  const ids = new Map([...state.holds].map(([key, hold]) => [hold, state.effective.get(key)?.id]));
  return holdsAt(state, now)
    .map((hold): StandingHold => {
      const id = ids.get(hold);
      return {
        scope: hold.scope,
        except: [...(hold.except ?? [])],
        reason: hold.reason,
        by: hold.by,
        ...(hold.authenticated && { authenticated: hold.authenticated }),
        ...(hold.signedBy !== undefined && { signedBy: hold.signedBy }),
        since: hold.at,
        until: hold.until,
        heardBy: [...state.heard]
          .filter(([, heard]) => id !== undefined && heard.ids.has(id))
          .map(([name]) => name)
          .sort(),
      };
    })
    .sort(ascendingBy((it) => it.since));
}

export const BREADTHS = ['cluster', 'rule', 'vpc', 'subnet', 'several'] as const;

/** What a hold names, in one word: `cluster` for nothing, `several` for more than one thing. */
export function breadthOf({ scope }: Pick<StandingHold, 'scope'>): (typeof BREADTHS)[number] {
  const named = (['rule', 'vpc', 'subnet'] as const).filter((it) => scope[it] !== undefined);
  return named.length > 1 ? 'several' : (named[0] ?? 'cluster');
}
