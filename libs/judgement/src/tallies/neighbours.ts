import { isKubeOvnKey } from '../ownership/grammar/kube-ovn-keys';
import { localEvidence } from '../ownership/local-evidence';
import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';
import { tallyCount } from '../world/tally-count';

/**
 * What Kube-OVN's garbage collection takes for its own, in some release at least
 * (kube-ovn.md §4.3–§4.6, §4.14).
 */
export const NEIGHBOUR_TABLES = [
  'Logical_Switch',
  'Logical_Switch_Port',
  'Logical_Router',
  'Logical_Router_Port',
  'Load_Balancer',
  'Port_Group',
] as const;
type Table = (typeof NEIGHBOUR_TABLES)[number];

/**
 * What the collection spares by its name alone, and load balancers of releases that did not tag
 * theirs.
 */
const SPARED = {
  Logical_Switch: /^(?:ts|ovn-external)$/,
  Logical_Switch_Port: undefined,
  Logical_Router: undefined,
  Logical_Router_Port: undefined,
  Load_Balancer:
    /^(?:cluster-(?:tcp|udp|sctp)(?:-session)?-loadbalancer|vpc-.+-(?:tcp|udp|sctp)-(?:sess-)?load)$/s,
  Port_Group: /^ovn\.sg\.(?:kubeovn_deny_all|default\.securitygroup)$/,
} as const satisfies Record<Table, RegExp | undefined>;

/**
 * How many rows of each table belong to other owners, by the keys they carry; `unknown` where no
 * key identifies one.
 */
export const neighbours = defineTally<Table, Map<string, number>>({
  id: 'neighbours',
  kinds: NEIGHBOUR_TABLES,
  keys: (row) =>
    row.object.external_ids?.['vendor'] === 'kube-ovn' ||
    SPARED[row.kind]?.test(row.name) === true ||
    isPassedOver(row)
      ? []
      : [row.kind],
  start: () => new Map(),
  add: (figure, row) => tallyCount(figure, ownerOf(row), 1),
  remove: (figure, row) => tallyCount(figure, ownerOf(row), -1),
});

/**
 * What no release takes: ports with a type, router ports without a peer, and groups with a key of
 * Kube-OVN's, by which it finds whom they are for.
 */
function isPassedOver(row: Entity<Table>): boolean {
  const { object, kind } = row;
  const ids = object.external_ids ?? {};
  switch (kind) {
    case 'Logical_Switch_Port':
      return (object['type'] ?? '') !== '';
    case 'Logical_Router_Port':
      return (object['peer'] ?? '') === '';
    case 'Port_Group':
      return ['np', 'sg'].some((it) => (ids[it] ?? '') !== '') || isOursUntagged(row);
    default:
      return false;
  }
}

/** As those for AdminNetworkPolicies before v1.15, which it makes again at each start. */
const isOursUntagged = (row: Entity<Table>): boolean => {
  const keys = Object.entries(row.object.external_ids ?? {});
  return keys.length > 0 && keys.every(([key, value]) => isKubeOvnKey(row, key, value));
};

function ownerOf(row: Entity<Table>): string {
  const { owner } = localEvidence(row);
  return owner === 'none' ? 'unknown' : owner;
}
