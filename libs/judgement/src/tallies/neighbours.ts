import { localEvidence } from '../ownership/local-evidence';
import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';
import { tallyCount } from '../world/tally-count';

/** Roots that Kube-OVN's garbage collection takes for its own (kube-ovn.md §4.3–§4.5). */
export const NEIGHBOUR_TABLES = ['Logical_Switch', 'Logical_Router', 'Load_Balancer'] as const;

/** What the collection spares by its name alone, and load balancers of releases that did not tag theirs. */
const SPARED = {
  Logical_Switch: /^(?:ts|ovn-external)$/,
  Logical_Router: /^$/,
  Load_Balancer:
    /^(?:cluster-(?:tcp|udp|sctp)(?:-session)?-loadbalancer|vpc-.+-(?:tcp|udp|sctp)-(?:sess-)?load)$/s,
} as const;

/**
 * How many rows of each table belong to other owners, by the keys they carry; `unknown` where no
 * key identifies one.
 */
export const neighbours = defineTally<(typeof NEIGHBOUR_TABLES)[number], Map<string, number>>({
  id: 'neighbours',
  kinds: NEIGHBOUR_TABLES,
  keys: (row) =>
    row.object.external_ids?.['vendor'] === 'kube-ovn' || SPARED[row.kind].test(row.name)
      ? []
      : [row.kind],
  start: () => new Map(),
  add: (figure, row) => tallyCount(figure, ownerOf(row), 1),
  remove: (figure, row) => tallyCount(figure, ownerOf(row), -1),
});

function ownerOf(row: Entity<(typeof NEIGHBOUR_TABLES)[number]>): string {
  const { owner } = localEvidence(row);
  return owner === 'none' ? 'unknown' : owner;
}
