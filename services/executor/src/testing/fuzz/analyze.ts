import { ascendingBy } from '@ovn-steward/shared/compare';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import { userProtection } from '@ovn-steward/judgement/protection';
import { decode, uuidsIn, type Value } from '@ovn-steward/ovsdb';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { Referrers } from '@ovn-steward/systems/ovn/referrers';
import { rowObject } from '@ovn-steward/systems/ovn/row-object';
import { project } from '@ovn-steward/systems/projections/project';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { isProposal, type Proposal } from '../../findings/proposal';
import { followedStream, type Hashed, hashed, type Reported } from '../followed-stream';
import { confirmed, RECORDED_CLUSTER } from '../recorded-engine';
import type { Cluster } from './cluster';

function reportedRows({ northbound: { database } }: Cluster): Reported[] {
  const roleOf = createRoles('ovn-nb');
  const parents = new Referrers();
  const groups = new Referrers();
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

/** Who judges one cluster, one evaluation after the other. */
export interface Analyzer {
  /**
   * Every confirmed finding with a remedy, by their ids, as an analyzer reports the cluster as it
   * is now. Revisions are left to whoever publishes.
   */
  findings(): readonly Proposal[];
}

/** One engine that gets what changed since the evaluation before, as the log has it. */
export function createAnalyzer(cluster: Cluster): Analyzer {
  const engine = createEngine({
    cluster: RECORDED_CLUSTER,
    grace: NO_GRACE,
    isProtected: userProtection([]),
  });
  const northbound = followedStream(RECORDED_CLUSTER, 'ovn-nb', 'ovn-nb', [
    ...cluster.northbound.database.schema.tables.keys(),
  ]);
  const kinds = KUBERNETES_KINDS.map(({ kind }) => ({
    kind,
    stream: followedStream(RECORDED_CLUSTER, 'kubernetes', kubernetesStream(kind), [kind]),
  }));
  const projected = new WeakMap<object, Hashed>();
  const reportedObjects = (kind: string): readonly Hashed[] =>
    cluster.kubernetes.objects(kind).map((object) => {
      const known = projected.get(object) ?? hashed({ kind, ...project(kind, object) });
      projected.set(object, known);
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
      // What nobody can judge for now stands as it was, and nobody reports it: a lag of the topic is
      // drawn elsewhere.
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

const byId = ascendingBy((it: Proposal) => it.id);
