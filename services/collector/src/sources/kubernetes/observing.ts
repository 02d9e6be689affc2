import { Failure } from '@ovn-steward/shared/errors';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { kubernetesStream, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { project, type Projected } from '@ovn-steward/systems/projections/project';
import type { Observation } from '../../source-kit/source';
import { KubeFailure } from '@ovn-steward/systems/kubernetes/kube-failure';
import type { Page } from '@ovn-steward/systems/kubernetes/list-pages';
import type { Seen } from './seen';
import type { WatchBatch } from '@ovn-steward/systems/kubernetes/watch-events';

/**
 * What one page of a list or one read of a watch says, in observations. Both remember it in `seen`.
 * Where one fails half-way (`object-malformed`, `source-expired`) the kind is listed again, so that
 * nothing is remembered as published that was not.
 */
export interface Observer {
  /** Without the `begin` and `complete` around the whole list. */
  page(page: Page): Observation[];
  batch(batch: WatchBatch): Observation[];
}

interface KnownObject extends Projected {
  readonly key: string;
  readonly resourceVersion: string;
}

function read(kind: string, raw: unknown): KnownObject {
  const projected = project(kind, raw);
  const { resourceVersion } = (raw as { metadata: Record<string, unknown> }).metadata; // project found a metadata there
  const key = objectKey(projected.namespace, projected.name);
  if (typeof resourceVersion !== 'string' || resourceVersion === '') {
    throw new Failure(
      'object-malformed',
      `${kind} ${key} has no metadata.resourceVersion, so nothing about it can be put in order; inspect it with kubectl.`,
    );
  }
  return { ...projected, key, resourceVersion };
}

interface OfKind {
  readonly stream: string;
  readonly kind: string;
}

const named = ({ name, namespace }: KnownObject) => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

const object = ({ stream, kind }: OfKind, projected: KnownObject): Observation => ({
  type: 'object',
  stream,
  kind,
  uid: projected.uid,
  ...named(projected),
  object: projected.object,
});

const gone = ({ stream, kind }: OfKind, projected: KnownObject, uid: string): Observation => ({
  type: 'gone',
  stream,
  kind,
  uid,
  ...named(projected),
});

export function createObserver({ kind }: KubernetesKind, seen: Seen): Observer {
  const stream = kubernetesStream(kind);
  const of = { stream, kind };
  const changed = (deleted: boolean, raw: unknown): Observation[] => {
    const projected = read(kind, raw);
    const verdict = deleted
      ? seen.gone(projected.key, projected.uid, projected.resourceVersion)
      : seen.put(projected.key, projected.uid, projected.resourceVersion);
    if (verdict.verdict === 'stale') return [];
    if (verdict.verdict === 'disorder') {
      throw new KubeFailure(
        'source-expired',
        `The watch of ${kind} sent ${projected.key} out of order, at resourceVersion ${projected.resourceVersion}. It is read again.`,
      );
    }
    const before = verdict.replaced === undefined ? [] : [gone(of, projected, verdict.replaced)];
    return [...before, deleted ? gone(of, projected, projected.uid) : object(of, projected)];
  };

  return {
    page: ({ items }) =>
      items.map((raw) => {
        const projected = read(kind, raw);
        if (!seen.listed(projected.key, projected.uid, projected.resourceVersion)) {
          throw new KubeFailure(
            'source-expired',
            `The list of ${kind} shows ${projected.key} twice. It is read again.`,
          );
        }
        return object(of, projected);
      }),
    batch: ({ events, caughtUpAt }) =>
      events.flatMap((event) =>
        event.type === 'BOOKMARK'
          ? [
              {
                type: 'progress',
                stream,
                cursor: event.resourceVersion,
                through: new Date(caughtUpAt).toISOString(),
              } as const,
            ]
          : changed(event.type === 'DELETED', event.object),
      ),
  };
}
