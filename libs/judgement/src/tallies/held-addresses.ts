import { formatIp } from '@ovn-steward/shared/address';
import type { Ip } from '@ovn-steward/shared/address';
import type { HolderKind } from '../kube-ovn/address-holders';
import { HOLDER_KINDS, holdingsOf, isOnlyAsked } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';
import { tallyCount } from '../world/tally-count';

/** How many records hold each address of a subnet. */
export interface HeldAddresses {
  readonly v4: Map<string, number>;
  readonly v6: Map<string, number>;
  /** By the record's first address: what a dual-stack record counts as, once. */
  readonly first: Map<string, number>;
  /** By others than IP objects: the controller counts these even where `excludeIps` holds them. */
  readonly byOthers: Map<string, number>;
  /** By those who only ask for it: by whom, and by whom as the first, as above. */
  readonly asked: Map<string, number>;
  readonly askedFirst: Map<string, number>;
  /** Those with more than one record. */
  readonly repeated: Set<string>;
}

function count(
  figure: HeldAddresses,
  holder: Entity<HolderKind>,
  subnet: string,
  by: 1 | -1,
): void {
  const addresses = heldIn(holder, subnet);
  const isAsked = isOnlyAsked(holder);
  for (const address of addresses) {
    const [text, records] = [formatIp(address), address.family === 4 ? figure.v4 : figure.v6];
    tallyCount(records, text, by);
    if ((records.get(text) ?? 0) > 1) figure.repeated.add(text);
    else figure.repeated.delete(text);
    if (holder.kind !== 'IP') tallyCount(figure.byOthers, text, by);
    if (isAsked) tallyCount(figure.asked, text, by);
  }
  if (!addresses[0]) return;
  tallyCount(figure.first, formatIp(addresses[0]), by);
  if (isAsked) tallyCount(figure.askedFirst, formatIp(addresses[0]), by);
}

const heldIn = (holder: Entity<HolderKind>, subnet: string): Ip[] =>
  holdingsOf(holder)
    .filter((it) => it.subnet === subnet)
    .flatMap((it) => [...it.addresses]);

/** Distinct addresses held in each subnet, by any holder. */
export const heldAddresses = defineTally<HolderKind, HeldAddresses>({
  id: 'held-addresses',
  kinds: HOLDER_KINDS,
  keys: (holder) => holdingsOf(holder).map((it) => it.subnet),
  start: () => ({
    v4: new Map(),
    v6: new Map(),
    first: new Map(),
    byOthers: new Map(),
    asked: new Map(),
    askedFirst: new Map(),
    repeated: new Set(),
  }),
  add: (figure, holder, subnet) => count(figure, holder, subnet, 1),
  remove: (figure, holder, subnet) => count(figure, holder, subnet, -1),
});
