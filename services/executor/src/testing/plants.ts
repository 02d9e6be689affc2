import { operation, type JsonRow, type Operation } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/contracts/identity/reference';

const { insert, map, mutate, set, uuid } = operation;

/**
 * A row of Kube-OVN's for an action to act on, and what is around it: `plant` in
 * `actions/testing/<id>.ts`.
 */
export interface Plant {
  readonly operations: readonly Operation[];
  readonly target: Reference;
  /** `<table> <uuid>` of every row that is to go; none for an entry. */
  readonly removes: readonly string[];
  /** Why no row refers to the target weakly, though the schema has a column for it. */
  readonly notReferred?: string;
}

/** From 110 on for what is around a target; no two plants stand in one database. */
export const rowId = (nth: number): string =>
  `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const VENDOR = ['vendor', 'kube-ovn'] as const;
/** Kube-OVN's tag, and more of its keys. */
export const keys = (
  ...pairs: readonly (readonly [string, string])[]
): NonNullable<JsonRow[string]> => map([VENDOR, ...pairs]);

/** Rows that every plant stands on. */
export const GROUND = {
  switch: rowId(1),
  router: rowId(2),
  neighbour: rowId(3),
  group: rowId(4),
  balancer: rowId(5),
  port: rowId(6),
  gatewayPort: rowId(7),
} as const;

/**
 * A switch and a router of Kube-OVN's with a port each, a security group and a balancer that both
 * have.
 */
export const ground: readonly Operation[] = [
  insert(
    'Logical_Switch',
    {
      name: 'planted-net',
      external_ids: keys(),
      ports: set([uuid(GROUND.neighbour)]),
      load_balancer: uuid(GROUND.balancer),
    },
    GROUND.switch,
  ),
  insert(
    'Logical_Switch_Port',
    {
      name: 'neighbour-0.planted',
      addresses: '0a:58:00:00:00:02 10.99.0.2',
      up: true,
      external_ids: keys(['ls', 'planted-net'], ['pod', 'planted/neighbour-0']),
    },
    GROUND.neighbour,
  ),
  insert(
    'Logical_Router',
    {
      name: 'planted-vpc',
      external_ids: keys(),
      ports: uuid(GROUND.gatewayPort),
      load_balancer: uuid(GROUND.balancer),
    },
    GROUND.router,
  ),
  insert(
    'Logical_Router_Port',
    {
      name: 'planted-vpc-living',
      mac: '0a:58:00:00:01:01',
      networks: '10.98.0.1/24',
      external_ids: keys(['lr', 'planted-vpc']),
    },
    GROUND.gatewayPort,
  ),
  insert(
    'Port_Group',
    {
      name: 'ovn.sg.living',
      ports: uuid(GROUND.neighbour),
      external_ids: keys(['type', 'security_group'], ['sg', 'living']),
    },
    GROUND.group,
  ),
  insert(
    'Load_Balancer',
    {
      name: 'vpc-planted-vpc-tcp-load',
      protocol: 'tcp',
      options: map([['prefer_local_backend', 'false']]),
      external_ids: keys(),
      vips: map([
        ['10.97.0.1:80', '10.99.0.2:8080'],
        ['10.97.0.2:80', '10.99.0.2:8081'],
      ]),
      ip_port_mappings: map([
        ['10.99.0.2', 'neighbour-0.planted:10.99.0.254'],
        ['10.99.0.9', 'gone-0.planted:10.99.0.254'],
      ]),
    },
    GROUND.balancer,
  ),
];

/** The row that is to go. */
export const TARGET = rowId(100);
/** A row of the ground begins to hold another. */
export const into = (table: string, holder: string, column: string, child = TARGET): Operation =>
  mutate(table, operation.byUuid(holder), [[column, 'insert', uuid(child)]]);

/** @param alsoRemoves `<table> <uuid>` of what goes with it. */
export function plantedRow(
  kind: string,
  name: string,
  row: JsonRow,
  around: readonly Operation[],
  alsoRemoves: readonly string[] = [],
): Plant {
  return {
    operations: [insert(kind, row, TARGET), ...around],
    target: { source: 'ovn-nb', kind, name, uid: TARGET },
    removes: [`${kind} ${TARGET}`, ...alsoRemoves],
  };
}

export const plantedEntry = (
  kind: string,
  uid: string,
  name: string,
  column: string,
  key: string,
  around: readonly Operation[] = [],
): Plant => ({
  operations: around,
  target: { source: 'ovn-nb', kind, name, uid, part: { column, key } },
  removes: [],
});

export const acl = (match: string, parent: string): JsonRow => ({
  direction: 'to-lport',
  priority: 2005,
  match,
  action: 'allow-related',
  tier: 2,
  external_ids: keys(['parent', parent]),
});
