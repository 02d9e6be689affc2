import { DEFAULT_ALLOCATED } from '../kube-ovn/unserved';
import type { Entity } from '../world/entity';
import { defineTally } from '../world/relation';

/** The only key. */
export const ALL_SERVED = 'all';

const MINUTE_MS = 60_000;

/** By the minute since 1970 in which they were made: how many pods. */
interface Figure {
  readonly minutes: Map<number, number>;
  newest: number;
}

/** The minute in which a pod was made; 0 where it does not say. */
export const minuteMade = ({ object: { metadata } }: Pick<Entity<'Pod'>, 'object'>): number =>
  Math.floor((Date.parse(metadata.creationTimestamp ?? '') || 0) / MINUTE_MS);

/** Of the pods that Kube-OVN gave an address on the default network, when the newest was made. */
export const servedPods = defineTally<'Pod', Figure>({
  id: 'served-pods',
  kinds: ['Pod'],
  keys: ({ object: { metadata } }) =>
    metadata.annotations?.[DEFAULT_ALLOCATED] === 'true' ? [ALL_SERVED] : [],
  start: () => ({ minutes: new Map(), newest: 0 }),
  add: (figure, pod) => {
    const minute = minuteMade(pod);
    figure.minutes.set(minute, (figure.minutes.get(minute) ?? 0) + 1);
    figure.newest = Math.max(figure.newest, minute);
  },
  remove: (figure, pod) => {
    const minute = minuteMade(pod);
    const left = figure.minutes.get(minute)! - 1;
    if (left > 0) figure.minutes.set(minute, left);
    else figure.minutes.delete(minute);
    // The newest goes seldom, and there are fewer minutes than pods.
    if (left === 0 && minute === figure.newest)
      figure.newest = Math.max(0, ...figure.minutes.keys());
  },
  verdict: ({ newest }) => String(newest),
});
