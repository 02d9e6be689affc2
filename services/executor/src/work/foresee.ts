import { RULES } from '@ovn-steward/judgement/rules/registry';
import { ENDED } from '@ovn-steward/contracts/actions/action';
import type { ControlState } from '../control/control-state';
import { admit } from '../gate/admit';
import { foreignTurn, type Whose } from '../identity/foreign-turn';
import { minute } from '../gate/minute';
import { modes } from '../gate/modes';
import { systemsAhead } from '../plan/systems-ahead';
import { isRipe, type Plan, type PlanEntry } from '../plan/plan';
import { rowsOfEntry } from '../plan/planned-rows';
import type { Ledger } from '../ledger/ledger';
import type { Systems } from '@ovn-steward/systems/systems';
import type { Item } from '../gate/item';
import { isAsPlanned } from './as-planned';
import { itemOfPlan } from './items';
import { type GateContextOptions, gateContexts } from './gate-context';

/** What would become of one entry of a plan that was handed over now. */
export interface Foreseen {
  readonly entry: PlanEntry;
  /** Why it would not be done now; undefined when it would. */
  readonly stays?: Stays;
}

export interface Stays {
  /** As in the record of its action (`ActionCode`); `unripe` and `ended` besides. */
  readonly code: string;
  /** For a person. */
  readonly reason: string;
  /** When it may go at the earliest, where that is known; milliseconds since 1970. */
  readonly until?: number;
}

export interface ForeseeOptions extends Omit<GateContextOptions, 'ledger'> {
  readonly ledger: Pick<Ledger, 'spent' | 'stateOf'>;
  readonly decided: ControlState;
  /** To whom the ledger belongs. */
  readonly whose: Whose;
  readonly overCeilings: boolean;
}

/**
 * Checks for a plan what an executor checks before it acts on it (whether the ledger is of these
 * systems, then `admit` with the same context), and changes nothing. Valid for now: windows open,
 * hours pass, people decide. Whether each entry is still proven is `verifyPlan`'s.
 * @throws Failure when the systems cannot be read.
 */
export async function foresee(
  plan: Plan,
  options: ForeseeOptions,
  signal: AbortSignal,
): Promise<readonly Foreseen[]> {
  const { cluster, systems, settings, decided, overCeilings, ledger, clock } = options;
  const foreign = await foreignTurn(cluster, systems, options.whose, decided.adopted, signal);
  if (foreign !== undefined)
    return plan.entries.map((entry) => ({
      entry,
      stays: { code: 'other-cluster', reason: foreign },
    }));
  const modeOf = modes(
    settings,
    RULES.map(({ id }) => id),
  );
  const approved = { plan, by: 'a plan', at: clock().toISOString(), overCeilings };
  const early = new Map(
    plan.entries.flatMap((entry) => {
      const stays = notApplying(entry, ledger, clock());
      return stays === undefined ? [] : [[entry.id, stays]];
    }),
  );
  const applying = plan.entries
    .filter(({ id }) => !early.has(id))
    .map((entry) => itemOfPlan(approved, entry, modeOf));
  const context = await gateContexts(options).of(
    applying.map((it) => it.finding),
    decided,
    signal,
  );
  const { admitted, rejected } = admit(applying, context);
  const stays = new Map([
    ...early,
    ...rejected.map(({ applicant, decision }) => [applicant.id, decision] as const),
    // Where all goes, the plan itself says that each may go when its turn comes.
    ...(admitted.length === plan.entries.length ? [] : await waiting(admitted, systems, signal)),
  ]);
  return plan.entries.map((entry) => {
    const why = stays.get(entry.id);
    return why === undefined ? { entry } : { entry, stays: why };
  });
}

/** Those that would go and wait for another which does not, by their ids. */
async function waiting(
  go: readonly Item[],
  systems: Systems,
  signal: AbortSignal,
): Promise<readonly (readonly [string, Stays])[]> {
  const ahead = systemsAhead(systems);
  const found: (readonly [string, Stays])[] = [];
  for (const item of go) {
    const { id, finding, action } = item;
    const of = { action: id, rule: finding.rule, finding: finding.id };
    const prepared = await action!.prepare(finding.remedy.target, of, ahead.systems, signal);
    if (prepared.is === 'refused')
      found.push([id, { code: prepared.code, reason: prepared.reason }]);
    else if (!(await isAsPlanned(item, prepared, ahead.systems, signal)))
      found.push([id, { code: 'changed', reason: 'it is to be done after what is not done now' }]);
    else
      ahead.remove(prepared.undo, rowsOfEntry({ ...finding.remedy, concerns: finding.concerns }));
  }
  return found;
}

/** Why an executor would not even decide about an entry now. */
function notApplying(
  entry: PlanEntry,
  ledger: Pick<Ledger, 'stateOf'>,
  now: Date,
): Stays | undefined {
  const stands = ledger.stateOf(entry.id);
  if (stands !== undefined && (ENDED.has(stands.state) || stands.state === 'claimed'))
    return { code: 'ended', reason: `it is ${stands.state} already` };
  if (isRipe(entry, now)) return undefined;
  const until = Date.parse(entry.ripeAt);
  return {
    code: 'unripe',
    reason: `it was seen only once, and has its grace until ${minute(until)}`,
    until,
  };
}
