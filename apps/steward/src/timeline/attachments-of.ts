import { attachmentsIn, NETWORKS } from '@ovn-steward/judgement/kube-ovn/attachments';
import type { SeenChange } from './seen-change';

/**
 * The NetworkAttachmentDefinitions that a pod names, as `kindAndName` has them; of anything else
 * none.
 */
export function attachmentsOf(change: SeenChange['change']): ReadonlySet<string> {
  if (change.type !== 'put' || change.kind !== 'Pod') return new Set();
  // A record of another collector may hold anything.
  const { metadata } = change.object as { metadata?: { annotations?: Record<string, unknown> } };
  const text = metadata?.annotations?.[NETWORKS];
  const keys = typeof text === 'string' ? attachmentsIn(text, change.namespace) : [];
  return new Set(keys.flatMap((it) => (it ? [`${ATTACHMENT} ${it}`] : [])));
}

export const ATTACHMENT = 'NetworkAttachmentDefinition';
