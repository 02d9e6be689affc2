/**
 * Northbound rows as the collector sends them: sets as sorted arrays, maps as objects, references
 * as uids, columns at their default left out. Strong references are turned round: a row names its
 * holders in `_parents`, and a port names the port groups that list it in `_port_groups`, so that
 * one new port never re-sends a switch.
 */
export interface Parent {
  readonly kind: string;
  readonly uid: string;
  readonly column: string;
}

const NONE: readonly never[] = Object.freeze([]);

/**
 * The rows that hold this one by a strong reference; empty when it has none or they were not sent
 * as a list.
 */
export const parentsOf = (row: {
  readonly object: Readonly<Record<string, unknown>>;
}): readonly Parent[] => {
  const parents = row.object['_parents'];
  return Array.isArray(parents) ? (parents as readonly Parent[]) : NONE;
};

/** A column of strings by key. */
export type StringMap = Readonly<Record<string, string>>;

export interface NbColumns {
  readonly _parents?: readonly Parent[];
  readonly name?: string;
  readonly external_ids?: StringMap;
  readonly options?: StringMap;
  readonly [column: string]: unknown;
}

export interface LogicalSwitch extends NbColumns {
  readonly other_config?: StringMap;
  readonly load_balancer?: readonly string[];
}

export interface LogicalSwitchPort extends NbColumns {
  readonly type?: string;
  readonly addresses?: readonly string[];
  readonly port_security?: readonly string[];
  readonly up?: boolean;
  readonly parent_name?: string;
  readonly _port_groups?: readonly string[];
}

export interface LogicalRouterPort extends NbColumns {
  readonly networks?: readonly string[];
  readonly mac?: string;
  readonly peer?: string;
}

export interface LogicalRouterPolicy extends NbColumns {
  readonly priority?: number;
  readonly match?: string;
  readonly action?: string;
}

export interface Acl extends NbColumns {
  readonly direction?: string;
  readonly match?: string;
  readonly priority?: number;
  readonly action?: string;
  readonly tier?: number;
}

export interface AddressSet extends NbColumns {
  readonly addresses?: readonly string[];
}

export interface LoadBalancer extends NbColumns {
  readonly protocol?: string;
  readonly vips?: StringMap;
  readonly ip_port_mappings?: StringMap;
}

export interface Nat extends NbColumns {
  readonly type?: string;
  readonly external_ip?: string;
  readonly logical_ip?: string;
  readonly logical_port?: string;
}
