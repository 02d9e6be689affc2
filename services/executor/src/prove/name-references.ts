import { type Condition, operation } from '@ovn-steward/ovsdb';

interface ExactReference {
  readonly table: string;
  readonly condition: Condition;
}

const bare =
  (table: string, column: string) =>
  (name: string): ExactReference => ({ table, condition: [column, 'includes', name] });
const option =
  (table: string, key: string) =>
  (name: string): ExactReference => ({
    table,
    condition: ['options', 'includes', operation.map([[key, name]])],
  });

/**
 * Columns that hold nothing but a name, by what sort of thing it names: the server can select
 * exactly these rows.
 */
const EXACT: ReadonlyMap<string, readonly ((name: string) => ExactReference)[]> = new Map([
  [
    'lsp',
    [
      bare('Logical_Switch_Port', 'parent_name'),
      bare('Logical_Switch_Port', 'peer'),
      bare('NAT', 'logical_port'),
      bare('Forwarding_Group', 'child_port'),
      bare('Mirror', 'sink'),
    ],
  ],
  [
    'lrp',
    [
      option('Logical_Switch_Port', 'router-port'),
      bare('Logical_Router_Port', 'peer'),
      bare('Logical_Router_Static_Route', 'output_port'),
      bare('BFD', 'logical_port'),
      bare('Static_MAC_Binding', 'logical_port'),
    ],
  ],
  ['meter', [bare('ACL', 'meter')]],
]);

export const exactReferences = (sort: string, name: string): readonly ExactReference[] =>
  (EXACT.get(sort) ?? []).map((it) => it(name));

interface TextColumns {
  readonly table: string;
  /** What they may name. */
  readonly sorts: readonly string[];
  readonly columns: readonly string[];
  /** The only rows in which OVN reads them. */
  readonly where?: readonly Condition[];
}

const IN_MATCH = ['lsp', 'lrp', 'pg', 'as'];
const match = (table: string): TextColumns => ({ table, sorts: IN_MATCH, columns: ['match'] });

/**
 * Columns in which names stand within a text, or as one of a map's values: no condition finds these
 * (ovn-nb(5); judgement's `textReferences` reads them).
 */
export const SCANNED: readonly TextColumns[] = [
  match('ACL'),
  match('QoS'),
  match('Logical_Router_Policy'),
  match('NAT'),
  match('Mirror_Rule'),
  { table: 'Load_Balancer', sorts: ['lsp'], columns: ['ip_port_mappings'] },
  // `virtual-parents` is read on virtual ports only, `nat-addresses` on ports to a router.
  {
    table: 'Logical_Switch_Port',
    sorts: ['lsp'],
    columns: ['options'],
    where: [['type', '==', 'virtual']],
  },
  {
    table: 'Logical_Switch_Port',
    sorts: ['lsp', 'lrp'],
    columns: ['options'],
    where: [['type', '==', 'router']],
  },
  { table: 'Copp', sorts: ['meter'], columns: ['meters'] },
];
