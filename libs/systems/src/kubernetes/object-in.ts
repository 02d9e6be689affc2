import { objectKey } from '@ovn-steward/contracts/identity/reference';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from './is-record';
import { KubeFailure } from './kube-failure';
import type { KubernetesObject } from './kubernetes';

/**
 * The object that was requested, or one of a list.
 * @throws KubeFailure `source-broken` when the answer is anything else.
 */
export function objectIn(
  body: unknown,
  kind: KubernetesKind,
  namespace: string | undefined,
  name: string | undefined,
  server: string,
): KubernetesObject {
  const object = isRecord(body) ? body : {};
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isRequested =
    (name === undefined
      ? object['kind'] === undefined || object['kind'] === kind.kind
      : object['kind'] === kind.kind && metadata['name'] === name) &&
    (namespace === undefined || metadata['namespace'] === namespace) &&
    isText(metadata['namespace']) === kind.namespaced;
  const finalizers = metadata['finalizers'] ?? [];
  if (
    !isRequested ||
    !['name', 'uid', 'resourceVersion'].every((it) => isText(metadata[it])) ||
    !Array.isArray(finalizers) ||
    !finalizers.every(isText)
  ) {
    throw new KubeFailure(
      'source-broken',
      `${server} was asked for ${kind.kind}${name === undefined ? 's' : ` ${objectKey(namespace, name)}`} and answered with something else. Check that the server address leads to a Kubernetes API server.`,
    );
  }
  return object as unknown as KubernetesObject;
}
