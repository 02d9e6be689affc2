import type { Rig } from './rig';

/**
 * What is compared of each table: what a workload would notice. Rows without names, such as ACLs,
 * are recreated when a controller starts.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Logical_Switch: ['ports', 'load_balancer'],
  Logical_Switch_Port: ['addresses', 'type'],
  Logical_Router: ['ports', 'load_balancer'],
  Logical_Router_Port: ['networks'],
  Load_Balancer: ['vips'],
  Port_Group: ['ports'],
  Address_Set: ['addresses'],
};
const KINDS = ['IP', 'Vip', 'Subnet', 'Vpc'] as const;

/**
 * Of a node: the controller puts ports into it once a minute, so that its members at a moment say
 * nothing.
 */
const FOLLOWS = /^Port_Group node\./;

/**
 * The network as workloads have it: named rows and address records, each with what counts of it.
 */
export type NetworkState = ReadonlyMap<string, string>;

export async function networkState({ nbctl, objects }: Rig): Promise<NetworkState> {
  const state = new Map<string, string>();
  const names = await namesByUuid(nbctl);
  const named = (text: string): string =>
    text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (it) => names.get(it) ?? it);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const text = await nbctl('--format=json', `--columns=name,${columns.join(',')}`, 'list', table);
    const { data } = JSON.parse(text) as { data: (readonly [string, ...unknown[]])[] };
    for (const [name, ...all] of data) {
      const values = FOLLOWS.test(`${table} ${name}`) ? [] : all;
      state.set(
        `${table} ${name}`,
        JSON.stringify(JSON.parse(named(JSON.stringify(values)), (_, it: unknown) => ordered(it))),
      );
    }
  }
  for (const kind of KINDS)
    for (const { metadata, spec } of await objects.list(kind)) {
      const addresses = ['ipAddress', 'v4ip', 'cidrBlock', 'vpc'].map((it) => spec?.[it]);
      const isTerminating = metadata.deletionTimestamp !== undefined;
      state.set(`${kind} ${metadata.name}`, JSON.stringify([...addresses, isTerminating]));
    }
  return state;
}

/** What others refer to by its uuid, which is another when it was recreated. */
async function namesByUuid(nbctl: Rig['nbctl']): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const table of ['Logical_Switch_Port', 'Logical_Router_Port', 'Load_Balancer']) {
    const text = await nbctl('--format=json', '--columns=_uuid,name', 'list', table);
    const { data } = JSON.parse(text) as { data: [[string, string], string][] };
    for (const [[, uuid], name] of data) names.set(uuid, name);
  }
  return names;
}

/**
 * OVSDB gives no order to sets and maps: `["set", […]]` and `["map", […]]` (RFC 7047, section 5.1).
 */
export const ordered = (value: unknown): unknown =>
  Array.isArray(value) && (value[0] === 'set' || value[0] === 'map') && Array.isArray(value[1])
    ? [value[0], (value[1] as unknown[]).map((it) => JSON.stringify(it)).sort()]
    : value;

/** What differs, a line each; nothing where the two are the same. */
export const differences = (before: NetworkState, after: NetworkState): readonly string[] => [
  ...[...before.keys()].filter((it) => !after.has(it)).map((it) => `lost: ${it}`),
  ...[...after.keys()].filter((it) => !before.has(it)).map((it) => `left: ${it}`),
  ...[...before]
    .filter(([key, text]) => after.has(key) && after.get(key) !== text)
    .map(([key, text]) => `changed: ${key}: ${apart(text, after.get(key)!)}`),
];

/** What only one of two states has, of each. */
function apart(before: string, after: string): string {
  const one = partsOf(before);
  const other = partsOf(after);
  const only = (of: ReadonlySet<string>, than: ReadonlySet<string>): string =>
    [...of].filter((it) => !than.has(it)).join(' ');
  return `had ${only(one, other) || 'nothing else'}, has ${only(other, one) || 'nothing else'}`;
}

const partsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\w.:-]{3,}/g) ?? []);
