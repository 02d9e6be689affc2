import { createEngine } from '@ovn-steward/judgement/create-engine';
import { userProtection } from '@ovn-steward/judgement/protection';
import { decode, uuidsIn, type Value } from '@ovn-steward/ovsdb';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { Referrers } from '@ovn-steward/systems/ovn/referrers';
import { rowObject } from '@ovn-steward/systems/ovn/row-object';
import { project } from '@ovn-steward/systems/projections/project';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { isProposal, type Proposal } from '../../findings/proposal';
import { confirmed, RECORDED_CLUSTER } from '../recorded-engine';
import type { Cluster } from './cluster';

type Reported = Pick<
  Extract<Change, { type: 'put' }>,
  'kind' | 'uid' | 'namespace' | 'name' | 'object'
>;

function reportedRows({ northbound: { database } }: Cluster): Reported[] {
  const roleOf = createRoles('ovn-nb');
  const [parents, groups] = [new Referrers(), new Referrers()];
  const rows = [...database.schema.tables.values()].flatMap((table) =>
    [...database.rows(table.name)].map(([uuid, json]) => ({
      table: table.name,
      uuid,
      name: typeof json['name'] === 'string' ? json['name'] : '',
      columns: [...table.columns.values()].map(
        (column) => [column, decode(column, json[column.name])] as [typeof column, Value],
      ),
    })),
  );
  for (const { table, uuid, columns } of rows) {
    for (const [column, value] of columns) {
      const { backward } = roleOf(table, column);
      for (const to of backward ? uuidsIn(value) : [])
        for (const target of backward!.tables)
          (backward!.as === 'groups' ? groups : parents).add(target, to, {
            kind: table,
            uid: uuid,
            column: column.name,
          });
    }
  }
  return rows.map(({ table, uuid, name, columns }) => ({
    kind: table,
    uid: uuid,
    name,
    object: rowObject(
      { columns: () => columns },
      (column) => roleOf(table, column),
      parents.of(table, uuid),
      groups.of(table, uuid),
    ),
  }));
}

/** Who judges one cluster, look by look. */
export interface Analyzer {
  /**
   * Every confirmed finding with a remedy, by their ids, as an analyzer tells of the cluster as it
   * is now. Revisions are left to whoever publishes.
   */
  findings(): readonly Proposal[];
}

/** One engine that is told what changed since the look before, as the log tells it. */
export function createAnalyzer(cluster: Cluster): Analyzer {
  const engine = createEngine({
    cluster: RECORDED_CLUSTER,
    grace: NO_GRACE,
    isProtected: userProtection([]),
  });
  const northbound = followedStream('ovn-nb', 'ovn-nb', [
    ...cluster.northbound.database.schema.tables.keys(),
  ]);
  const kinds = KUBERNETES_KINDS.map(({ kind }) => ({
    kind,
    stream: followedStream('kubernetes', kubernetesStream(kind), [kind]),
  }));
  const projected = new WeakMap<object, Hashed>();
  const reportedObjects = (kind: string): readonly Hashed[] =>
    cluster.kubernetes.objects(kind).map((it) => {
      const known = projected.get(it) ?? hashed({ kind, ...project(kind, it) });
      projected.set(it, known);
      return known;
    });
  return {
    findings() {
      engine.apply(
        [
          ...northbound(reportedRows(cluster).map(hashed)),
          ...kinds.flatMap(({ kind, stream }) => stream(reportedObjects(kind))),
        ],
        { checked: false },
      );
      // What nobody can judge for now stands as it was, and is told by nobody: a lag of the topic
      // is drawn elsewhere.
      const unknown = new Set(
        engine.unknowns().map(({ rule, subject }) => `${rule} ${subject?.uid ?? ''}`),
      );
      return engine
        .findings()
        .filter(
          ({ rule, subject }) => !unknown.has(`${rule} `) && !unknown.has(`${rule} ${subject.uid}`),
        )
        .map((it: Finding) => confirmed(it))
        .filter(isProposal)
        .sort(byId);
    },
  };
}

const byId = (a: Proposal, b: Proposal): number => (a.id < b.id ? -1 : 1);

type Hashed = Reported & { readonly hash: string };
const hashed = (it: Reported): Hashed => ({ ...it, hash: contentHash(it.object) });

/** A stream that is read in full once, and then told by what changes. */
function followedStream(
  source: 'ovn-nb' | 'kubernetes',
  name: string,
  kinds: readonly string[],
): (now: readonly Hashed[]) => Change[] {
  let seq = 0;
  let before: ReadonlyMap<string, Hashed> | undefined;
  const base = () => ({
    version: 1 as const,
    id: `${name}-${++seq}`,
    cluster: RECORDED_CLUSTER,
    source,
    stream: name,
    epoch: 1,
    seq,
    cursor: '',
    observedAt: '2026-01-01T00:00:00Z',
  });
  return (now) => {
    const reported = new Map(now.map((it) => [`${it.kind} ${it.uid}`, it]));
    const changes: Change[] = [];
    for (const [key, { object: _, hash: __, ...identity }] of before ?? [])
      if (!reported.has(key)) changes.push({ type: 'delete', ...base(), ...identity });
    for (const [key, it] of reported) {
      const { hash, name: called } = before?.get(key) ?? {};
      if (hash !== it.hash || called !== it.name) changes.push({ type: 'put', ...base(), ...it });
    }
    if (before === undefined)
      changes.push({
        type: 'snapshot-end',
        ...base(),
        kinds: [...kinds],
        count: reported.size,
        digest: '',
      });
    before = reported;
    return changes;
  };
}
