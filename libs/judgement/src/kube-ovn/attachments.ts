import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { Entity } from '../world/entity';

/** Multus' annotation: which networks a pod is attached to, besides its first. */
export const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** Multus' annotation that requests another first network than the cluster's. */
export const DEFAULT_NETWORK = 'v1.multus-cni.io/default-network';

const ONE = /^(?:([^/@\s]+)\/)?([^/@\s]+)(?:@[^/@\s]+)?$/;

/**
 * The NetworkAttachmentDefinitions a pod names, as `<namespace>/<name>`: written as a JSON list, or
 * as `[namespace/]name[@interface]` with commas. What is neither names none.
 */
export const namedAttachments = ({ namespace, object }: Entity<'Pod'>): string[] => [
  ...new Set(
    attachmentsIn(object.metadata.annotations?.[NETWORKS], namespace).flatMap((it) => it ?? []),
  ),
];

/** The same of such a text, entry by entry; undefined for an entry that cannot be read. */
export function attachmentsIn(
  annotation: string | undefined,
  namespace: string | undefined,
): (string | undefined)[] {
  const text = (annotation ?? '').trim();
  if (text === '') return [];
  const named = text.startsWith('[')
    ? listed(text)
    : text.split(',').map((it) => ONE.exec(it.trim()) ?? undefined);
  return named.map((it) => (it?.[2] ? objectKey(it[1] || (namespace ?? ''), it[2]) : undefined));
}

/**
 * Each as what the short form gives: all, namespace, name. What begins with a bracket and is JSON
 * is a list.
 */
function listed(text: string): (readonly [string, string, string] | RegExpExecArray | undefined)[] {
  let parsed: readonly unknown[];
  try {
    parsed = JSON.parse(text) as readonly unknown[];
  } catch {
    return [undefined];
  }
  return parsed.map((selection) => {
    const { name, namespace } = (selection ?? {}) as Readonly<Record<string, unknown>>;
    return typeof name === 'string'
      ? ['', typeof namespace === 'string' ? namespace : '', name]
      : undefined;
  });
}

/** Multus' annotation: which networks a pod was attached to, each with its interface. */
const STATUS = 'k8s.v1.cni.cncf.io/network-status';

/**
 * Whether the pod may have an interface on the network that its port is for: on its first one, and
 * where Multus lists it or lists nothing. A network that is added to a running pod, as to that of a
 * machine, gets its port and address at once (`needAllocateSubnets`, pkg/controller/pod.go, v1.12 to
 * v1.17), and an interface when somebody plugs it in, at the next migration at the latest.
 *
 * @param provider `<definition>.<namespace>.ovn`, with the interface behind where there are several.
 */
export function mayBeAttached({ object }: Entity<'Pod'>, provider: string): boolean {
  const text = object.metadata.annotations?.[STATUS] ?? '';
  const [definition, namespace, , nth] = provider.split('.');
  if (namespace === undefined || text === '') return true;
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch {
    return false;
  }
  return (
    Array.isArray(listed) &&
    (listed as readonly unknown[]).some((network) => {
      const entry = (network ?? {}) as Readonly<Record<string, unknown>>;
      const isNamed = entry['name'] === `${namespace}/${definition}`;
      return isNamed && (nth === undefined || entry['interface'] === nth);
    })
  );
}
