import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { objectKey } from '@ovn-steward/shared/events/reference';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';

/** What every Kubernetes object must have before anything can be said about it. */
export interface Identity {
  readonly uid: string;
  readonly name: string;
  readonly namespace?: string;
  /** `namespace/name`, or the name. */
  readonly key: string;
  readonly resourceVersion: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the identity, or fails as `source-broken` with the best name the object has: one unreadable object makes absence unknowable. */
export function identify(kind: KubernetesKind, raw: unknown): Identity {
  const object = isRecord(raw) ? raw : {};
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  const [uid, name, resourceVersion] = [text(metadata['uid']), text(metadata['name']), text(metadata['resourceVersion'])];
  const namespace = text(metadata['namespace']);
  const lacks = !isRecord(raw) ? 'is not an object'
    : !isRecord(raw['metadata']) ? 'has no metadata'
    : !name ? 'has no metadata.name'
    : !uid ? 'has no metadata.uid'
    : !resourceVersion ? 'has no metadata.resourceVersion'
    : kind.namespaced !== (namespace !== undefined) ? (namespace ? 'has a namespace, which this kind must not have' : 'has no metadata.namespace')
    : object['kind'] !== undefined && object['kind'] !== kind.kind ? `says it is a ${String(object['kind']).slice(0, 60)}`
    : undefined;
  if (lacks || !uid || !name || !resourceVersion) throw brokenObject(`${kind.kind} ${objectKey(namespace, name ?? uid ?? '(unnamed)')}`, lacks ?? 'is incomplete');
  return { uid, name, key: objectKey(namespace, name), resourceVersion, ...(namespace ? { namespace } : {}) };
}

/** Trims an object, and names it when the projection cannot read it. */
export function projected(project: (kind: string, raw: unknown) => Record<string, unknown>, kind: KubernetesKind, identity: Identity, raw: unknown): Record<string, unknown> {
  try {
    return project(kind.kind, raw);
  } catch (error) {
    throw brokenObject(`${kind.kind} ${identity.key}`, `could not be read: ${messageOf(error)}`);
  }
}

const brokenObject = (subject: string, lacks: string): Failure =>
  new Failure('source-broken', `${subject} ${lacks}; look at it with kubectl. Until it is readable nothing can be said about what is absent.`);

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
