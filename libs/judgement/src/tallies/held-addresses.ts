import { formatIp } from '@ovn-steward/shared/address';
import type { Ip } from '@ovn-steward/shared/address';
import type { HolderKind } from '../kube-ovn/address-holders';
import { HOLDER_KINDS, holdingsOf, isPendingHolder } from '../kube-ovn/address-holders';
import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';
import { SHARED } from '../world/shared-values';
import { tallyCount } from '../world/tally-count';

/** By address of a subnet: how many records (IP, Vip, IptablesEIP and OvnEip objects) have it. */
export interface HeldAddresses {
  readonly v4: Map<string, number>;
  readonly v6: Map<string, number>;
  /**
   * Records by their first address alone, where some have several or addresses of both families
   * are held: a dual-stack record counts once (kube-ovn.md §6.5). Else the addresses held say it.
   */
  first?: Map<string, number>;
  /**
   * Records that are no IP objects: the controller counts their addresses even where `excludeIps`
   * has them.
   */
  readonly byOthers: Map<string, number>;
  /** Records to which the controller has not given the address they ask for. */
  readonly asked: Map<string, number>;
  /** The same by their first address alone. */
  readonly askedFirst: Map<string, number>;
  /** Addresses that more than one record has. */
  readonly repeated: Set<string>;
  /**
   * IP objects without the label by which the controller counts them, by uid, with their first
   * address.
   */
  readonly unlabelled: Map<string, { readonly name: string; readonly address: string }>;
}

/** Records by their first address alone. */
export const heldFirst = ({ first, v4, v6 }: HeldAddresses): ReadonlyMap<string, number> =>
  first ?? (v4.size > 0 ? v4 : v6);

/** Whether they are of both families, or one record has several, with those of one more. */
const isOfBoth = ({ v4, v6 }: HeldAddresses, more: readonly Ip[]): boolean =>
  more.length > 1 || more.some(({ family }) => (family === 4 ? v6 : v4).size > 0);

function count(
  figure: HeldAddresses,
  holder: Entity<HolderKind>,
  subnet: string,
  by: 1 | -1,
): void {
  const addresses = heldIn(holder, subnet);
  const texts = addresses.map((it) => SHARED.of(formatIp(it)));
  const isAsked = isPendingHolder(holder);
  if (!figure.first && isOfBoth(figure, addresses))
    figure.first = new Map([...figure.v4, ...figure.v6]);
  for (const [nth, { family }] of addresses.entries()) {
    const text = texts[nth]!;
    const records = family === 4 ? figure.v4 : figure.v6;
    tallyCount(records, text, by);
    if ((records.get(text) ?? 0) > 1) figure.repeated.add(text);
    else figure.repeated.delete(text);
    if (holder.kind !== 'IP') tallyCount(figure.byOthers, text, by);
    if (isAsked) tallyCount(figure.asked, text, by);
  }
  const [first] = texts;
  if (first === undefined) return;
  if (holder.kind === 'IP' && holder.object.metadata.labels?.[subnet] !== '')
    if (by === 1) figure.unlabelled.set(holder.uid, { name: holder.name, address: first });
    else figure.unlabelled.delete(holder.uid);
  if (figure.first) tallyCount(figure.first, first, by);
  if (isAsked) tallyCount(figure.askedFirst, first, by);
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
    byOthers: new Map(),
    asked: new Map(),
    askedFirst: new Map(),
    repeated: new Set(),
    unlabelled: new Map(),
  }),
  add: (figure, holder, subnet) => count(figure, holder, subnet, 1),
  remove: (figure, holder, subnet) => count(figure, holder, subnet, -1),
});
