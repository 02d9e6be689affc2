import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control, Scope } from '@ovn-steward/contracts/control/control';
import type { Plan } from '../../plan/plan';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { controlEntry } from '../controls';
import { ANNA, BOB, logOf } from '../signing';
import { RECORDED_CLUSTER } from '../recorded-engine';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { type Cluster, ROUTER, SUBNETS } from './cluster';
import { drawGiveUp } from './give-ups';
import type { Planner } from './planners';
import type { Referee } from './referee';

export interface PeopleOptions {
  readonly cluster: Cluster;
  readonly referee: Referee;
  readonly log: Log;
  readonly partition: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What became of the findings, as whoever has the cluster reports it. */
  readonly actions: () => readonly ActionRecord[];
  readonly plan: Planner;
  /** Of the systems of another cluster. */
  readonly abroad: ClusterIdentity;
}

/** Who decides: holds and resumes, approves and withdraws, wants things back, gives claims up. */
export interface People {
  /** One decision, drawn. */
  decide(): Promise<void>;
  /** Gives up a claim, rightly or wrongly, if there is one. */
  giveUp(): Promise<void>;
  /**
   * Ends every hold, and what may be one: of a scope nobody who may decide has said anything about,
   * a forged record holds.
   */
  resumeAll(): Promise<void>;
  /** Holds everything, or what is in one subnet, with no exception. */
  holdMuch(): Promise<void>;
  /** Everybody approves all that waits for that. */
  approveAll(): Promise<void>;
}

const RULES = ['leaked-ip', 'orphaned-logical-switch-port', 'orphaned-port-group'] as const;
const EXCEPTIONS = ['undo', 'put-back', 'call-off'] as const;

type Decision = Control extends infer C
  ? C extends Control
    ? Omit<C, 'version' | 'cluster' | 'id' | 'by' | 'at'>
    : never
  : never;

export function createPeople(options: PeopleOptions): People {
  const { cluster, referee, log, partition, now } = options;
  const { random } = cluster;
  const people = [ANNA, BOB].map((person) => ({
    signed: logOf(log, person, now),
    by: person.file.name,
    keyId: person.key.id,
  }));
  let made = 0;
  /** Plans that nobody approved yet. */
  const drafts: Plan[] = [];
  /** Approved plans: they are read for a while, and may be undone. */
  const wanted: Plan[] = [];
  /** Scopes somebody holds, so that a resume is not always in vain. */
  const held: Scope[] = [];

  const report = async (decision: Decision, as = people[0]!): Promise<void> => {
    const control = {
      version: 1,
      cluster: RECORDED_CLUSTER,
      id: `c-${(made += 1)}`,
      by: as.by,
      at: new Date(now()).toISOString(),
      ...decision,
    } as Control;
    await as.signed.append(CONTROL, partition, [{ ...controlEntry(control), timestamp: now() }]);
    referee.decided(control);
  };
  const hold = (): Promise<void> => {
    // Mostly of what is being decided about, or nothing would be within it.
    const about = random.maybe(options.actions());
    const rule = about && random.chance(0.6) ? about.rule : random.pick(RULES);
    const subnet = about?.scope.subnet ?? random.pick(SUBNETS);
    const scope = random.pick<Scope>([
      {},
      { rule },
      { subnet },
      { subnet },
      { vpc: ROUTER },
      { rule, subnet },
    ]);
    held.push(scope);
    const except = EXCEPTIONS.filter(() => random.chance(0.25));
    return report({
      type: 'hold',
      scope,
      reason: 'a change',
      until: random.chance(0.3) ? new Date(now() + random.int(3_600_000)).toISOString() : null,
      ...(except.length > 0 && { except }),
    } as Decision);
  };
  const resume = (): Promise<void> => {
    const scope = random.maybe(held) ?? {};
    if (held.includes(scope)) held.splice(held.indexOf(scope), 1);
    return report({ type: 'resume', scope });
  };
  /** As often of a rare action as of a common one: else what is rare would never be done. */
  const one = (actions: readonly ActionRecord[]): ActionRecord | undefined => {
    const action = random.maybe([...new Set(actions.map((it) => it.action))]);
    return random.maybe(actions.filter((it) => it.action === action));
  };
  /** Of two who approve one thing each has a record of their own. */
  const approve = (
    { finding: { id, revision } }: ActionRecord,
    as = random.pick(people),
    isNamed = random.chance(0.7),
  ): Promise<void> => {
    const approver = isNamed ? { approver: as.keyId } : {};
    return report({ type: 'approve', finding: id, revision, ...approver }, as);
  };
  /** Makes a plan, or approves one that was made before, perhaps long ago. */
  const decidePlan = async (): Promise<void> => {
    const draft = random.maybe(drafts);
    if (draft === undefined || random.chance(0.3)) {
      const plan = await options.plan();
      if (plan === undefined) return;
      drafts.push(plan);
      if (random.chance(0.4)) return;
    }
    const plan = random.pick(drafts);
    drafts.splice(drafts.indexOf(plan), 1);
    wanted.push(plan);
    await report(
      { type: 'plan', plan: { ...plan }, overCeilings: random.chance(0.2) },
      random.pick(people),
    );
  };
  const regretPlan = (plan: Plan): Promise<void> => {
    const draw = random.int(3);
    // What was refused is approved again: it is verified again.
    if (draw === 0) return report({ type: 'plan', plan: { ...plan }, overCeilings: false });
    return draw === 1
      ? report({ type: 'withdraw', of: `plan/${plan.id}` })
      : report({ type: 'undo', of: plan.id });
  };
  const giveUp = async (): Promise<boolean> => {
    const givenUp = drawGiveUp(random, options.actions(), options.abroad);
    if (givenUp) await report(givenUp, random.pick(people));
    return givenUp !== undefined;
  };
  return {
    async giveUp() {
      await giveUp();
    },
    holdMuch() {
      const scope = random.chance(0.5) ? {} : { subnet: random.pick(SUBNETS) };
      held.push(scope);
      return report({ type: 'hold', scope, reason: 'a change', until: null });
    },
    async approveAll() {
      for (const it of options.actions().filter(({ code }) => code === 'approval'))
        for (const as of people) await approve(it, as, true);
    },
    async resumeAll() {
      for (const scope of [{}, ...held.splice(0)]) await report({ type: 'resume', scope });
    },
    async decide() {
      const actions = options.actions();
      const done = one(actions.filter((it) => it.state === 'done' || it.code === 'given-up'));
      const waiting = one(
        actions.filter((it) => it.state === 'proposed' || it.state === 'deferred'),
      );
      if (random.chance(0.05) && (await giveUp())) return undefined;
      const draw = random.int(16);
      if (draw < 4 && done) return report({ type: 'undo', of: done.id });
      if (draw < 7 && waiting) return approve(waiting);
      if (draw === 7 && waiting)
        return report({ type: 'withdraw', of: `approve/${waiting.finding.id}` });
      if (draw === 8 && done) return report({ type: 'withdraw', of: `undo/${done.id}` });
      if (draw === 9 || draw === 10) return decidePlan();
      const plan = random.maybe(wanted);
      if (draw === 11 && plan) return regretPlan(plan);
      // More are lifted than made: else nothing would be done before long.
      return held.length > 0 && random.chance(0.7) ? resume() : hold();
    },
  };
}
