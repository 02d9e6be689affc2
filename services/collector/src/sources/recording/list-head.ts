import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';

/** What stands around the items of a list. */
export interface ListHead {
  /** `v1`/`List` of kubectl, or the type of its items (`PodList` without the ending). */
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly resourceVersion: string;
  /** Why the list may hold less than everything; absent when it is known to have ended. */
  readonly partial?: string;
}

/**
 * Reads what stands around the items: `List` of kubectl says nothing of its items, `PodList` of the
 * API that they are Pods.
 */
export function listHead(value: unknown): ListHead {
  const { apiVersion, kind, metadata } = isRecord(value) ? value : {};
  const { resourceVersion, continue: token } = isRecord(metadata) ? metadata : {};
  const typed = typeof kind === 'string' && kind !== 'List' && kind.endsWith('List');
  return {
    ...(typed && typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...(typed ? { kind: kind.slice(0, -'List'.length) } : {}),
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    ...(token === undefined || token === null || token === ''
      ? {}
      : { partial: 'it is one page of a longer list (metadata.continue is set)' }),
  };
}

/** The type an object has by itself, else by the list it stands in. */
export function typeOf(
  raw: unknown,
  head: ListHead | undefined,
): { apiVersion: unknown; kind: unknown } {
  const own = isRecord(raw) ? raw : {};
  return { apiVersion: own['apiVersion'] ?? head?.apiVersion, kind: own['kind'] ?? head?.kind };
}
