import { Failure } from '@ovn-steward/shared/errors';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { listPage, type ListPage } from './list-page';
import { listPages } from './list-pages';
import { readJson, TOO_LARGE } from './read-json';
import type { KubernetesRequests } from './kubernetes-requests';
import type { KubernetesObject, ListOnly } from './kubernetes';
import { objectIn } from './object-in';
import type { KindPaths } from './places';

/** How often a list that the server could not continue is requested before that is a Failure. */
const TRIES = 3;

/** Field selectors, by which the server finds them. */
const SELECTED: Readonly<Record<ListOnly, string>> = { unscheduled: 'spec.nodeName=' };

/** The part of a query that selects those only. */
export const selecting = (only: ListOnly | undefined): string =>
  only === undefined ? '' : `&fieldSelector=${encodeURIComponent(SELECTED[only])}`;

/** All of a kind, or of it in one namespace, and the state of the cluster that shows. */
export interface ObjectList {
  readonly objects: readonly KubernetesObject[];
  readonly resourceVersion: string;
}

export interface Lists {
  /** One answer to a list, also where the kind is served under another version. */
  page(
    kind: KubernetesKind,
    namespace: string | undefined,
    query: string,
    signal: AbortSignal,
  ): Promise<ListPage | typeof TOO_LARGE>;
  /** Whole or a Failure. */
  all(
    kind: KubernetesKind,
    namespace: string | undefined,
    signal: AbortSignal,
    only?: ListOnly,
  ): Promise<ObjectList>;
}

/** Lists of objects, requested without a resourceVersion: the latest there is. */
export function lists(requests: KubernetesRequests, places: KindPaths): Lists {
  const page: Lists['page'] = async (kind, namespace, query, signal) => {
    const request = (): Promise<unknown> =>
      requests.within(signal, (limited) =>
        readJson(requests.client, `${places.collection(kind, namespace)}?${query}`, limited),
      );
    const answer = await request().catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'source-not-served') throw error;
      if (await places.moved(kind, signal)) return request();
      throw await places.notServed(kind, signal);
    });
    return answer === TOO_LARGE ? TOO_LARGE : listPage(answer, kind);
  };

  const whole = async (
    kind: KubernetesKind,
    namespace: string | undefined,
    signal: AbortSignal,
    only?: ListOnly,
  ): Promise<ObjectList> => {
    const objects: KubernetesObject[] = [];
    let resourceVersion = '';
    const requestPage = (query: string): ReturnType<Lists['page']> =>
      page(kind, namespace, `${query}${selecting(only)}`, signal);
    for await (const part of listPages(kind, requestPage)) {
      for (const item of part.items)
        objects.push(objectIn(item, kind, namespace, undefined, requests.server));
      ({ resourceVersion } = part);
    }
    return { objects, resourceVersion };
  };

  return {
    page,
    async all(kind, namespace, signal, only) {
      for (let tries = 1; ; tries++) {
        try {
          return await whole(kind, namespace, signal, only);
        } catch (error) {
          if (tries === TRIES || !(error instanceof Failure) || error.code !== 'source-expired')
            throw error;
        }
      }
    },
  };
}
