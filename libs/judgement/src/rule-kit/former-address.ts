import { formatIp } from '@ovn-steward/shared/address';
import type { Fact, Ownership } from '@ovn-steward/contracts/findings/finding';
import { isBeingDeleted } from '../kube-ovn/deletion';
import type { Entity } from '../world/entity';
import { present, value } from './facts';
import { recordedAddresses, heldFor } from './kept-address';
import { allocatable } from './subnet-ipam';
import type { View } from './view';

type Former = Entity<'Former_Address'>;

/** Whose such a record was; the record itself does not exist any more. */
export const OWNER: Ownership = {
  owner: 'kube-ovn',
  verdict: 'candidate',
  confidence: 3,
  evidence: ['IP is a kind of Kube-OVN’s (kubeovn.io)'],
};

/** The addresses of the record as text. */
export const textOf = (spec: Former['object']['spec']): string =>
  recordedAddresses(spec).map(formatIp).join(', ');

/** For whom the address was kept, as a clause. */
export function keptFor({ object }: Former): string {
  const { keeper } = object;
  if (!keeper) return `the pod ${heldFor(object)} that is still to come`;
  return keeper.kind === 'StatefulSet'
    ? `pod ${heldFor(object)} of StatefulSet ${keeper.key}`
    : `VirtualMachine ${keeper.key}`;
}

/** What is remembered of the record, and that its owner, if it had one, exists as it was. */
export function formerFacts(former: Former, owner: Entity | undefined): Fact[] {
  const facts = [
    value(former, 'addresses it had', textOf(former.object.spec)),
    value(former, 'deleted at', former.object.deletedAt),
  ].map((it) => (it.fact === 'value' ? { ...it, subject: { ...it.subject, kind: 'IP' } } : it));
  return [...facts, ...(owner ? [present(owner)] : [])];
}

/**
 * Whether the subnet still has the addresses to give. A person who took them out of its CIDR, or
 * excluded them, wants them to be given up.
 */
export function isStillGiven({ object: { spec } }: Former, view: View<'Subnet'>): boolean {
  const subnet = view.get('Subnet', spec.subnet ?? '');
  const from = subnet && !isBeingDeleted(subnet) ? allocatable(subnet) : undefined;
  const addresses = recordedAddresses(spec);
  return (
    from !== undefined &&
    addresses.length > 0 &&
    addresses.every((it) => from.cidr.contains(it) && !from.excluded.contains(it))
  );
}

/**
 * The owner, where it exists as it was; `undefined` where the record had none, `'changed'`
 * otherwise.
 */
export function ownerNow(
  { object: { keeper } }: Former,
  view: View<'StatefulSet' | 'VirtualMachine'>,
): Entity | undefined | 'changed' {
  if (!keeper) return undefined;
  const kind = keeper.kind === 'StatefulSet' ? keeper.kind : 'VirtualMachine';
  const owner = view.get(kind, keeper.key);
  return owner && owner.uid === keeper.uid && !isBeingDeleted(owner) ? owner : 'changed';
}
