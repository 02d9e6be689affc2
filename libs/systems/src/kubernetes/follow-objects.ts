import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubeClient } from './kube-client';
import { SilentFailure } from './kube-failure';
import { watchEvents, type WatchEvent } from './watch-events';
import type { Kubernetes, FollowEvent } from './kubernetes';
import { type Lists, selecting } from './list-objects';
import { objectIn } from './object-in';
import { kindOf, type Places } from './places';

/** The server is asked to end a watch after so long, drawn anew each time: what a watch may have swallowed is then read. Seconds. */
const WATCH_SECONDS = [240, 300] as const;

/** A list, and the watch from there on. The client's limits are those of a line that may lie still for a while. */
export const followObjects = (
  client: KubeClient,
  places: Places,
  lists: Lists,
  closing: AbortSignal,
): Pick<Kubernetes, 'follow'> => ({
  async *follow(name, until, only) {
    const kind = kindOf(name);
    const signal = AbortSignal.any([until, closing]);
    const { objects, resourceVersion } = await lists.all(kind, undefined, signal, only);
    yield [{ is: 'all', objects }];
    const seconds = Math.round(
      WATCH_SECONDS[0] + Math.random() * (WATCH_SECONDS[1] - WATCH_SECONDS[0]),
    );
    const answer = await client.get(
      `${places.collection(kind)}?watch=1&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(resourceVersion)}&timeoutSeconds=${seconds}${selecting(only)}`,
      signal,
    );
    try {
      for await (const { events } of watchEvents(answer, kind, Date.now)) {
        const changes = events.flatMap((it) => newsIn(it, kind, client.server));
        if (changes.length > 0) yield changes;
      }
    } catch (error) {
      if (!(error instanceof SilentFailure) && !signal.aborted) throw error;
    } finally {
      answer.close();
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
