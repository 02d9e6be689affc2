import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { userProtection } from '@ovn-steward/judgement/protection';
import { type Row, uuidsIn } from '@ovn-steward/ovsdb';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import { createRoles } from '@ovn-steward/systems/ovn/column-role';
import { Referrers } from '@ovn-steward/systems/ovn/referrers';
import { rowName, rowObject } from '@ovn-steward/systems/ovn/row-object';
import { project } from '@ovn-steward/systems/projections/project';
import { parseKubernetesJson } from '@ovn-steward/systems/projections/parse-kubernetes-json';
import {
  recordedDatabase,
  type RecordedName,
  recordedFile,
} from '@ovn-steward/systems/testing/recorded-northbound';
import { followedStream, hashed, type Reported } from './followed-stream';

/** The Lease of Kube-OVN's controllers, where none is named. */
export const KUBE_OVN = { namespace: 'kube-system', lease: 'kube-ovn-controller' } as const;
/** The cluster the recordings are judged as. */
export const RECORDED_CLUSTER = 'berlin-1';

type RecordedObject = {
  kind: string;
  metadata: Record<string, unknown> & { name: string; namespace?: string; uid: string };
};

/** Of each recording the objects as plain JSON, its large integers found once. */
const texts = new Map<RecordedName, string>();

/** The objects of a recording, as kubectl gave them. Each call gives new ones. */
export function recordedObjects(name: RecordedName): RecordedObject[] {
  const text = texts.get(name) ?? JSON.stringify(parsedObjects(name));
  texts.set(name, text);
  return JSON.parse(text) as RecordedObject[];
}

const parsedObjects = (name: RecordedName): RecordedObject[] =>
  (
    parseKubernetesJson(
      readFileSync(join(recordedFile(name), '..', 'kubernetes.json'), 'utf8'),
    ) as { items: RecordedObject[] }
  ).items;

/**
 * Every row of a recording, as the collector reports it: from the whole file at once, with no
 * query.
 */
export async function recordedRows(name: RecordedName): Promise<Reported[]> {
  const database = await recordedDatabase(name);
  const roleOf = createRoles('ovn-nb');
  const parents = new Referrers();
  const groups = new Referrers();
  const rows: Row[] = [...database.schema.tables.keys()].flatMap((table) => [
    ...database.replica.rows(table),
  ]);
  for (const row of rows) {
    for (const [column, value] of row.columns()) {
      const { backward } = roleOf(row.table, column);
      for (const uuid of backward ? uuidsIn(value) : []) {
        for (const table of backward!.tables)
          (backward!.as === 'groups' ? groups : parents).add(table, uuid, {
            kind: row.table,
            uid: row.uuid,
            column: column.name,
          });
      }
    }
  }
  return rows.map((row) => ({
    kind: row.table,
    uid: row.uuid,
    name: rowName(row),
    object: rowObject(
      row,
      (column) => roleOf(row.table, column),
      parents.of(row.table, row.uuid),
      groups.of(row.table, row.uuid),
    ),
  }));
}

/**
 * But for the address records whose owners are gone: then each of their ports is a finding of its
 * own.
 */
export const withoutLeakedRecords = async (
  name: RecordedName,
): Promise<Parameters<typeof recordedEngine>[1] & {}> => {
  const leaked = new Set(
    (await recordedEngine(name))
      .findings()
      .flatMap((it) => (it.rule === 'leaked-ip' ? [it.subject.uid] : [])),
  );
  return ({ metadata }) => !leaked.has(metadata.uid);
};

/**
 * What a recording holds, but for objects taken away and rows that say something else, judged as an
 * audit judges it: every stream completely reported.
 */
export async function recordedEngine(
  name: RecordedName,
  isThere: (object: RecordedObject) => boolean = () => true,
  as: (row: Reported) => Reported = (row) => row,
): Promise<Engine> {
  const engine = createEngine({
    cluster: RECORDED_CLUSTER,
    grace: NO_GRACE,
    isProtected: userProtection([]),
  });
  const objects = recordedObjects(name).filter(isThere);
  const of = (kind: string): Reported[] =>
    objects.filter((it) => it.kind === kind).map((it) => ({ kind, ...project(kind, it) }));
  const rows = (await recordedRows(name)).map(as);
  const read = (
    source: 'ovn-nb' | 'kubernetes',
    stream: string,
    kinds: readonly string[],
    reported: readonly Reported[],
  ) => followedStream(RECORDED_CLUSTER, source, stream, kinds)(reported.map(hashed));
  engine.apply(
    [
      ...read('ovn-nb', 'ovn-nb', [...new Set(rows.map((it) => it.kind))], rows),
      ...KUBERNETES_KINDS.flatMap(({ kind }) =>
        read('kubernetes', kubernetesStream(kind), [kind], of(kind)),
      ),
    ],
    { checked: false },
  );
  return engine;
}

/** The finding as it stands once its grace is over. */
export const confirmed = (finding: Finding): Finding => ({
  ...finding,
  state: 'confirmed',
  revision: finding.revision + 1,
  confirmedAt: finding.lastSeen,
});
