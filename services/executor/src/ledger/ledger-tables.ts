import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import type { ReadAction } from './read-action';

/**
 * Grows when the tables are no longer what the code wants. All but the outbox is then built again
 * from the log.
 */
export const LEDGER_VERSION = 2;

/**
 * `outbox` is never dropped: its content is nowhere else. `again`: 1 for a record the log has
 * already. The columns of `action` repeat the fields of its record that queries use; times are in
 * ms.
 */
export const LEDGER_TABLES = `
  CREATE TABLE IF NOT EXISTS outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, partition INTEGER NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, again INTEGER NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outbox_by_partition ON outbox (partition, seq);
  CREATE INDEX IF NOT EXISTS outbox_by_id ON outbox (id, seq);
  DROP TABLE IF EXISTS action;
  DROP TABLE IF EXISTS action_position;
  CREATE TABLE action_position (partition INTEGER PRIMARY KEY, next TEXT NOT NULL) STRICT;
  CREATE TABLE action (
    id TEXT PRIMARY KEY, cluster TEXT NOT NULL, partition INTEGER NOT NULL, rule TEXT NOT NULL, finding TEXT NOT NULL, plan TEXT, subject TEXT NOT NULL,
    state TEXT NOT NULL, code TEXT NOT NULL, revision INTEGER NOT NULL, vpc TEXT, subnet TEXT, claimed_at INTEGER, ended_at INTEGER, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX action_by_code ON action (cluster, state, code);
  CREATE INDEX action_by_state ON action (cluster, rule, state, code);
  CREATE INDEX action_open ON action (cluster, claimed_at, id) WHERE state = 'claimed';
  CREATE INDEX action_claimed ON action (cluster, claimed_at, rule, vpc, subnet) WHERE claimed_at IS NOT NULL;
  CREATE INDEX action_by_finding ON action (finding);
  CREATE INDEX action_by_subject ON action (subject);
  CREATE INDEX action_by_partition ON action (partition);
  CREATE INDEX action_by_plan ON action (plan) WHERE plan IS NOT NULL;
`;

/**
 * The actions that rest on records of unproven origin. A file of an earlier version has none: its
 * content continues to count.
 */
export const UNPROVEN_TABLE =
  'CREATE TABLE IF NOT EXISTS unproven (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID';

const COLUMNS = [
  'id',
  'cluster',
  'partition',
  'rule',
  'finding',
  'plan',
  'subject',
  'state',
  'code',
  'revision',
  'vpc',
  'subnet',
  'claimed_at',
  'ended_at',
  'record',
] as const;

export const PUT_ACTION = `INSERT OR REPLACE INTO action (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/** The values of `PUT_ACTION`. */
export function columnsOf({ action, text }: ReadAction): (string | number | null)[] {
  const { id, cluster, rule, finding, plan, target, state, code, revision, scope } = action;
  return [
    id,
    cluster,
    partitionOf(cluster, PARTITIONS),
    rule,
    finding.id,
    plan,
    target.uid,
    state,
    code,
    revision,
    scope.vpc,
    scope.subnet,
    timeOf(action.claimedAt),
    timeOf(action.endedAt),
    text,
  ];
}

const timeOf = (text: ActionRecord['claimedAt']): number | null =>
  text === null ? null : Date.parse(text);
