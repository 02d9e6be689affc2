import { Failure } from '@ovn-steward/shared/errors';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { apiVersionOf, kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { PROJECTIONS } from './registry';
import { Mismatch, mapping } from './shape';

export interface Projected {
  readonly uid: string;
  readonly namespace?: string;
  readonly name: string;
  readonly object: Record<string, unknown>;
}

/** Some name for an object that may have none, for messages. */
function nameOf(raw: unknown): string {
  const metadata = (
    raw as { metadata?: { namespace?: unknown; name?: unknown; uid?: unknown } } | null | undefined
  )?.metadata;
  const part = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const name = part(metadata?.name) ?? part(metadata?.uid);
  return name === undefined ? 'without a name' : objectKey(part(metadata?.namespace), name);
}

const malformed = (kind: string, raw: unknown, what: string): Failure =>
  new Failure(
    'object-malformed',
    `${kind} ${nameOf(raw)} cannot be read: ${what}. Nothing is concluded about its kind; inspect the object with kubectl, or record it again.`,
  );

/** An object that says what it is must be what we take it for; items of typed lists say nothing. */
function otherType(entry: KubernetesKind, raw: Record<string, unknown>): string | undefined {
  const { kind, apiVersion } = raw;
  if (kind !== undefined && kind !== entry.kind) return `it says it is of kind ${String(kind)}`;
  return apiVersion === undefined || apiVersion === apiVersionOf(entry)
    ? undefined
    : `it is of ${String(apiVersion)}, this version reads ${apiVersionOf(entry)}`;
}

/**
 * Trims a Kubernetes object, from the API, from kubectl or from a recording, to what rules read, in
 * Kubernetes' own structure and field names. Idempotent. Parts of `raw` may be shared with the
 * result: do not change `raw` afterwards.
 *
 * @throws Failure `object-malformed`, naming object and field, when the object has no uid or name,
 *   or a field we read has another type than its API declares.
 */
export function project(kind: string, raw: unknown): Projected {
  const projected = projectedOrWhy(kind, raw);
  if (typeof projected === 'string') throw malformed(kind, raw, projected);
  return projected;
}

/**
 * The same, with a clause that says what is wrong (`metadata.uid: expected …`) for an object that
 * cannot be read.
 */
export function projectedOrWhy(kind: string, raw: unknown): Projected | string {
  const entry = kubernetesKind(kind);
  const shape = PROJECTIONS.get(kind);
  if (entry === undefined || shape === undefined) return 'it is not a kind we read';
  try {
    const other = otherType(entry, mapping(raw));
    return other ?? identified(entry, mapping(shape(raw)));
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const path = error.path.join('.');
    return path === '' ? error.message : `${path}: ${error.message}`;
  }
}

/** Every shape of an object requires its uid and its name. */
function identified(entry: KubernetesKind, object: Record<string, unknown>): Projected | string {
  const { uid, namespace, name } = object['metadata'] as {
    uid: string;
    namespace?: string;
    name: string;
  };
  if (entry.namespaced === (namespace === undefined))
    return entry.namespaced
      ? 'metadata.namespace is missing'
      : 'metadata.namespace is set on a cluster-scoped kind';
  return namespace === undefined ? { uid, name, object } : { uid, namespace, name, object };
}
