import { attachmentsIn, NETWORKS } from '@ovn-steward/judgement/kube-ovn/attachments';
import type { SeenChange } from './seen-change';

/**
 * The NetworkAttachmentDefinitions that a pod names, as `nameOf` has them; of anything else none.
 */
export function attachmentsOf(change: SeenChange['change']): ReadonlySet<string> {
  if (change.type !== 'put' || change.kind !== 'Pod') return new Set();
  const { annotations } = change.object['metadata'] as { annotations?: Record<string, string> };
  const keys = attachmentsIn(annotations?.[NETWORKS], change.namespace);
  return new Set(keys.flatMap((it) => (it ? [`${ATTACHMENT} ${it}`] : [])));
}

export const ATTACHMENT = 'NetworkAttachmentDefinition';
