import { randomUUID } from 'node:crypto';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { describe } from '@ovn-steward/contracts/identity/reference';
import type {
  ActionsNotification,
  NotifiedAction,
  NotifiedState,
} from '@ovn-steward/contracts/notifications/actions-notification';
import { safeText } from '@ovn-steward/shared/safe-text';
import { severityOf } from '../sinks/matches';
import type { DueActions } from '../store/actions-to-send';

const MOST_ACTIONS = 20;

/** What a sink is sent about actions of one group; undefined where there is none. */
export function composeActions(
  { sink, group }: Pick<DueActions, 'sink' | 'group'>,
  actions: readonly ActionRecord[],
  now: Date,
): ActionsNotification | undefined {
  const [first] = actions;
  if (first === undefined) return undefined;
  const state = first.state as NotifiedState;
  return {
    version: 1,
    about: 'actions',
    id: randomUUID(),
    group,
    sink,
    state,
    severity: severityOf(state),
    cluster: first.cluster,
    rule: first.rule,
    plan: first.plan,
    title: titleOf(actions),
    count: actions.length,
    actions: actions.slice(0, MOST_ACTIONS).map(notified),
    at: now.toISOString(),
  };
}

function titleOf(actions: readonly ActionRecord[]): string {
  const { action, rule, target, reason, plan } = actions[0]!;
  if (actions.length === 1) return safeText(`${action} of ${describe(target)}: ${reason}`);
  const kinds = [...new Set(actions.map((it) => it.action))].sort().join(', ');
  const of = plan === null ? '' : ` of plan ${plan.slice(0, 12)}`;
  return safeText(`${actions.length} actions${of} (${kinds}) for ${rule}`);
}

const notified = (record: ActionRecord): NotifiedAction => ({
  id: record.id,
  revision: record.revision,
  action: record.action,
  finding: { id: record.finding.id, revision: record.finding.revision },
  target: record.target,
  scope: record.scope,
  code: record.code,
  mode: record.mode,
  reason: safeText(record.reason, 1000),
  approvedBy: record.approvedBy,
  at: record.at,
});
