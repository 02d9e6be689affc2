import { crdNameOf, kubernetesStream, type KubernetesKind } from '@ovn-steward/shared/kinds';
import type { WatchEvent } from '@ovn-steward/systems/kubernetes/watch-events';
import type { MemoryObjects } from '@ovn-steward/systems/testing/memory-objects';
import type { Observation } from '../../../source-kit/source';
import { createObserver } from '../../../sources/kubernetes/observing';
import { Seen } from '../../../sources/kubernetes/seen';
import { type Feed, HEARTBEAT_EVERY_MS } from './feed';

/**
 * One kind as the API server lists and watches it, through what the collector makes of pages and
 * watch events.
 */
export function kubernetesFeed(objects: MemoryObjects, kind: KubernetesKind): Feed {
  const seen = new Seen();
  const observer = createObserver(kind, seen);
  const stream = kubernetesStream(kind.kind);
  let waiting: WatchEvent[] = [];
  let receivedAt = -Infinity;
  objects.watch(kind.kind, (news) => {
    if (news.is === 'now') waiting.push({ type: 'MODIFIED', object: news.object });
    if (news.is === 'gone') waiting.push({ type: 'DELETED', object: news.object });
  });
  return {
    name: stream,
    owner: { id: 'kubernetes', source: 'kubernetes' },
    kinds: [kind.kind],
    *read(now) {
      if (!isServed(objects, kind)) return yield* notServed(kind);
      const items = [...objects.all(kind.kind)];
      const resourceVersion = String(
        Math.max(0, ...items.map((it) => Number(it.metadata.resourceVersion))),
      );
      waiting = [];
      seen.clear();
      yield { type: 'begin', stream, kinds: [kind.kind] };
      yield* observer.page({ items, resourceVersion, last: true });
      seen.listedAt(resourceVersion);
      yield { type: 'complete', stream, kinds: [kind.kind], cursor: resourceVersion };
      yield {
        type: 'progress',
        stream,
        cursor: resourceVersion,
        through: new Date(now).toISOString(),
      };
    },
    news(now) {
      if (waiting.length === 0 && now - receivedAt < HEARTBEAT_EVERY_MS) return [];
      receivedAt = now;
      const events: WatchEvent[] = [...waiting, { type: 'BOOKMARK', resourceVersion: '' }];
      waiting = [];
      // Its objects go before the definition does, and then their watch ends.
      const news = observer.batch({ events, caughtUpAt: now });
      return isServed(objects, kind) ? news : [...news, ...notServed(kind)];
    },
  };
}

const isServed = (objects: MemoryObjects, kind: KubernetesKind): boolean => {
  const definition = crdNameOf(kind);
  return (
    definition === undefined ||
    objects.get('CustomResourceDefinition', undefined, definition) !== undefined
  );
};

const notServed = ({ kind }: KubernetesKind): Observation[] => [
  {
    type: 'unavailable',
    stream: kubernetesStream(kind),
    kinds: [kind],
    reason: 'not-served',
    detail: 'its definition is gone',
  },
];
