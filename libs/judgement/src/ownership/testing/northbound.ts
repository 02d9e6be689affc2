import { textNames, textReferences, weakReferences } from '../references';
import { localEvidence, protects } from '../local-evidence';
import type { NbRow, Neighbourhood } from '../grammar/row';
import { columnList } from '../grammar/row';
import { parentsOf } from '../../world/ovn-rows';

type Presence = Neighbourhood['presence'];

/** Everything in Kubernetes is gone, and known to be. */
const nothingPresent: Presence = () => 'absent';

const into = <T>(index: Map<string, T[]>, key: string, value: T): void =>
  void (index.get(key)?.push(value) ?? index.set(key, [value]));

/** A neighbourhood over plain rows, with indexes made from the module's own pure functions. */
export function northbound(
  rows: readonly NbRow[],
  presence: Presence = nothingPresent,
): Neighbourhood {
  const byUid = new Map(rows.map((it) => [it.uid, it]));
  const children = new Map<string, NbRow[]>();
  const byReference = new Map<string, NbRow[]>();
  const byName = new Map<string, NbRow[]>();
  for (const row of rows) {
    for (const { uid } of parentsOf(row)) into(children, uid, row);
    for (const uid of weakReferences(row)) into(byReference, uid, row);
    for (const name of textReferences(row)) into(byName, name, row);
  }
  const protectingChildren = (uid: string, depth = 0): NbRow[] => {
    const below = depth < 6 ? (children.get(uid) ?? []) : [];
    return below.flatMap((row) => [
      ...(protects(localEvidence(row), row) ? [row] : []),
      ...protectingChildren(row.uid, depth + 1),
    ]);
  };
  return {
    row: (uid) => byUid.get(uid),
    protectingChildren: (uid) => protectingChildren(uid),
    referrers(row) {
      const parents = new Set(parentsOf(row).map((it) => it.uid));
      const groups = columnList(row, '_port_groups').flatMap((uid) => byUid.get(uid) ?? []);
      const named = textNames(row).flatMap((name) => byName.get(name) ?? []);
      return [...new Set([...(byReference.get(row.uid) ?? []), ...named, ...groups])].filter(
        (it) => !parents.has(it.uid),
      );
    },
    presence,
  };
}

/** The columns of the NB schema that hold rows by strong references, by table. */
const STRONG: Readonly<Record<string, readonly string[]>> = {
  Logical_Switch: ['ports', 'acls', 'qos_rules', 'load_balancer_group', 'forwarding_groups'],
  Logical_Switch_Port: ['ha_chassis_group', 'health_checks'],
  Logical_Router: ['ports', 'static_routes', 'policies', 'nat', 'load_balancer_group'],
  Logical_Router_Port: ['gateway_chassis', 'ha_chassis_group', 'dhcp_relay'],
  Port_Group: ['acls'],
  Load_Balancer: ['health_check'],
  HA_Chassis_Group: ['ha_chassis'],
  Meter: ['bands'],
  NAT: ['allowed_ext_ips', 'exempted_ext_ips'],
  ACL: ['sample_new', 'sample_est', 'network_function_group'],
  Network_Function: ['inport', 'outport', 'health_check'],
  Network_Function_Group: ['network_function', 'network_function_active'],
  Mirror: ['mirror_rules'],
  Sample: ['collectors'],
  NB_Global: ['connections', 'ssl'],
};

/** A row as a test or a database file has it: references where the schema puts them. */
export interface PlainRow {
  readonly table: string;
  readonly uid: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

const isDefault = (value: unknown): boolean =>
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * Turns strong references and group memberships round and drops defaults, as the collector does.
 */
export function project(rows: readonly PlainRow[]): NbRow[] {
  const parents = new Map<string, { kind: string; uid: string; column: string }[]>();
  const groups = new Map<string, string[]>();
  const uids = (row: PlainRow, column: string): string[] =>
    [row.columns[column] ?? []].flat() as string[];
  for (const row of rows) {
    for (const column of STRONG[row.table] ?? [])
      for (const uid of uids(row, column))
        into(parents, uid, { kind: row.table, uid: row.uid, column });
    if (row.table === 'Port_Group')
      for (const uid of uids(row, 'ports')) into(groups, uid, row.uid);
  }
  return rows.map(({ table, uid, columns }) => {
    const turned = table === 'Port_Group' ? ['ports', ...STRONG[table]!] : (STRONG[table] ?? []);
    const kept = Object.entries(columns).filter(
      ([column, value]) => !turned.includes(column) && !isDefault(value),
    );
    const object: Record<string, unknown> = Object.fromEntries(kept);
    if (parents.has(uid)) object['_parents'] = parents.get(uid);
    if (groups.has(uid)) object['_port_groups'] = groups.get(uid);
    const name = [columns['name'] ?? ''].flat()[0];
    return { kind: table, uid, name: typeof name === 'string' ? name : '', object };
  });
}
