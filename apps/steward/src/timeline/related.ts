import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { isControllerLease } from '@ovn-steward/judgement/kube-ovn/lease-holder';
import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { ATTACHMENT, attachmentsOf } from './attachments-of';
import { kindAndName, type SeenChange } from './seen-change';

/**
 * Every object that a finding refers to by its incarnation: its subject, what goes with it, what
 * its proof and remedy name.
 */
const referencesOf = ({ subject, concerns, proof, remedy }: Finding): readonly Reference[] => [
  subject,
  ...concerns,
  ...proof.flatMap((it) => ('subject' in it ? [it.subject] : [])),
  ...(remedy === null ? [] : [remedy.target]),
];

/**
 * Whether a change may have to do with a finding: it is of what the finding refers to, of something
 * of a name that its proof calls absent, or of what shows whether Kube-OVN's controller was there
 * and which attachments were (`causeText` chooses among those).
 */
export function relatedTo(finding: Finding): (change: SeenChange['change']) => boolean {
  const uids = new Set(referencesOf(finding).map((it) => `${it.kind} ${it.uid}`));
  const names = new Set([
    ...finding.proof.flatMap((it) => (it.fact === 'absent' ? [`${it.kind} ${it.key}`] : [])),
    ...(finding.cause === undefined ? [] : [`${finding.cause.kind} ${finding.cause.key}`]),
  ]);
  return (change) =>
    uids.has(`${change.kind} ${change.uid}`) ||
    names.has(kindAndName(change)) ||
    isControllerChange(change) ||
    change.kind === ATTACHMENT;
}

/** A change of Kube-OVN's controller: of the Lease it leads by, or of a pod of its. */
export const isControllerChange = ({ kind, name }: SeenChange['change']): boolean =>
  isControllerLease({ kind, name }) || (kind === 'Pod' && name.startsWith(KUBE_OVN_CONTROLLER));

/** The changes without those of attachments that no pod among them names. */
export function withoutOthersAttachments(changes: readonly SeenChange[]): readonly SeenChange[] {
  const named = new Set(changes.flatMap(({ change }) => [...attachmentsOf(change)]));
  return changes.filter(
    ({ change }) => change.kind !== ATTACHMENT || named.has(kindAndName(change)),
  );
}
