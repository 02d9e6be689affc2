import { createEngine } from '@ovn-steward/judgement/create-engine';
import { protectionOf } from '@ovn-steward/judgement/protection';
import { decode, uuidsIn, type Value } from '@ovn-steward/ovsdb';
import { createRoles } from '@ovn-steward/reading/ovn/column-role';
import { Referrers } from '@ovn-steward/reading/ovn/referrers';
import { rowObject } from '@ovn-steward/reading/ovn/row-object';
import { project } from '@ovn-steward/reading/projections/project';
import type { Change } from '@ovn-steward/shared/events/change';
import type { Finding } from '@ovn-steward/shared/events/finding';
import { contentHash } from '@ovn-steward/shared/ids';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import { isProposal, type Proposal } from '../../proposal';
import { confirmed, RECORDED_CLUSTER } from '../recorded-engine';
import type { Cluster } from './cluster';

type Told = Pick<
  Extract<Change, { type: 'put' }>,
  'kind' | 'uid' | 'namespace' | 'name' | 'object'
>;

const NOTHING = { garbage: 0, leak: 0, drift: 0, stuck: 0, misplaced: 0, missing: 0, damage: 0 };

function rowsTold({ northbound: { database } }: Cluster): Told[] {
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

/** Every confirmed finding with a remedy, as an analyzer tells of the cluster as it is now. Revisions are left to whoever publishes. */
export function analyze(cluster: Cluster): Proposal[] {
  const engine = createEngine({
    cluster: RECORDED_CLUSTER,
    grace: NOTHING,
    isProtected: protectionOf([]),
  });
  const rows = rowsTold(cluster);
  engine.apply(
    [
      ...stream('ovn-nb', 'ovn-nb', [...cluster.northbound.database.schema.tables.keys()], rows),
      ...KUBERNETES_KINDS.flatMap(({ kind }) =>
        stream(
          'kubernetes',
          kubernetesStream(kind),
          [kind],
          cluster.kubernetes.objects(kind).map((it) => ({ kind, ...project(kind, it) })),
        ),
      ),
    ],
    { checked: false },
  );
  return engine
    .findings()
    .map((it: Finding) => confirmed(it))
    .filter(isProposal)
    .sort(byId);
}

const byId = (a: Proposal, b: Proposal): number => (a.id < b.id ? -1 : 1);

function stream(
  source: 'ovn-nb' | 'kubernetes',
  name: string,
  kinds: readonly string[],
  told: readonly Told[],
): Change[] {
  let seq = 0;
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
  const puts = told.map((it): Change => ({
    type: 'put',
    ...base(),
    ...it,
    hash: contentHash(it.object),
  }));
  return [
    ...puts,
    { type: 'snapshot-end', ...base(), kinds: [...kinds], count: puts.length, digest: '' },
  ];
}
