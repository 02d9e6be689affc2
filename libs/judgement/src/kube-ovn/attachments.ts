import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { Entity } from '../world/entity';

/** Multus' annotation: which networks a pod is attached to, besides its first. */
export const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

const ONE = /^(?:([^/@\s]+)\/)?([^/@\s]+)(?:@[^/@\s]+)?$/;

/** The NetworkAttachmentDefinitions a pod names, as `<namespace>/<name>`: written as a JSON list, or as `[namespace/]name[@interface]` with commas. What is neither names none. */
export function namedAttachments({ namespace, object }: Entity<'Pod'>): string[] {
  const text = (object.metadata.annotations?.[NETWORKS] ?? '').trim();
  const named = text.startsWith('[')
    ? listed(text)
    : text.split(',').map((it) => ONE.exec(it.trim()));
  return [
    ...new Set(
      named.flatMap((it) => (it?.[2] ? [objectKey(it[1] || (namespace ?? ''), it[2])] : [])),
    ),
  ];
}

/** Each as what the short form gives: all, namespace, name. What begins with a bracket and is JSON is a list. */
function listed(text: string): (readonly [string, string, string] | undefined)[] {
  let parsed: readonly unknown[];
  try {
    parsed = JSON.parse(text) as readonly unknown[];
  } catch {
    return [];
  }
  return parsed.map((it) => {
    const { name, namespace } = (it ?? {}) as Readonly<Record<string, unknown>>;
    return typeof name === 'string'
      ? ['', typeof namespace === 'string' ? namespace : '', name]
      : undefined;
  });
}
