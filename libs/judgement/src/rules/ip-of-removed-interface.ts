import { addressInUse, leadsTo, otherHolder } from '../rule-kit/address-doubt';
import { RARE_CLAIMANT_KINDS } from '../rule-kit/claimants';
import { isAlive } from '../kube-ovn/pod-networks';
import { podsByMachine } from '../relations/pods-by-machine';
import { LEAK_KINDS, mayLeak } from '../rule-kit/leaked-address';
import { ownerText } from '../rule-kit/address-claimants';
import {
  requestedAttachments,
  hasOthersInstead,
  requestsAttachment,
  attachmentOf,
  type AttachmentRequester,
} from '../rule-kit/requested-attachment';
import { defineRule, healthy, unknown, violation } from '../rule-kit/rule';
import type { View } from '../rule-kit/view';
import { type Entity, keyOf } from '../world/entity';
import { isBeingDeleted } from '../kube-ovn/deletion';
import { present, unchanged, value } from '../rule-kit/facts';

const GATEWAY = /^vpc-nat-gw-(.+)-0$/;

/**
 * An address record of an attachment that its owner, who lives, has no more: a machine whose NIC
 * was taken out, one of several on a network too, a NAT gateway that was given another external
 * network, a StatefulSet's pod created again without it.
 *
 * Kube-OVN deletes what belongs to an owner that is deleted, and never checks whether one that
 * stays still has each of its interfaces (kube-ovn.md §4.14, §9, rows 20 and 25). Its collection
 * takes those with a port, with two passes; what has none, as on macvlan, stays forever. What a BGP
 * speaker or a person adds to a gateway is in its pod's annotations and template.
 */
export default defineRule({
  id: 'ip-of-removed-interface',
  class: 'leak',
  severity: 'warning',
  subject: 'IP',
  reads: [...LEAK_KINDS],
  consults: [...RARE_CLAIMANT_KINDS],
  about:
    'An address record for a network to which its existing machine, NAT gateway or pod is no longer attached. A restart does not remove it. First check the networks of the owner, then delete the IP object, which also removes its port.',

  check(ip, view) {
    const attachment = attachmentOf(ip);
    if (attachment === undefined || !mayLeak(ip)) return healthy;
    const wanters = wantersOf(ip, view);
    const requested = wanters.map((it) => requestsAttachment(it, attachment));
    if (wanters.length === 0) return healthy;
    const hasOthers = hasOthersInstead(wanters, attachment);
    if (requested.includes(true) && !hasOthers) return healthy;
    if (requested.includes(undefined))
      return unknown(
        `the networks of ${ownerText(ip)} cannot be read, so IP ${ip.name} may be of one`,
      );
    const ports = view.named('Logical_Switch_Port', ip.name);
    if (ports.some((it) => it.object.up === true))
      return unknown(
        `${ownerText(ip)} does not ask for ${ip.name}, yet a chassis holds its port up`,
      );
    const rule = leadsTo(ip, view);
    if (rule !== undefined)
      return unknown(`${ownerText(ip)} does not ask for ${ip.name}, yet ${rule} leads to it`);
    const owner = wanters[0]!;
    return violation({
      summary: `IP ${ip.name} keeps ${ip.object.spec?.ipAddress ?? 'an address'} of subnet ${ip.object.spec?.subnet ?? '(none)'} for ${owner.kind} ${keyOf(owner)}, which is not attached to ${attachment} any more`,
      concerns: ports,
      proof: [
        ...wanters.flatMap((wanter) => [
          present(wanter),
          value(wanter, 'networks asked for', requestedAttachments(wanter).join(', ')),
        ]),
        unchanged(ip),
      ],
    });
  },

  doubt: otherHolder,
  conflict: addressInUse,
});

/**
 * All who say which networks the record's owner has; none where the owner is not known to live, or
 * not to be done with being made.
 */
function wantersOf(
  ip: Entity<'IP'>,
  view: View<'Pod' | 'StatefulSet' | 'VirtualMachine' | 'VirtualMachineInstance' | 'VpcNatGateway'>,
): AttachmentRequester[] {
  const key = ownerText(ip);
  const { podType = '', podName = '', namespace = '' } = ip.object.spec ?? {};
  if (podType === 'VirtualMachine') {
    const machine = view.get('VirtualMachine', key);
    const instance = view.get('VirtualMachineInstance', key);
    const all = [machine, instance, ...view.related(podsByMachine, key)];
    return machine && !isBeingDeleted(machine) ? all.filter((it) => it !== undefined) : [];
  }
  if (podType !== '' && podType !== 'StatefulSet') return [];
  const pod = view.get('Pod', key);
  if (pod)
    return isAlive(pod) && pod.object.status?.phase === 'Running' && isServed(pod) ? [pod] : [];
  const [, gateway] = GATEWAY.exec(podName) ?? [];
  if (gateway === undefined || view.presence('VpcNatGateway', gateway) !== 'present') return [];
  const set = view.get('StatefulSet', `${namespace}/vpc-nat-gw-${gateway}`);
  return set && !isBeingDeleted(set) ? [set] : [];
}

/** Whether Kube-OVN has given the pod an address at all: it writes the record first. */
const isServed = ({ object: { metadata } }: Entity<'Pod'>): boolean =>
  Object.entries(metadata.annotations ?? {}).some(
    ([key, text]) => key.endsWith('.kubernetes.io/allocated') && text === 'true',
  );
