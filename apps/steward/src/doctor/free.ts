import { pause } from '@ovn-steward/shared/pause';
import type { Plan } from '@ovn-steward/executor';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { type ActionRecord, isCarriedOut } from '@ovn-steward/contracts/actions/action';
import type { Proposal } from '@ovn-steward/executor';
import { type Diagnosis, diagnose, type DoctorTarget } from './diagnosis';
import { freeing } from './proposals';

/** How freeing reads, plans and acts; each observation and each plan is a new one. */
export interface FreeingSteps {
  readonly observe: () => Promise<Engine>;
  /** A plan of what of these is proven now. */
  readonly plan: (proposals: readonly Proposal[]) => Promise<Plan>;
  readonly apply: (plan: Plan) => Promise<readonly ActionRecord[]>;
  /** Called with each round before it is done; returns whether it is to be done. */
  readonly agreed: (round: number, plan: Plan, diagnosis: Diagnosis) => Promise<boolean>;
}

/** What became of it: the last diagnosis, and all that was decided on the way. */
export interface Freed {
  readonly diagnosis: Diagnosis;
  readonly actions: readonly ActionRecord[];
  readonly rounds: number;
  /** The plans of which something was done, the last first: in that order they are put back. */
  readonly plans: readonly string[];
  /** The round that was not agreed to, with which it ended. */
  readonly declined?: Plan;
}

/** Each round frees at least one object; more rounds than this lead nowhere. */
const MOST_ROUNDS = 200;
/**
 * How often to observe again what Kube-OVN can finish by itself in a moment, while nothing else is
 * to be done.
 */
const MOST_IDLE_ROUNDS = 5;
/** Milliseconds between two such observations. */
const EVERY_MS = 2000;

/**
 * Frees what is stuck, round by round: observe, plan what is proven, have it done, observe again.
 * What only the end of a round makes true is proven in the next. Nothing is acted on that was not
 * there at the beginning: that is what the person who wants it saw.
 * @returns when nothing is stuck any more, nothing more can be proven, a round is not agreed to, or
 *   the signal fires.
 */
export async function free(
  targets: readonly DoctorTarget[],
  all: boolean,
  steps: FreeingSteps,
  signal: AbortSignal,
): Promise<Freed> {
  const actions: ActionRecord[] = [];
  const plans: string[] = [];
  const firstRevision = Math.floor(Date.now() / 1000);
  let known: ReadonlySet<string> | undefined = undefined;
  let missingAtFirst: ReadonlySet<string> | undefined = undefined;
  let idleRounds: number = 0;
  for (let round = 1; ; round += 1) {
    const engine = await steps.observe();
    known ??= uidsOf(engine);
    const seen = diagnose(engine, targets);
    missingAtFirst ??= new Set(seen.missing.map(nameOf));
    const diagnosis = withGone(seen, missingAtFirst);
    const allowed = freeing(engine, diagnosis, all, firstRevision + round).filter(
      ({ subject, remedy }) => known!.has(subject.uid) && known!.has(remedy.target.uid),
    );
    const plan = allowed.length > 0 ? await steps.plan(allowed) : undefined;
    const isRound = plan !== undefined && plan.entries.length > 0 && !signal.aborted;
    if (isRound && !(await steps.agreed(round, plan, diagnosis)))
      return { diagnosis, actions, rounds: round, plans, declined: plan };
    const done = isRound ? await steps.apply(plan) : [];
    actions.push(...done);
    const isDone = done.some(isCarriedOut);
    if (isRound && isDone) plans.unshift(plan.id);
    if (signal.aborted || round >= MOST_ROUNDS) return { diagnosis, actions, rounds: round, plans };
    if (isDone) {
      idleRounds = 0;
      continue;
    }
    // Nothing more to do here. A controller that is there may still be at it.
    const waits =
      diagnosis.controller === 'there' &&
      diagnosis.steps.some(({ who }) => who === 'kube-ovn') &&
      actions.length > 0;
    if (!waits || (idleRounds += 1) >= MOST_IDLE_ROUNDS)
      return { diagnosis, actions, rounds: round, plans };
    await pause(EVERY_MS, signal);
  }
}

const nameOf = ({ kind, key }: DoctorTarget): string => `${kind} ${key}`;

/** What was there when it began and is not there any more is well: that is what was wanted. */
function withGone(diagnosis: Diagnosis, missingAtFirst: ReadonlySet<string>): Diagnosis {
  const missing = diagnosis.missing.filter((it) => missingAtFirst.has(nameOf(it)));
  const gone = diagnosis.missing.filter((it) => !missingAtFirst.has(nameOf(it)));
  return {
    ...diagnosis,
    missing,
    well: [...diagnosis.well, ...gone.map((it) => `${nameOf(it)} is gone`)],
  };
}

function uidsOf({ world }: Engine): ReadonlySet<string> {
  const uids = new Set<string>();
  for (const kind of world.kinds()) for (const { uid } of world.entities(kind)) uids.add(uid);
  return uids;
}
