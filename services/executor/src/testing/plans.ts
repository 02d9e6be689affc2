import { actionKey } from '@ovn-steward/contracts/identity/ids';
import { type Plan, type PlanContent, type PlanEntry, sealed } from '../plan/plan';
import { CLUSTER, finding, NOW } from './findings';

/** An entry about the port of that name. */
export function planEntry(port: string, more: Partial<PlanEntry> = {}): PlanEntry {
  const {
    id,
    revision,
    rule,
    class: ofClass,
    severity,
    subject,
    owner,
    summary,
    proof,
    remedy,
  } = finding(port, { cluster: CLUSTER });
  const action = remedy!.action;
  return {
    id: actionKey(CLUSTER, subject, action, id, revision),
    finding: id,
    revision,
    rule,
    class: ofClass,
    severity,
    action,
    target: remedy!.target,
    subject,
    concerns: [],
    scope: { vpc: 'ovn-cluster', subnet: 'shop' },
    what: summary,
    why: [`Logical_Switch_Port ${port} is still uid-${port}`],
    proof,
    owner,
    advice: remedy!.advice,
    effect: 'Removes the port.',
    undo: 'It comes back with another uuid.',
    version: `version of ${port}`,
    ripeAt: NOW.toISOString(),
    ...more,
  };
}

/** A plan about two ports, good for a day. */
export function somePlan(more: Partial<PlanContent> = {}): Plan {
  const entries = more.entries ?? [planEntry('a'), planEntry('b')];
  return sealed({
    version: 1,
    cluster: CLUSTER,
    identity: { northbound: 'nb:1', kubernetes: 'kube-system-uid' },
    createdAt: NOW.toISOString(),
    expiresAt: new Date(NOW.getTime() + 86_400_000).toISOString(),
    counts: [{ rule: 'orphaned-logical-switch-port', count: entries.length }],
    entries,
    leftOut: [],
    ...more,
  });
}
