import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from './is-record';
import { KubeFailure } from './kube-failure';

/** What one answer to a list says. */
export interface ListPage {
  readonly items: unknown[];
  /** The state of the cluster the list shows; the same on every page of it. */
  readonly resourceVersion: string;
  /** Where the list goes on; empty at its end. */
  readonly token: string;
  /** How many there are behind this page, where the server says so. */
  readonly remaining?: number;
}

/**
 * Strict on purpose: an answer that is no list is a Failure `source-broken` and never an empty list,
 * and one whose continue token cannot be read is never the end of one.
 */
export function listPage(answer: unknown, kind: KubernetesKind): ListPage {
  const list = isRecord(answer) ? answer : {};
  const metadata = isRecord(list['metadata']) ? list['metadata'] : {};
  const { resourceVersion, continue: token, remainingItemCount: remaining } = metadata;
  if (
    !Array.isArray(list['items']) ||
    typeof list['kind'] !== 'string' ||
    !list['kind'].endsWith('List') ||
    typeof resourceVersion !== 'string' ||
    resourceVersion === '' ||
    typeof (token ?? '') !== 'string'
  ) {
    throw new KubeFailure(
      'source-broken',
      `The list of ${kind.kind} has no items, no kind or no resourceVersion, or a continue token that is no text. Check that the server address leads to a Kubernetes API server.`,
    );
  }
  return {
    items: list['items'],
    resourceVersion,
    token: typeof token === 'string' ? token : '',
    ...(typeof remaining === 'number' && { remaining }),
  };
}
