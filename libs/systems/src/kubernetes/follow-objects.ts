import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubeClient } from './kube-client';
import { SilentFailure } from './kube-failure';
import { openWatch } from './open-watch';
import type { WatchEvent } from './watch-events';
import type { Kubernetes, FollowEvent } from './kubernetes';
import { type Lists, selecting } from './list-objects';
import { objectIn } from './object-in';
import { kindOf, type KindPaths } from './places';

/**
 * A list, and the watch from there on. The client's limits are those of a line that may lie still
 * for a while.
 */
export const followObjects = (
  client: KubeClient,
  places: KindPaths,
  lists: Lists,
  closing: AbortSignal,
): Pick<Kubernetes, 'follow'> => ({
  async *follow(name, until, only) {
    const kind = kindOf(name);
    const signal = AbortSignal.any([until, closing]);
    const { objects, resourceVersion } = await lists.all(kind, undefined, signal, only);
    yield [{ is: 'all', objects }];
    const watch = await openWatch(
      {
        client,
        kind,
        path: places.collection(kind),
        from: resourceVersion,
        selecting: selecting(only),
      },
      signal,
    );
    try {
      for await (const { events } of watch.batches) {
        const changes = events.flatMap((it) => newsIn(it, kind, client.server));
        if (changes.length > 0) yield changes;
      }
    } catch (error) {
      if (!(error instanceof SilentFailure) && !signal.aborted) throw error;
    } finally {
      watch.close();
    }
  },
});

const newsIn = (event: WatchEvent, kind: KubernetesKind, server: string): FollowEvent[] =>
  event.type === 'BOOKMARK'
    ? []
    : [
        {
          is: event.type === 'DELETED' ? 'gone' : 'now',
          object: objectIn(event.object, kind, undefined, undefined, server),
        },
      ];
