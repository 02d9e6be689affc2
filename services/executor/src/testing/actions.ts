import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { encodeAction } from '@ovn-steward/contracts/actions/action-codec';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { actionKey } from '@ovn-steward/contracts/identity/ids';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { Decision } from '../ledger/decide';
import { finding, NOW, recordOf } from './findings';

/** What would put the port of that name back. */
export const undoOf = (
  port: string,
  columns: Readonly<Record<string, unknown>> = { addresses: '00:00:00:00:00:01 10.16.0.2' },
): Undo => ({
  of: 'rows',
  rows: [
    { table: 'Logical_Switch_Port', uuid: `uid-${port}`, name: port, columns: { ...columns } },
  ],
  links: [
    {
      table: 'Logical_Switch',
      uuid: 'uid-switch',
      name: 'ovn-default',
      column: 'ports',
      to: { table: 'Logical_Switch_Port', uuid: `uid-${port}` },
      strength: 'strong',
    },
  ],
});

/** What is decided about the port of that name: it is claimed unless `more` says otherwise. */
export function decision(port: string, more: Partial<Decision> = {}): Decision {
  const { id, revision, cluster, rule, remedy, proof, owner } = finding(
    port,
    more.cluster === undefined ? {} : { cluster: more.cluster },
  );
  const claimed =
    (more.state ?? 'claimed') !== 'observed' &&
    more.state !== 'proposed' &&
    more.state !== 'deferred';
  return {
    id: actionKey(cluster, remedy!.target, remedy!.action, id, revision),
    cluster,
    rule,
    finding: { id, revision },
    action: remedy!.action,
    target: remedy!.target,
    state: 'claimed',
    code: more.state ?? 'claimed',
    reason: `It is ${more.state ?? 'claimed'}.`,
    mode: 'enforce',
    plan: null,
    approvedBy: null,
    proof,
    owner,
    scope: { vpc: 'ovn-cluster', subnet: 'ovn-default' },
    undo: claimed ? undoOf(port) : null,
    executor: 'executor-a',
    ...more,
  };
}

/** A record about the port of that name, in whatever revision. */
export function action(port: string, more: Partial<ActionRecord> = {}): ActionRecord {
  const at = more.at ?? NOW.toISOString();
  const made = decision(port, more);
  const ended = ['done', 'refused', 'failed', 'undone'].includes(made.state);
  return {
    version: 1,
    revision: 1,
    at,
    claimedAt: made.undo === null ? null : at,
    endedAt: ended ? at : null,
    ...made,
    ...more,
  };
}

/** As the log gives it back. */
export const actionLogRecord = (it: ActionRecord, offset = 0n): LogRecord =>
  recordOf(encodeAction(it, NOW.getTime()), offset);
