import type { Action } from '@ovn-steward/shared/events/action';
import type { Control, Scope } from '@ovn-steward/shared/events/control';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { toldControl } from '../controls';
import { ANNA, logOf } from '../signing';
import { RECORDED_CLUSTER } from '../recorded-engine';
import { type Cluster, ROUTER, SUBNETS } from './cluster';
import type { Referee } from './referee';

export interface PeopleOptions {
  readonly cluster: Cluster;
  readonly referee: Referee;
  readonly log: Log;
  readonly partition: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What became of the findings, as whoever has the cluster tells it. */
  readonly actions: () => readonly Action[];
}

/** Who decides: holds and resumes, approves and withdraws, wants things back. */
export interface People {
  /** One decision, drawn. */
  decide(): Promise<void>;
  /** Ends every hold, and what may be one: of a scope nobody who may decide has said anything about, a forged record holds. */
  resumeAll(): Promise<void>;
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
  const signed = logOf(log, ANNA, now);
  let made = 0;
  /** Scopes somebody holds, so that a resume is not always in vain. */
  const held: Scope[] = [];

  const tell = async (decision: Decision): Promise<void> => {
    const control = {
      version: 1,
      cluster: RECORDED_CLUSTER,
      id: `c-${(made += 1)}`,
      by: 'anna',
      at: new Date(now()).toISOString(),
      ...decision,
    } as Control;
    await signed.append(CONTROL, partition, [{ ...toldControl(control), timestamp: now() }]);
    referee.decided(control);
  };
  const hold = (): Promise<void> => {
    const scope = random.pick<Scope>([
      {},
      { rule: random.pick(RULES) },
      { subnet: random.pick(SUBNETS) },
      { vpc: ROUTER },
      { rule: random.pick(RULES), subnet: random.pick(SUBNETS) },
    ]);
    held.push(scope);
    const except = EXCEPTIONS.filter(() => random.chance(0.25));
    return tell({
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
    return tell({ type: 'resume', scope });
  };
  return {
    async resumeAll() {
      for (const scope of [{}, ...held.splice(0)]) await tell({ type: 'resume', scope });
    },
    async decide() {
      const actions = options.actions();
      const done = random.maybe(actions.filter((it) => it.state === 'done'));
      const waiting = random.maybe(
        actions.filter((it) => it.state === 'proposed' || it.state === 'deferred'),
      );
      const draw = random.int(12);
      if (draw < 4 && done) return tell({ type: 'undo', of: done.id });
      if (draw < 7 && waiting)
        return tell({
          type: 'approve',
          finding: waiting.finding.id,
          revision: waiting.finding.revision,
        });
      if (draw === 7 && waiting)
        return tell({ type: 'withdraw', of: `approve/${waiting.finding.id}` });
      if (draw === 8 && done) return tell({ type: 'withdraw', of: `undo/${done.id}` });
      // More are lifted than made: else nothing would be done before long.
      return held.length > 0 && random.chance(0.7) ? resume() : hold();
    },
  };
}
