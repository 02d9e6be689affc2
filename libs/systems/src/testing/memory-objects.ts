import { kubernetesKind, apiVersionOf } from '@ovn-steward/shared/kinds';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type {
  JsonPatch,
  FollowEvent,
  KubernetesObject,
  ObjectVersion,
  RefusedWrite,
} from '../kubernetes/kubernetes';
import { sameJson } from '../kubernetes/same-json';
import { applyJsonPatch } from './json-patch';

/** An object as a test writes it: what the server would add may be left out. */
export type GivenObject = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly namespace?: string;
  };
};

/**
 * What an API server keeps, and what it does to objects that are created, patched and deleted.
 * Objects are frozen: the same version is the same object.
 */
export interface MemoryObjects {
  get(kind: string, namespace: string | undefined, name: string): KubernetesObject | undefined;
  all(kind: string): IterableIterator<KubernetesObject>;
  count(kind: string): number;
  /**
   * Creates or replaces, whatever is there; an uid that is given is kept, else that of what is
   * replaced, else a new one.
   */
  put(object: GivenObject): KubernetesObject;
  /** Takes it away at once, finalizers or not. */
  remove(kind: string, namespace: string | undefined, name: string): void;
  create(
    kind: string,
    manifest: Readonly<Record<string, unknown>>,
  ): KubernetesObject | RefusedWrite;
  patch(version: ObjectVersion, patch: JsonPatch): KubernetesObject | RefusedWrite;
  delete(version: ObjectVersion): 'gone' | 'terminating' | RefusedWrite;
  /** Has `onEvent` called with each change of the kind, at once; the result ends it. */
  watch(kind: string, onEvent: (news: FollowEvent) => void): () => void;
}

export const refused = (why: RefusedWrite['why'], message: string): RefusedWrite => ({
  is: 'refused',
  why,
  message,
});

const DELETED_AT = '2026-01-02T00:00:00Z';
const CREATED_AT = '2026-01-01T00:00:00Z';
const NAME = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/** @param series of the uids it gives: objects of two servers have one uid only in one series. */
export function memoryObjects(series = 0): MemoryObjects {
  const kinds = new Map<string, Map<string, KubernetesObject>>();
  const listeners = new Set<{
    readonly kind: string;
    readonly onEvent: (news: FollowEvent) => void;
  }>();
  let clock = 0;
  const report = (kind: string, news: FollowEvent): void => {
    for (const it of listeners) if (it.kind === kind) it.onEvent(news);
  };
  const of = (kind: string): Map<string, KubernetesObject> => {
    let objects = kinds.get(kind);
    if (!objects) kinds.set(kind, (objects = new Map()));
    return objects;
  };
  const keep = (
    kind: string,
    object: Readonly<Record<string, unknown>>,
    metadata: Readonly<Record<string, unknown>> & {
      readonly name: string;
      readonly namespace?: string;
    },
  ): KubernetesObject => {
    const kept = frozen({
      ...object,
      metadata: { ...metadata, resourceVersion: String(++clock) },
    }) as KubernetesObject;
    of(kind).set(objectKey(metadata.namespace, metadata.name), kept);
    report(kind, { is: 'now', object: kept });
    return kept;
  };
  const store: MemoryObjects = {
    get: (kind, namespace, name) => of(kind).get(objectKey(namespace, name)),
    all: (kind) => of(kind).values(),
    count: (kind) => of(kind).size,
    put(object) {
      const { namespace, name, uid } = object.metadata;
      if (namespace !== undefined && !store.get('Namespace', undefined, namespace))
        store.put({ kind: 'Namespace', metadata: { name: namespace } });
      const known = store.get(object.kind, namespace, name);
      const entry = kubernetesKind(object.kind);
      const own = {
        creationTimestamp: CREATED_AT,
        ...object.metadata,
        uid: uid ?? known?.metadata.uid ?? uidOf(series, ++clock),
      };
      return keep(
        object.kind,
        { ...(entry && { apiVersion: apiVersionOf(entry) }), ...structuredClone(object) },
        structuredClone(own),
      );
    },
    watch(kind, onEvent) {
      const listener = { kind, onEvent };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    remove(kind, namespace, name) {
      const object = store.get(kind, namespace, name);
      if (object && of(kind).delete(objectKey(namespace, name)))
        report(kind, { is: 'gone', object });
    },
    create(kind, manifest) {
      const metadata = manifest['metadata'] as Record<string, unknown> & {
        readonly name: string;
        readonly namespace?: string;
      };
      const { namespace, name } = metadata;
      if (
        manifest['kind'] !== kind ||
        metadata['resourceVersion'] !== undefined ||
        !NAME.test(name)
      )
        return refused('invalid', `${kind} ${name} is not one that can be created`);
      if (namespace !== undefined && !store.get('Namespace', undefined, namespace))
        return refused('invalid', `there is no Namespace ${namespace}`);
      if (store.get(kind, namespace, name))
        return refused('exists', `there is a ${kind} ${objectKey(namespace, name)} already`);
      return keep(kind, structuredClone(manifest), {
        ...structuredClone(metadata),
        uid: uidOf(series, ++clock),
        creationTimestamp: CREATED_AT,
      });
    },
    patch(version, patch) {
      const current = store.get(version.kind, version.namespace, version.name);
      if (!isVersion(current, version)) return refused('conflict', conflictText(version));
      const after = applyJsonPatch(current, patch);
      if (!after)
        return refused('invalid', 'a test of the patch does not hold, or a path leads nowhere');
      if (sameJson(after, current)) return current;
      const { metadata } = after;
      const added = (metadata.finalizers ?? []).some(
        (it) => !(current.metadata.finalizers ?? []).includes(it),
      );
      if (metadata.name !== current.metadata.name || metadata.uid !== current.metadata.uid)
        return refused('invalid', 'name and uid cannot be changed');
      if (metadata.deletionTimestamp !== undefined && added)
        return refused('invalid', 'an object that is being deleted takes no new finalizers');
      const kept = keep(version.kind, after, metadata);
      if (metadata.deletionTimestamp !== undefined && !isKept(kept))
        store.remove(version.kind, version.namespace, version.name);
      return kept;
    },
    delete(version) {
      const current = store.get(version.kind, version.namespace, version.name);
      if (!current) return 'gone';
      if (!isVersion(current, version)) return refused('conflict', conflictText(version));
      if (isKept(current) && current.metadata.deletionTimestamp !== undefined) return 'terminating';
      const terminating = {
        ...current,
        metadata: {
          ...current.metadata,
          deletionTimestamp: DELETED_AT,
          deletionGracePeriodSeconds: hasNode(current) ? 30 : 0,
        },
      };
      if (isKept(terminating)) {
        keep(version.kind, terminating, terminating.metadata);
        return 'terminating';
      }
      store.remove(version.kind, version.namespace, version.name);
      return 'gone';
    },
  };
  for (const name of ['default', 'kube-system'])
    store.put({ kind: 'Namespace', metadata: { name } });
  return store;
}

const isVersion = (
  object: KubernetesObject | undefined,
  { uid, resourceVersion }: ObjectVersion,
): object is KubernetesObject =>
  object?.metadata.uid === uid && object.metadata.resourceVersion === resourceVersion;

const conflictText = ({ kind, namespace, name, uid, resourceVersion }: ObjectVersion): string =>
  `${kind} ${objectKey(namespace, name)} is not the version ${uid}/${resourceVersion} any more`;

/**
 * What an object that was deleted waits for: its finalizers, and a kubelet that ends its
 * containers.
 */
const isKept = ({ metadata }: Pick<KubernetesObject, 'metadata'>): boolean =>
  (metadata.finalizers ?? []).length > 0 || Number(metadata['deletionGracePeriodSeconds'] ?? 0) > 0;

/**
 * A Pod on a node is ended by that node's kubelet within its grace period; one on no node goes at
 * once.
 */
const hasNode = (object: KubernetesObject): boolean =>
  object['kind'] === 'Pod' &&
  (object['spec'] as { nodeName?: string } | undefined)?.nodeName !== undefined;

const uidOf = (series: number, n: number): string =>
  `${series.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key of Object.keys(value)) frozen((value as Record<string, unknown>)[key]);
  }
  return value;
}
