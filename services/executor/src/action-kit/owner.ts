import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import { getIfInstalled } from '@ovn-steward/systems/kubernetes/get-if-installed';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';

/** An entry of `metadata.ownerReferences`. */
export interface OwnerEntry {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  /** As it was written. */
  readonly written: unknown;
}

/** The state of an owner; `unreadable` is one that this program cannot read. */
export type Owner =
  | { readonly is: 'there'; readonly object: KubernetesObject }
  | { readonly is: 'gone' }
  | { readonly is: 'unreadable'; readonly reason: string };

/** Who the object says it belongs to. An entry that cannot be read is one of no known kind. */
export function ownersOf(metadata: Readonly<Record<string, unknown>>): readonly OwnerEntry[] {
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined) return [];
  return (Array.isArray(ownerReferences) ? ownerReferences : [ownerReferences]).map(
    (written: unknown) => {
      const { apiVersion, kind, name, uid, controller } = isRecord(written) ? written : {};
      const isKnown =
        [kind, name, uid, apiVersion].every((it) => typeof it === 'string') &&
        (String(apiVersion).split('/').at(-2) ?? '') === kubernetesKind(String(kind))?.group;
      return {
        kind: isKnown ? String(kind) : '',
        name: String(name),
        uid: String(uid),
        controller: controller === true,
        written,
      };
    },
  );
}

/**
 * Reads an owner by its name and uid. Kube-OVN's objects have no namespace and name their pod's in
 * the spec; an owner of a namespaced kind is read there.
 * @throws Failure when it cannot be read.
 */
export async function findOwner(
  { kind, name, uid }: OwnerEntry,
  owned: Pick<KubernetesObject, 'metadata'> & { readonly spec?: unknown },
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<Owner> {
  const entry = kubernetesKind(kind);
  if (!entry)
    return {
      is: 'unreadable',
      reason: `an owner named ${name} of a kind this program does not read`,
    };
  const spec = isRecord(owned.spec) ? owned.spec : {};
  const namespace = owned.metadata.namespace ?? spec['namespace'];
  if (entry.namespaced && (typeof namespace !== 'string' || namespace === ''))
    return { is: 'unreadable', reason: `${kind} ${name} of no namespace` };
  const object = await getIfInstalled(
    kind,
    entry.namespaced ? String(namespace) : undefined,
    name,
    kubernetes,
    signal,
  );
  return object?.metadata.uid === uid ? { is: 'there', object } : { is: 'gone' };
}
