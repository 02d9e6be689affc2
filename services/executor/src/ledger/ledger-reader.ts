import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { actionIn } from '@ovn-steward/contracts/actions/action-codec';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Database, Statement } from '@ovn-steward/shared/log/sqlite-database';
import type { StateTables } from '@ovn-steward/shared/log/state-file';
import { type ActionFilter, condition } from '../store/action-filter';

export interface ActionPage extends ActionFilter {
  /** Only ids behind this one. */
  readonly after?: string | undefined;
  /** At most so many; all by default. */
  readonly limit?: number;
}

/** How many actions are in one state for one reason. */
export interface ActionCount {
  readonly cluster: string;
  readonly rule: string;
  readonly state: string;
  readonly code: string;
  readonly count: number;
}

/**
 * How many claims were made, whatever became of them. Under the name of a rule, VPC or subnet; of
 * what lies in none only `all` and `byRule` know.
 */
export interface Spent {
  readonly all: number;
  readonly byRule: ReadonlyMap<string, number>;
  readonly byVpc: ReadonlyMap<string, number>;
  readonly bySubnet: ReadonlyMap<string, number>;
}

/** What the executor's ledger has, for reading alone. */
export class LedgerReader {
  protected readonly db: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(file: StateTables) {
    this.db = file.db;
  }

  get(id: string): ActionRecord | undefined {
    return this.#actions('id = ?', [id])[0];
  }

  /** The current state and the plan, without reading the record: queried for every finding in every turn. */
  stateOf(id: string): Pick<ActionRecord, 'state' | 'code' | 'plan'> | undefined {
    return this.sql<[string], Pick<ActionRecord, 'state' | 'code' | 'plan'>>(
      'SELECT state, code, plan FROM action WHERE id = ?',
    ).get(id);
  }

  /**
   * Whether it rests on a record of unproven origin, which this executor's own file did not know.
   */
  isUnproven(id: string): boolean {
    return this.sql<[string]>('SELECT 1 FROM unproven WHERE id = ?').get(id) !== undefined;
  }

  /** Those of a cluster that are claimed and not ended, the oldest first. */
  open(cluster: string): ActionRecord[] {
    return this.#actions("state = 'claimed' AND cluster = ? ORDER BY claimed_at, id", [cluster]);
  }

  /** What the newest claim says of which living systems it is, of those that say it. */
  newestIdentity(cluster: string): ClusterIdentity | undefined {
    return this.sql<[string], ClusterIdentity>(
      "SELECT record ->> '$.identity.northbound' AS northbound, record ->> '$.identity.kubernetes' AS kubernetes FROM action WHERE cluster = ? AND claimed_at IS NOT NULL AND record ->> '$.identity.kubernetes' IS NOT NULL ORDER BY claimed_at DESC LIMIT 1",
    ).get(cluster);
  }

  /** In the order of their ids. */
  list({ after, limit = -1, ...filter }: ActionPage = {}): ActionRecord[] {
    const { where, values } = condition(filter);
    return this.#actions(
      `${where}${after === undefined ? '' : ' AND id > ?'} ORDER BY id LIMIT ?`,
      [...values, ...(after === undefined ? [] : [after]), limit],
    );
  }

  total(filter: ActionFilter = {}): number {
    const { where, values } = condition(filter);
    return this.sql<string[], { total: number }>(
      `SELECT count(*) AS total FROM action WHERE ${where}`,
    ).get(...values)!.total;
  }

  ofFinding(id: string): ActionRecord[] {
    return this.#actions('finding = ? ORDER BY id', [id]);
  }

  ofPlan(plan: string): ActionRecord[] {
    return this.#actions('plan = ? ORDER BY id', [plan]);
  }

  counts(): ActionCount[] {
    return this.sql<[], ActionCount>(
      'SELECT cluster, rule, state, code, count(*) AS count FROM action GROUP BY cluster, rule, state, code',
    ).all();
  }

  /** What was claimed in a cluster at that time (ms since the epoch) or later. */
  spent(cluster: string, since: number): Spent {
    const by = (column: 'rule' | 'vpc' | 'subnet'): Map<string, number> => {
      const rows = this.sql<[string, number], { name: string; count: number }>(
        `SELECT ${column} AS name, count(*) AS count FROM action WHERE cluster = ? AND claimed_at >= ? AND ${column} IS NOT NULL GROUP BY ${column}`,
      ).all(cluster, since);
      return new Map(rows.map((it) => [it.name, it.count]));
    };
    const byRule = by('rule');
    return {
      all: [...byRule.values()].reduce((sum, it) => sum + it, 0),
      byRule,
      byVpc: by('vpc'),
      bySubnet: by('subnet'),
    };
  }

  /** Up to where the log's actions are folded in; undefined for a partition never read. */
  position(partition: number): bigint | undefined {
    const row = this.sql<[number], { next: string }>(
      'SELECT next FROM action_position WHERE partition = ?',
    ).get(partition);
    return row && BigInt(row.next);
  }

  #actions(condition: string, values: readonly (string | number)[]): ActionRecord[] {
    return this.sql<(string | number)[], { record: string }>(
      `SELECT record FROM action WHERE ${condition}`,
    )
      .all(...values)
      .map((it) => actionIn(it.record));
  }

  /** Prepared once. */
  protected sql<Values extends unknown[] = unknown[], Row = unknown>(
    sql: string,
  ): Statement<Values, Row> {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.db.prepare(sql)));
    return statement as Statement<Values, Row>;
  }
}
