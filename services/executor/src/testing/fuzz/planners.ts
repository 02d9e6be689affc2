import { userProtection } from '@ovn-steward/judgement/protection';
import { actionOf } from '../../actions/registry';
import { buildPlan } from '../../plan/build';
import { type Plan, sealed } from '../../plan/plan';
import type { Proposal } from '../../findings/proposal';
import { createProver } from '../../prove/prover';
import type { Systems } from '@ovn-steward/systems/systems';
import { KUBE_OVN, RECORDED_CLUSTER } from '../recorded-engine';
import type { Cluster } from './cluster';
import { lendLease } from './controller';

const MINUTE_MS = 60_000;

export interface PlannerOptions {
  readonly cluster: Cluster;
  /** Another one, of the same names. */
  readonly abroad: Cluster;
  readonly proposals: () => readonly Proposal[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Somebody who makes plans, as `steward plan` does.
 * @returns a plan of what is proven at this moment; undefined when there is nothing to plan.
 */
export type Planner = () => Promise<Plan | undefined>;

const systemsOf = ({ northbound, kubernetes, controller }: Cluster): Systems => {
  const client = kubernetes.peer();
  lendLease(client, controller);
  return { northbound: northbound.peer(), kubernetes: client };
};

const pause = (): Promise<void> => Promise.resolve();

/**
 * Plans are good for minutes or hours. Some were made of a copy of the cluster, such as one that
 * was put back from a backup.
 */
export function createPlanner({ cluster, abroad, proposals, now }: PlannerOptions): Planner {
  const { random } = cluster;
  return async () => {
    const systems = systemsOf(cluster);
    const prover = createProver({
      cluster: RECORDED_CLUSTER,
      systems,
      isProtected: userProtection([]),
      kubeOvn: KUBE_OVN,
      pause,
    });
    const plan = await buildPlan({
      proposals: proposals().filter(() => random.chance(0.7)),
      graceOf: () => 0,
      prover,
      systems,
      actionOf,
      cluster: RECORDED_CLUSTER,
      now: () => new Date(now()),
      validMs: (5 + random.int(180)) * MINUTE_MS,
      limit: 1 + random.int(12),
      signal: new AbortController().signal,
    });
    if (plan.entries.length === 0) return undefined;
    return random.chance(0.3) ? ofCopy(plan, systemsOf(abroad)) : plan;
  };
}

async function ofCopy(
  { id: _, digest: _digest, ...content }: Plan,
  { northbound, kubernetes }: Systems,
): Promise<Plan> {
  const signal = new AbortController().signal;
  return sealed({
    ...content,
    identity: {
      northbound: await northbound.identity(signal),
      kubernetes: await kubernetes.identity(signal),
    },
  });
}
