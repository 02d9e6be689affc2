import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { apiGroupOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import type { Claimant, ClaimantKind } from './claimants';
import { CLAIMANT_KINDS, workloadClaimants } from './claimants';
import { isOwnOfSubnet, subnetClaimant } from './subnet-own-address';
import type { Entity } from '../world/entity';

const POD_TYPES = new Set(['', 'StatefulSet', 'VirtualMachine']);
const KNOWN: ReadonlySet<string> = new Set(CLAIMANT_KINDS);

/**
 * Everyone who could own the address of an IP object (kube-ovn.md §6.4); a sentence instead when
 * that is not known.
 */
export function addressClaimants(ip: Entity<'IP'>): Claimant[] | string {
  const { namespace = '', podName = '', podType = '', nodeName = '' } = ip.object.spec ?? {};
  const claimants: Claimant[] = [];
  for (const owner of ip.object.metadata.ownerReferences ?? []) {
    const known = KNOWN.has(owner.kind) ? kubernetesKind(owner.kind) : undefined;
    if (!known || apiGroupOf(owner.apiVersion ?? '') !== known.group)
      return `IP ${ip.name} is owned by ${owner.kind} ${owner.name}, a kind no rule here knows`;
    const key = known.namespaced ? objectKey(namespace, owner.name) : owner.name;
    claimants.push(
      owner.kind === 'Subnet'
        ? subnetClaimant(key, ip.name)
        : { kind: owner.kind as ClaimantKind, key },
    );
  }
  if (!POD_TYPES.has(podType))
    return `IP ${ip.name} has podType ${podType}, which no rule here knows`;
  if (namespace !== '' && podName !== '')
    claimants.push(...workloadClaimants(namespace, podName), { kind: 'Vip', key: podName });
  else if (nodeName !== '' && nodeName === podName) claimants.push({ kind: 'Node', key: nodeName });
  if (isOwnOfSubnet(ip.name)) claimants.push(subnetClaimant(ip.object.spec?.subnet ?? '', ip.name));
  if (claimants.length === 0) return `IP ${ip.name} does not say whose it is`;
  return [...claimants, { kind: 'OvnEip', key: ip.name }, { kind: 'Vip', key: ip.name }];
}

/** Whom the address was given to, as the record says. */
export const ownerText = (ip: Entity<'IP'>): string => {
  const { namespace = '', podName = '' } = ip.object.spec ?? {};
  return namespace === '' ? podName : `${namespace}/${podName}`;
};
