import type { Claimant, ClaimantKind } from '../world/claimants';
import { CLAIMANT_KINDS, RARE_CLAIMANT_KINDS, claimsOf, workloadClaimants } from '../world/claimants';
import type { Entity } from '../world/entity';
import { referenceTo } from '../world/entity';
import { podsByMachine } from '../relations/pods-by-machine';
import { portsByName } from '../relations/ports-by-name';
import { isReserved } from '../world/reservation';
import { absent, defineRule, healthy, present, unchanged, unknown, value, violation } from './rule';

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
  reads: [...CLAIMANT_KINDS, 'Logical_Switch_Port'],
  consults: [...RARE_CLAIMANT_KINDS],
  about: 'An address record whose pod, machine or node no longer exists. The address cannot be given to anybody else until the record is deleted.',
  remedy: 'delete-ip',

  check(ip, view) {
    if (ip.object.metadata.deletionTimestamp !== undefined || isReserved(ip)) return healthy;
    const claimants = claimantsOf(ip);
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
});

const POD_TYPES = new Set(['', 'StatefulSet', 'VirtualMachine']);
const KNOWN: ReadonlySet<string> = new Set(CLAIMANT_KINDS);

/** Everyone who could own the address; a sentence instead when that cannot be told. */
function claimantsOf(ip: Entity<'IP'>): Claimant[] | string {
  const { namespace = '', podName = '', podType = '', nodeName = '' } = ip.object.spec ?? {};
  const claimants: Claimant[] = [];
  for (const owner of ip.object.metadata.ownerReferences ?? []) {
    if (!KNOWN.has(owner.kind)) return `IP ${ip.name} is owned by ${owner.kind} ${owner.name}, a kind no rule here knows`;
    claimants.push({ kind: owner.kind as ClaimantKind, key: owner.kind === 'Pod' || owner.kind === 'StatefulSet' ? `${namespace}/${owner.name}` : owner.name });
  }
  if (!POD_TYPES.has(podType)) return `IP ${ip.name} has podType ${podType}, which no rule here knows`;
  if (namespace !== '' && podName !== '') claimants.push(...workloadClaimants(namespace, podName), { kind: 'Vip', key: podName });
  else if (nodeName !== '' && nodeName === podName) claimants.push({ kind: 'Node', key: nodeName });
  for (const prefix of ['u2o-interconnection.', 'mcast-querier.']) {
    if (ip.name.startsWith(prefix)) claimants.push({ kind: 'Subnet', key: ip.object.spec?.subnet ?? '' });
  }
  if (claimants.length === 0) return `IP ${ip.name} does not say whose it is`;
  return [...claimants, { kind: 'OvnEip', key: ip.name }, { kind: 'Vip', key: ip.name }];
}

const ownerText = (ip: Entity<'IP'>): string => {
  const { namespace = '', podName = '' } = ip.object.spec ?? {};
  return namespace === '' ? podName : `${namespace}/${podName}`;
};
