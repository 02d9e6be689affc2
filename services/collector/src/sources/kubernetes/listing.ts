import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import type { KubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { KubeFailure } from '@ovn-steward/systems/kubernetes/kube-failure';
import { listPage } from '@ovn-steward/systems/kubernetes/list-page';
import { readJson, TOO_LARGE } from '@ovn-steward/systems/kubernetes/read-json';
import type { Semaphore } from './semaphore';
import type { Timing } from './timing';

/** A part of one consistent list. */
export interface Page {
  readonly items: readonly unknown[];
  /** The state of the cluster the list shows; the same on every page of it. */
  readonly resourceVersion: string;
  readonly last: boolean;
}

/**
 * Lists a resource page by page without a resourceVersion, which is the consistent read (Kubernetes API concepts, "Semantics for
 * get and list"). Fails as `source-expired` when the server can no longer continue the same list, or continues another one: what
 * was read so far then proves no absence, and the list starts over. A page that is too large is asked for again in smaller parts. Only asking and parsing holds a permit, not handing over.
 */
export async function* listPages(
  client: KubeClient,
  path: string,
  kind: KubernetesKind,
  { pageSize, pageBytes }: Pick<Timing, 'pageSize' | 'pageBytes'>,
  permits: Semaphore,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let limit = pageSize;
  let resourceVersion: string | undefined;
  let token = '';
  do {
    const query = `${path}?limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}`;
    const answer = await permits.hold(() => readJson(client, query, signal, pageBytes));
    if (answer === TOO_LARGE) {
      if (limit === 1)
        throw new KubeFailure(
          'source-broken',
          `One ${kind.kind} alone is larger than this program reads at once. Find it with kubectl get ${kind.resource} -A.`,
        );
      limit = Math.ceil(limit / 4);
      continue;
    }
    const page = listPage(answer, kind);
    resourceVersion ??= page.resourceVersion;
    if (page.resourceVersion !== resourceVersion) {
      throw new KubeFailure(
        'source-expired',
        `The list of ${kind.kind} changed its resourceVersion from ${resourceVersion} to ${page.resourceVersion} between two pages. It is read anew.`,
      );
    }
    token = page.token;
    yield { items: page.items, resourceVersion, last: token === '' };
  } while (resourceVersion === undefined || token !== '');
}
