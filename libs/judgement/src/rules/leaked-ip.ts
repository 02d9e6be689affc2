import { formatIp } from '@ovn-steward/shared/address';
import { addressClaimants, ownerText } from '../world/address-claimants';
import { type HolderKind, holdingsOf } from '../world/address-holders';
import { CLAIMANT_KINDS, RARE_CLAIMANT_KINDS, claimsOf } from '../world/claimants';
import { type Entity, referenceTo } from '../world/entity';
import { holdersByAddress } from '../relations/holders-by-address';
import { podsByMachine } from '../relations/pods-by-machine';
import { portsByName } from '../relations/ports-by-name';
import { isReserved } from '../world/reservation';
import type { View } from '../world/view';
import { absent, defineRule, healthy, present, unchanged, unknown, value, violation } from './rule';

/** Looked at for one address; more of them keep it. */
const ENOUGH = 50;

/**
 * An IP object of Kube-OVN's whose owner is gone: an address nobody uses and nobody else can get.
 *
 * The decision follows kube-ovn.md §6.4. Deleting the object makes the controller remove the port and free the address,
 * so calling a live one leaked would cut a pod off: whatever could own it is asked, and any doubt keeps it.
 */
export default defineRule({
  id: 'leaked-ip',
  class: 'leak',
  severity: 'warning',
  subject: 'IP',
  reads: [...CLAIMANT_KINDS, 'IptablesEIP', 'Logical_Switch_Port'],
  consults: [...RARE_CLAIMANT_KINDS],
  about: 'An address record whose pod, machine or node no longer exists. The address cannot be given to anybody else until the record is deleted.',
  remedy: 'delete-ip',

  check(ip, view) {
    if (ip.object.metadata.deletionTimestamp !== undefined || isReserved(ip)) return healthy;
    const claimants = addressClaimants(ip);
    if (typeof claimants === 'string') return unknown(claimants);
    const claims = claimsOf(claimants, view);
    if (claims.by || view.has(podsByMachine, ownerText(ip))) return healthy;
    if (claims.unknown.length > 0) return unknown(`not known whether these exist: ${claims.unknown.join(', ')}`);
    const ports = view.related(portsByName, ip.name);
    if (ports.some((it) => it.object.up === true)) return unknown(`nobody known owns ${ip.name}, yet a chassis still holds its port up`);

    const address = ip.object.spec?.ipAddress || ip.object.spec?.v4IpAddress || ip.object.spec?.v6IpAddress || 'no address';
    return violation({
      says: `IP ${ip.name} keeps ${address} of subnet ${ip.object.spec?.subnet ?? '(none)'} for ${ownerText(ip)}, which no longer exists`,
      concerns: ports,
      proof: [
        ...claims.absent.map((it) => absent(it.kind, it.key)),
        ...claims.declined.map((it) => present(it)),
        value(ip, 'spec.ipAddress', ip.object.spec?.ipAddress ?? ''),
        unchanged(ip),
      ],
      remedy: {
        action: 'delete-ip', target: referenceTo(ip),
        advice: `delete the IP object ${ip.name}: the Kube-OVN controller then removes the port of that name, if any, and frees ${address}`,
      },
    });
  },

  /** Deleting one of two records of an address frees it under the other (§6.4 step 5). Two that are equally dead are no doubt. */
  doubt(ip, view) {
    for (const { subnet, addresses } of holdingsOf(ip)) {
      for (const address of addresses.map(formatIp)) {
        const others = view.related(holdersByAddress, `${subnet} ${address}`, ENOUGH).filter((it) => it.uid !== ip.uid);
        const living = others.length >= ENOUGH - 1 ? `more than ${ENOUGH - 2} others` : firstNamed(others.filter((it) => mayLive(it, view)));
        if (living !== undefined) return `nobody known owns ${ip.name}, yet ${living} holds ${address} as well: deleting either would free it under the other`;
      }
    }
    return undefined;
  },
});

/** The same one whatever came first. */
const firstNamed = (all: readonly Entity<HolderKind>[]): string | undefined => all.map(({ kind, name }) => `${kind} ${name}`).sort()[0];

type Asked = View<(typeof CLAIMANT_KINDS)[number] | HolderKind | (typeof RARE_CLAIMANT_KINDS)[number]>;

/** Whether another record of the address may be somebody's: any but an IP object whose owner is proven gone as well. */
function mayLive(other: Entity<HolderKind>, view: Asked): boolean {
  if (other.kind !== 'IP') return true;
  const ip = other as Entity<'IP'>;
  const claimants = addressClaimants(ip);
  if (typeof claimants === 'string' || isReserved(ip)) return true;
  const { by, unknown: doubtful } = claimsOf(claimants, view);
  return by !== undefined || doubtful.length > 0 || view.has(podsByMachine, ownerText(ip));
}
