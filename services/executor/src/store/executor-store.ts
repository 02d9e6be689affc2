import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { FollowedStore } from '@ovn-steward/shared/log/followed-store';
import type { Proposal } from '../findings/proposal';
import type { StateFile } from '@ovn-steward/shared/log/state-file';

/** What is kept of every finding, also of one that is no proposal. */
type Named = Pick<Finding, 'id' | 'cluster' | 'revision' | 'doubt'>;

/**
 * What one record says: a finding stands in this revision, and is a proposal or not; or it is
 * forgotten.
 */
export type StoreStep =
  { readonly stands: Named; readonly proposal: Proposal | null } | { readonly forgotten: string };

/** One batch of the log, applied as a whole or not at all. */
export interface Batch {
  readonly partition: number;
  readonly steps: readonly StoreStep[];
  /** Where reading goes on. */
  readonly next: bigint;
  /** By the executor's clock, in milliseconds. */
  readonly at: number;
}

/** What a batch brought about in the end. */
export interface AppliedSteps {
  /** Proposals that are new, or in a new revision. */
  readonly proposed: readonly Proposal[];
  /** What was a proposal and is none any more. */
  readonly withdrawn: readonly {
    readonly id: string;
    readonly cluster: string;
    readonly rule: string;
  }[];
}

/** How many proposals there are of one rule in one cluster. */
export interface ProposalCount {
  readonly cluster: string;
  readonly rule: string;
  readonly count: number;
}

/** Which proposals: all by default. */
export interface ProposalFilter {
  readonly cluster?: string;
  readonly rule?: string;
}

interface Row {
  readonly cluster: string;
  readonly revision: number;
  readonly rule: string | null;
  readonly finding: string | null;
}

const SCHEMA = `
  CREATE TABLE finding (partition INTEGER NOT NULL, id TEXT NOT NULL, cluster TEXT NOT NULL, revision INTEGER NOT NULL, rule TEXT, finding TEXT, doubt TEXT, PRIMARY KEY (partition, id)) STRICT;
  CREATE INDEX proposal ON finding (cluster, rule, id) WHERE finding IS NOT NULL;
`;

const IN = 'finding IS NOT NULL AND partition IN (SELECT value FROM json_each(?))';

/**
 * What the executor knows of the findings: what stands in each partition. Findings that are no
 * proposals are kept by their revision and doubt alone, so that an older one that arrives late
 * brings nothing back.
 */
export class ExecutorStore extends FollowedStore {
  /** The last query and its result, until a finding changes. */
  #last: { readonly question: string; readonly proposals: readonly Proposal[] } | undefined;

  /** @throws Failure `state-corrupt` when the file is no usable database. */
  constructor(file: StateFile) {
    super(file, { name: 'findings', version: 2, tables: ['finding'], make: SCHEMA });
  }

  /**
   * Applies a batch. A revision lower than the one that stands is an old one come late, and
   * skipped.
   * @throws Failure `log-full` when there is no room for it.
   */
  apply({ partition, steps, next, at }: Batch): AppliedSteps {
    this.#last = undefined;
    return this.applied(partition, { next, at }, () => this.#applySteps(partition, steps));
  }

  /**
   * The proposals of these partitions, by cluster, rule and id. The same query returns the same
   * array without a new read, unless a batch came meanwhile.
   */
  proposals(partitions: Iterable<number>, filter: ProposalFilter = {}): readonly Proposal[] {
    const all = [...partitions];
    const question = JSON.stringify([all, filter.cluster ?? null, filter.rule ?? null]);
    if (this.#last?.question !== question)
      this.#last = { question, proposals: this.#proposals(all, filter) };
    return this.#last.proposals;
  }

  #proposals(partitions: readonly number[], { cluster, rule }: ProposalFilter): Proposal[] {
    const wanted = [IN];
    const values = [JSON.stringify(partitions)];
    for (const [column, value] of [
      ['cluster', cluster],
      ['rule', rule],
    ] as const) {
      if (value === undefined) continue;
      wanted.push(`${column} = ?`);
      values.push(value);
    }
    const rows = this.db
      .prepare<string[], { finding: string }>(
        `SELECT finding FROM finding WHERE ${wanted.join(' AND ')} ORDER BY cluster, rule, id`,
      )
      .all(...values);
    return rows.map((it) => JSON.parse(it.finding) as Proposal);
  }

  /**
   * Why a finding is in doubt, by its newest record; undefined where it is not, or no record of it
   * is known.
   */
  doubtOf(partition: number, id: string): string | undefined {
    const row = this.db
      .prepare<[number, string], { doubt: string | null }>(
        'SELECT doubt FROM finding WHERE partition = ? AND id = ?',
      )
      .get(partition, id);
    return row?.doubt ?? undefined;
  }

  /** How many they are, without reading them. */
  counts(partitions: Iterable<number>): ProposalCount[] {
    return this.db
      .prepare<string[], ProposalCount>(
        `SELECT cluster, rule, count(*) AS count FROM finding WHERE ${IN} GROUP BY cluster, rule`,
      )
      .all(JSON.stringify([...partitions]));
  }

  override forget(partition?: number): void {
    this.#last = undefined;
    super.forget(partition);
  }

  #applySteps(partition: number, steps: readonly StoreStep[]): AppliedSteps {
    const select = this.db.prepare<[number, string], Row>(
      'SELECT cluster, revision, rule, finding FROM finding WHERE partition = ? AND id = ?',
    );
    const before = new Map<string, Row | undefined>();
    const after = new Map<string, StandingStep | undefined>();
    for (const step of steps) {
      const id = 'forgotten' in step ? step.forgotten : step.stands.id;
      if (!before.has(id)) before.set(id, select.get(partition, id));
      const known = after.has(id) ? after.get(id)?.stands.revision : before.get(id)?.revision;
      if ('forgotten' in step) after.set(id, undefined);
      else if (known === undefined || step.stands.revision >= known) after.set(id, step);
    }
    this.#write(partition, after);
    return difference(before, after);
  }

  #write(partition: number, after: ReadonlyMap<string, StandingStep | undefined>): void {
    const put = this.db.prepare(
      'INSERT OR REPLACE INTO finding (partition, id, cluster, revision, rule, finding, doubt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    const drop = this.db.prepare('DELETE FROM finding WHERE partition = ? AND id = ?');
    for (const [id, standing] of after) {
      if (standing === undefined) drop.run(partition, id);
      else
        put.run(
          partition,
          id,
          standing.stands.cluster,
          standing.stands.revision,
          standing.proposal?.rule ?? null,
          standing.proposal && JSON.stringify(standing.proposal),
          standing.stands.doubt ?? null,
        );
    }
  }
}

type StandingStep = Extract<StoreStep, { readonly stands: Named }>;

function difference(
  before: ReadonlyMap<string, Row | undefined>,
  after: ReadonlyMap<string, StandingStep | undefined>,
): AppliedSteps {
  const proposed: Proposal[] = [];
  const withdrawn: AppliedSteps['withdrawn'][number][] = [];
  for (const [id, standing] of after) {
    const known = before.get(id);
    const proposal = standing?.proposal ?? null;
    const was = known?.finding ? known : undefined;
    if (proposal !== null && was?.revision !== proposal.revision) proposed.push(proposal);
    if (proposal === null && was !== undefined)
      withdrawn.push({ id, cluster: was.cluster, rule: was.rule ?? '' });
  }
  return { proposed, withdrawn };
}
