import { DEFAULT_NETWORK } from '../kube-ovn/attachments';
import { namesIn, SUBNET_ANNOTATION, subnetsOfNamespace } from '../kube-ovn/namespace-subnets';
import { LEAK_KINDS, mayLeak } from '../rule-kit/leaked-address';
import { ownerText } from '../rule-kit/address-claimants';
import { addressInUse, leadsTo, otherHolder } from '../rule-kit/address-doubt';
import { RARE_CLAIMANT_KINDS, workloadClaimants } from '../rule-kit/claimants';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { absent, present, unchanged, value } from '../rule-kit/facts';

const POOL = 'ovn.kubernetes.io/ip_pool';
/** By which a template says more of its pods' addresses than in which subnet they are. */
const MORE = [POOL, 'ovn.kubernetes.io/ip_address', DEFAULT_NETWORK];

/**
 * The address kept for a StatefulSet's pod that does not exist, in another subnet than the set
 * requests by now.
 *
 * The controller takes the port of such a pod away and leaves the record, as it searches for the
 * record under the set's name (kube-ovn.md §6.3, row 27). When the pod comes back the record is
 * written again, and the old address stays in Kube-OVN's memory until its next start. Where the set
 * names no subnet, that is its namespace's. A namespace falls back to the default subnet while its
 * own is not ready (§8.3), so that one does not count, nor does a subnet that still names the
 * namespace.
 */
export default defineRule({
  id: 'ip-of-former-subnet',
  class: 'leak',
  severity: 'info',
  subject: 'IP',
  reads: [...LEAK_KINDS],
  consults: [...RARE_CLAIMANT_KINDS, 'Namespace'],
  about:
    'An address record of a StatefulSet whose template, or else whose namespace, names another subnet, while the pod does not exist. Delete the IP object before the pod comes back: after that only a restart of the controller frees the address, and before it a restart does not.',

  check(ip, view) {
    const { podType, podName = '', namespace = '', subnet = '' } = ip.object.spec ?? {};
    if (podType !== 'StatefulSet' || ip.name !== `${podName}.${namespace}`) return healthy;
    if (!mayLeak(ip)) return healthy;
    if (view.presence('Pod', ownerText(ip)) !== 'absent') return healthy;
    const set = setOf(ip, view);
    const requested = set && requestedSubnets(set);
    const given = requested?.length === 0 ? givenSubnets(ip, view) : undefined;
    const desired = given?.subnets ?? requested ?? [];
    if (!set || desired.length === 0 || desired.includes(subnet)) return healthy;
    if (desired.some((it) => view.presence('Subnet', it) !== 'present')) return healthy;
    const ports = view.named('Logical_Switch_Port', ip.name);
    const rule = ports.some((it) => it.object.up === true)
      ? 'its port, which is up,'
      : leadsTo(ip, view);
    if (rule !== undefined)
      return unknown(
        `${keyOf(set)} asks for another subnet than that of ${ip.name}, yet ${rule} uses it`,
      );
    return violation({
      summary: `IP ${ip.name} keeps ${ip.object.spec?.ipAddress ?? 'an address'} of subnet ${subnet} for a pod of StatefulSet ${keyOf(set)}, ${given ? 'whose namespace has' : 'which asks for'} subnet ${desired.join(', ')}, and the pod does not exist`,
      concerns: ports,
      proof: [
        absent('Pod', ownerText(ip)),
        present(set),
        given
          ? value(given.namespace, 'subnets of its pods', desired.join(', '))
          : value(set, 'subnet its template asks for', desired.join(', ')),
        value(ip, 'spec.subnet', subnet),
        unchanged(ip),
      ],
    });
  },

  doubt: otherHolder,
  conflict: addressInUse,
});

/** The set that wants the record's ordinal: without it, the record is another rule's. */
function setOf(ip: Entity<'IP'>, view: View<'StatefulSet'>): Entity<'StatefulSet'> | undefined {
  const { podName = '', namespace = '' } = ip.object.spec ?? {};
  const claimant = workloadClaimants(namespace, podName).find((it) => it.kind === 'StatefulSet');
  const set = claimant && view.get('StatefulSet', claimant.key);
  const wants = set && !isBeingDeleted(set) && claimant.claims?.(set);
  return wants ? set : undefined;
}

/** Those its template names; undefined where it says more than that, or cannot be read. */
function requestedSubnets({ object: { spec } }: Entity<'StatefulSet'>): string[] | undefined {
  if (spec?.template === undefined) return undefined;
  const annotations = spec.template.metadata?.annotations ?? {};
  if (MORE.some((it) => Object.hasOwn(annotations, it))) return undefined;
  return namesIn(annotations[SUBNET_ANNOTATION]).map((it) => it.trim());
}

/**
 * What the namespace gives its pods where that is certain: no pool, not the default subnet, and not
 * the record's own.
 */
function givenSubnets(
  { object: { spec } }: Entity<'IP'>,
  view: View<'Namespace' | 'Subnet'>,
): { readonly namespace: Entity<'Namespace'>; readonly subnets: string[] } | undefined {
  const namespace = view.get('Namespace', spec?.namespace ?? '');
  if (!namespace || Object.hasOwn(namespace.object.metadata.annotations ?? {}, POOL))
    return undefined;
  const own = view.get('Subnet', spec?.subnet ?? '');
  if (!own || own.object.spec?.namespaces?.includes(namespace.name)) return undefined;
  const subnets = [...new Set(subnetsOfNamespace(namespace).map((it) => it.trim()))];
  const isDefault = subnets.some((it) => view.get('Subnet', it)?.object.spec?.default === true);
  return isDefault ? undefined : { namespace, subnets };
}
