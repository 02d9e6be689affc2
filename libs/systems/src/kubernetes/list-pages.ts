import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { KubeFailure } from './kube-failure';
import type { ListPage } from './list-page';
import { TOO_LARGE } from './read-json';

/** Objects requested per page. */
export const PAGE_SIZE = 500;

/** A part of one consistent list. */
export interface Page {
  readonly items: readonly unknown[];
  /** The state of the cluster the list shows; the same on every page of it. */
  readonly resourceVersion: string;
  readonly last: boolean;
}

/**
 * Lists a kind page by page without a resourceVersion, which is the consistent read (Kubernetes API
 * concepts, "Semantics for get and list"). `requestPage` sends a list request with the query it is
 * given. A page that is too large is requested again in smaller parts.
 *
 * @throws Failure `source-expired` when the server can no longer continue the same list, or
 *   continues another one: what was read so far then proves no absence, and the list starts over.
 *   `source-broken` when one object alone is too large. What `requestPage` throws.
 */
export async function* listPages(
  kind: KubernetesKind,
  requestPage: (query: string) => Promise<ListPage | typeof TOO_LARGE>,
  pageSize: number = PAGE_SIZE,
): AsyncGenerator<Page> {
  let limit = pageSize;
  let resourceVersion: string | undefined;
  let token = '';
  do {
    const page = await requestPage(
      `limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}`,
    );
    if (page === TOO_LARGE) {
      if (limit === 1)
        throw new KubeFailure(
          'source-broken',
          `One ${kind.kind} alone is larger than this program reads at once. Find it with kubectl get ${kind.resource} -A.`,
        );
      limit = Math.ceil(limit / 4);
      continue;
    }
    resourceVersion ??= page.resourceVersion;
    if (page.resourceVersion !== resourceVersion)
      throw new KubeFailure(
        'source-expired',
        `The list of ${kind.kind} changed its resourceVersion from ${resourceVersion} to ${page.resourceVersion} between two pages. It is read again.`,
      );
    token = page.token;
    yield { items: page.items, resourceVersion, last: token === '' };
  } while (resourceVersion === undefined || token !== '');
}
