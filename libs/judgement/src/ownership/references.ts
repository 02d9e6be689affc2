import { KNOWN_COLUMNS } from './known-columns';
import { evidenceInFold, protects } from './local-evidence';
import { namesInMatch } from './match-names';
import { PROTECTED_TABLES } from './protected-tables';
import type { NbRow } from './grammar/row';
import { columnList, mapOf, columnText, valueOf } from './grammar/row';

const NONE: readonly string[] = Object.freeze([]);

/**
 * Columns that refer weakly, by table (NB schema 7.19). Port_Group.ports is not here: it arrives
 * turned round, on the port.
 */
const WEAK_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Logical_Switch', ['load_balancer', 'dns_records', 'copp']],
  ['Logical_Switch_Port', ['dhcpv4_options', 'dhcpv6_options', 'mirror_rules']],
  ['Logical_Router', ['load_balancer', 'copp']],
  ['Logical_Router_Static_Route', ['bfd']],
  ['Logical_Router_Policy', ['bfd_sessions', 'output_port']],
  ['NAT', ['gateway_port']],
  ['Load_Balancer_Group', ['load_balancer']],
]);

/**
 * The uids the row refers to weakly. A port that is not Kube-OVN's also counts as a referrer of the
 * port groups that list it: to delete the group would change what reaches that port.
 */
export function weakReferences(row: NbRow): readonly string[] {
  const columns = WEAK_COLUMNS.get(row.kind);
  if (!columns) return isKnown(row.kind) ? NONE : everyText(row);
  let found: string[] | undefined;
  for (const column of columns) for (const uid of columnList(row, column)) (found ??= []).push(uid);
  if (row.kind === 'Logical_Switch_Port') {
    const groups = columnList(row, '_port_groups');
    if (groups.length > 0 && protects(evidenceInFold(row), row)) (found ??= []).push(...groups);
  }
  return found ?? NONE;
}

type Names = (row: NbRow, add: (name: string) => void) => void;

const column =
  (name: string, kind: string): Names =>
  (row, add) => {
    const text = columnText(row, name);
    if (text !== '') add(`${kind}:${text}`);
  };

/**
 * A quoted name may be a switch port, a router port, or a router port's `cr-` counterpart on its
 * gateway chassis.
 */
const addQuoted = (names: readonly string[], add: (name: string) => void): void => {
  for (const name of names) {
    add(`lsp:${name}`);
    add(`lrp:${name}`);
    if (name.startsWith('cr-')) add(`lrp:${name.slice('cr-'.length)}`);
  }
};

/**
 * northd makes `$<group>_ip4` and `_ip6` of each port group; a set may have such a name as well.
 */
const GROUP_SET = /^(.+)_ip[46]$/;

const match: Names = (row, add) => {
  const text = columnText(row, 'match');
  if (text === '') return;
  const { portGroups, addressSets, quoted } = namesInMatch(text);
  for (const name of portGroups) add(`pg:${name}`);
  for (const name of addressSets) {
    add(`as:${name}`);
    const group = GROUP_SET.exec(name);
    if (group) add(`pg:${group[1]}`);
  }
  addQuoted(quoted, add);
};

const switchPort: Names = (row, add) => {
  const options = mapOf(row, 'options');
  const router = valueOf(options, 'router-port');
  if (router !== '') add(`lrp:${router}`);
  for (const parent of valueOf(options, 'virtual-parents').split(','))
    if (parent.trim() !== '') add(`lsp:${parent.trim()}`);
  const advertised = valueOf(options, 'nat-addresses');
  if (advertised.includes('"')) addQuoted(namesInMatch(advertised).quoted, add);
};

/** `<port>:<source address>` under each backend's address. */
const healthSources: Names = (row, add) => {
  for (const value of Object.values(mapOf(row, 'ip_port_mappings'))) {
    const colon = String(value).indexOf(':');
    const port = colon < 0 ? String(value) : String(value).slice(0, colon);
    if (port !== '') add(`lsp:${port}`);
  }
};

const childPorts: Names = (row, add) =>
  columnList(row, 'child_port').forEach((it) => add(`lsp:${it}`));
const meters: Names = (row, add) =>
  Object.values(mapOf(row, 'meters')).forEach((it) => add(`meter:${it}`));
const sink: Names = (row, add) =>
  columnText(row, 'type') === 'lport' ? column('sink', 'lsp')(row, add) : undefined;

/** References by name, which the database neither checks nor repairs (ovn-nb(5)). */
const TEXTS: ReadonlyMap<string, readonly Names[]> = new Map<string, readonly Names[]>([
  ['Logical_Switch_Port', [switchPort, column('parent_name', 'lsp'), column('peer', 'lsp')]],
  ['Logical_Router_Port', [column('peer', 'lrp')]],
  ['Logical_Router_Static_Route', [column('output_port', 'lrp')]],
  ['Logical_Router_Policy', [match]],
  ['NAT', [column('logical_port', 'lsp'), match]],
  ['ACL', [match, column('meter', 'meter')]],
  ['QoS', [match]],
  ['Mirror_Rule', [match]],
  ['Load_Balancer', [healthSources]],
  ['Forwarding_Group', [childPorts]],
  ['Copp', [meters]],
  ['Mirror', [sink]],
  ['BFD', [column('logical_port', 'lrp')]],
  ['Static_MAC_Binding', [column('logical_port', 'lrp')]],
]);

/**
 * The names the row refers to, in the normal form `lsp:`, `lrp:`, `pg:`, `as:`, `meter:` + name;
 * each once.
 */
export function textReferences(row: NbRow): readonly string[] {
  const texts = TEXTS.get(row.kind);
  if (!texts)
    return isKnown(row.kind)
      ? NONE
      : everyText(row).flatMap((it) => Object.values(PREFIX).map((prefix) => prefix + it));
  let found: Set<string> | undefined;
  const add = (name: string): void => void (found ??= new Set()).add(name);
  for (const names of texts) names(row, add);
  return found ? [...found] : NONE;
}

const PREFIX: Readonly<Record<string, string>> = {
  Logical_Switch_Port: 'lsp:',
  Logical_Router_Port: 'lrp:',
  Port_Group: 'pg:',
  Address_Set: 'as:',
  Meter: 'meter:',
};

/** The names under which others can refer to the row, in the same normal form. */
export function textNames(row: NbRow): readonly string[] {
  const prefix = PREFIX[row.kind];
  return prefix && row.name !== '' ? [prefix + row.name] : NONE;
}

const isKnown = (table: string): boolean => KNOWN_COLUMNS.has(table) || PROTECTED_TABLES.has(table);

/** Of a table this version does not know any text may be a reference; all of them count. */
function everyText(row: NbRow): readonly string[] {
  const found: string[] = [];
  for (const [column, value] of Object.entries(row.object)) {
    if (column.startsWith('_')) continue;
    const parts: unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'object' && value !== null
        ? Object.values(value)
        : [value];
    for (const part of parts) if (typeof part === 'string' && part !== '') found.push(part);
  }
  return found;
}
