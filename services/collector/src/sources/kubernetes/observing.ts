import { kubernetesStream, type KubernetesKind } from '@ovn-steward/shared/kinds';
import type { Observation } from '../../source';
import { identify, projected, type Identity } from './identity';
import { KubeFailure } from './kube-failure';
import type { Page } from './listing';
import type { Seen } from './seen';
import type { WatchBatch } from './watching';

/** Trims a raw object to what rules read; throws when it cannot. */
export type Project = (kind: string, raw: unknown) => Record<string, unknown>;

/**
 * What one page of a list or one read of a watch says, in observations. Both remember it in `seen` and both fail half-way only in
 * ways that make the kind be listed anew (`source-broken`, `source-expired`), so that nothing is remembered as told that was not.
 */
export interface Observer {
  /** Without the `begin` and `complete` around the whole list. */
  page(page: Page): Observation[];
  batch(batch: WatchBatch): Observation[];
}

export function createObserver(kind: KubernetesKind, project: Project, seen: Seen): Observer {
  const stream = kubernetesStream(kind.kind);
  const named = ({ name, namespace }: Identity) => ({ name, ...(namespace ? { namespace } : {}) });
  const object = (id: Identity, raw: unknown): Observation => ({ type: 'object', stream, kind: kind.kind, uid: id.uid, ...named(id), object: projected(project, kind, id, raw) });
  const gone = (id: Identity, uid: string): Observation => ({ type: 'gone', stream, kind: kind.kind, uid, ...named(id) });

  const changed = (deleted: boolean, raw: unknown): Observation[] => {
    const id = identify(kind, raw);
    const verdict = deleted ? seen.gone(id.key, id.uid, id.resourceVersion) : seen.put(id.key, id.uid, id.resourceVersion);
    if (verdict.verdict === 'stale') return [];
    if (verdict.verdict === 'disorder') {
      throw new KubeFailure('source-expired', `The watch of ${kind.kind} told of ${id.key} out of order, at resourceVersion ${id.resourceVersion}. It is read anew.`);
    }
    const before = verdict.replaced === undefined ? [] : [gone(id, verdict.replaced)];
    return [...before, deleted ? gone(id, id.uid) : object(id, raw)];
  };

  return {
    page: ({ items }) => items.map((raw) => {
      const id = identify(kind, raw);
      if (!seen.listed(id.key, id.uid, id.resourceVersion)) {
        throw new KubeFailure('source-expired', `The list of ${kind.kind} shows ${id.key} twice. It is read anew.`);
      }
      return object(id, raw);
    }),
    batch: ({ events, caughtUpAt }) => events.flatMap((event) =>
      event.type === 'BOOKMARK'
        ? [{ type: 'progress', stream, cursor: event.resourceVersion, through: new Date(caughtUpAt).toISOString() } as const]
        : changed(event.type === 'DELETED', event.object)),
  };
}
