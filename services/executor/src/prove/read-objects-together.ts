import { gatherCalls } from '@ovn-steward/shared/gather-calls';
import type { Lane } from '@ovn-steward/shared/lane';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';

/** From so many names of one kind in one namespace on, a list of them all is tried. */
const LISTED_FROM = 4;
/**
 * It is read where there are at most so many objects for each name: then it costs no more than
 * reading each.
 */
const LISTED_FOR_EACH = 8;
/**
 * Where there were more, a list is not tried again so soon, unless for so many names that twice as
 * many objects do; milliseconds.
 */
const NOT_LISTED_MS = 60_000;

type Get = Kubernetes['get'];

/**
 * Reads single objects: what is wanted in one turn of the event loop is read at once, each object
 * once, and several of a kind by one list where that is short. Both are the latest that the API
 * server has (no resourceVersion), and begin after they were wanted, so an answer is never older
 * than its question.
 *
 * Where no such list can be read, each object is read by itself: a failed list says nothing.
 * @param inTurn limits how many requests are under way at once.
 */
export function readObjectsTogether(
  kubernetes: Pick<Kubernetes, 'get' | 'listUpTo'>,
  inTurn: Lane['run'],
  now: () => number = () => performance.now(),
): Get {
  const byPlace = new Map<string, (name: string, signal: AbortSignal) => ReturnType<Get>>();

  const placeOf = (kind: string, namespace: string | undefined): ReturnType<typeof inPlace> => {
    const place = JSON.stringify([kind, namespace ?? null]);
    let known = byPlace.get(place);
    if (!known) byPlace.set(place, (known = inPlace(kind, namespace)));
    return known;
  };
  const inPlace = (
    kind: string,
    namespace: string | undefined,
  ): ((name: string, signal: AbortSignal) => ReturnType<Get>) => {
    let tooMany = { most: 0, until: -Infinity };
    const listed = async (
      most: number,
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, KubernetesObject> | undefined> => {
      const all = await inTurn(() => kubernetes.listUpTo(kind, namespace, most, signal)).catch(
        () => undefined,
      );
      if (all === undefined) tooMany = { most, until: now() + NOT_LISTED_MS };
      return all && new Map(all.map((it) => [it.metadata.name, it]));
    };
    return gatherCalls((names, signal) => {
      const most = names.length * LISTED_FOR_EACH;
      const isWorthIt =
        names.length >= LISTED_FROM && (now() >= tooMany.until || most >= 2 * tooMany.most);
      const few = isWorthIt ? listed(most, signal) : undefined;
      return async (name) => {
        const all = await few;
        return all ? all.get(name) : inTurn(() => kubernetes.get(kind, namespace, name, signal));
      };
    });
  };
  return (kind, namespace, name, signal) => placeOf(kind, namespace)(name, signal);
}
