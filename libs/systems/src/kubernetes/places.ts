import { Failure } from '@ovn-steward/shared/errors';
import { crdNameOf, kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { discoverPath, pathOf, whyNotServed } from './discovery';
import { KubeFailure } from './kube-failure';
import { isRecord } from './is-record';
import type { KubernetesRequests } from './kubernetes-requests';
import { policyKind } from './policy-kinds';
import { isAbsentStatus } from './status';

/** Where the kinds are served. */
export interface KindPaths {
  /** The collection of a kind: all namespaces at once, or one. */
  collection(kind: KubernetesKind, namespace?: string): string;
  object(kind: KubernetesKind, namespace: string | undefined, name: string): string;
  /**
   * After an answer that says that nothing is served there: whether the kind was found under
   * another version; from now on that is its place.
   */
  moved(kind: KubernetesKind, signal: AbortSignal): Promise<boolean>;
  /** The failure for a kind that is served nowhere, with the reason. */
  notServed(kind: KubernetesKind, signal: AbortSignal): Promise<Failure>;
  /** Whether the server itself says that there is no such kind. */
  notInstalled(kind: KubernetesKind, signal: AbortSignal): Promise<boolean>;
}

export function places(requests: KubernetesRequests): KindPaths {
  const found = new Map<string, string>();
  const collection = (kind: KubernetesKind, namespace?: string): string => {
    const path = found.get(kind.kind) ?? pathOf(kind);
    const at = path.lastIndexOf('/');
    return namespace === undefined
      ? path
      : `${path.slice(0, at)}/namespaces/${segment(namespace)}${path.slice(at)}`;
  };
  return {
    collection,
    object: (kind, namespace, name) => `${collection(kind, namespace)}/${segment(name)}`,
    async moved(kind, signal) {
      const path = await requests.within(signal, (limited) =>
        discoverPath(requests.client, kind, limited),
      );
      if (path === undefined || path === collection(kind)) return false;
      found.set(kind.kind, path);
      return true;
    },
    async notServed(kind, signal) {
      return new KubeFailure(
        'source-not-served',
        await requests.within(signal, (limited) => whyNotServed(requests.client, kind, limited)),
      );
    },
    async notInstalled(kind, signal) {
      const name = crdNameOf(kind);
      if (name !== undefined) {
        const { status, body } = await requests.read(
          `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
          [200, 404],
          signal,
        );
        return (
          status === 404 && isAbsentStatus(body, { resource: 'customresourcedefinitions' }, name)
        );
      }
      const { body } = await requests.read(
        pathOf(kind).slice(0, -kind.resource.length - 1),
        [200, 404],
        signal,
      );
      return (
        isRecord(body) &&
        body['kind'] === 'APIResourceList' &&
        Array.isArray(body['resources']) &&
        !body['resources'].some((it) => !isRecord(it) || it['name'] === kind.resource)
      );
    },
  };
}

/**
 * The catalogue's entry.
 * @throws Failure `source-not-served` for a kind that ovn-steward does not read.
 */
export function kindOf(kind: string): KubernetesKind {
  const entry = kubernetesKind(kind) ?? policyKind(kind);
  if (!entry)
    throw new Failure(
      'source-not-served',
      `${kind.slice(0, 100)} is not a kind this program reads; see the kinds in deploy/rbac.yaml.`,
    );
  return entry;
}

/**
 * A name as a part of a path; the API knows no object with another (apimachinery, validation/path).
 */
function segment(name: string): string {
  if (['', '.', '..'].includes(name) || /[/%]/.test(name))
    throw new Failure(
      'object-malformed',
      `${JSON.stringify(name.slice(0, 100))} cannot be the name of a Kubernetes object; check where it came from.`,
    );
  return encodeURIComponent(name);
}
