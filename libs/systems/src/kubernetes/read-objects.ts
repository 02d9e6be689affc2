import { Failure } from '@ovn-steward/shared/errors';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { KubeFailure } from './kube-failure';
import { TOO_LARGE } from './read-json';
import type { KubernetesRequests } from './kubernetes-requests';
import type { Kubernetes, KubernetesObject } from './kubernetes';
import type { Lists } from './list-objects';
import { objectIn } from './object-in';
import { kindOf, type KindPaths } from './places';
import { isAbsentStatus } from './status';

/**
 * The reading half of a cluster. No request has a resourceVersion: every answer is the latest
 * (Kubernetes documentation, "Semantics for get and list").
 */
export function readObjects(
  requests: KubernetesRequests,
  places: KindPaths,
  lists: Lists,
): Pick<Kubernetes, 'identity' | 'serves' | 'servedAs' | 'get' | 'list' | 'listUpTo' | 'count'> {
  const find = findingIn(requests, places);
  const get: Kubernetes['get'] = async (kindName, namespace, name, signal) => {
    const kind = kindOf(kindName);
    let found = await find(kind, namespace, name, signal);
    if (found === 'not-served' && (await places.moved(kind, signal)))
      found = await find(kind, namespace, name, signal);
    if (found === 'not-served') throw await places.notServed(kind, signal);
    return found === 'absent' ? undefined : found;
  };

  return {
    get,
    ...serving(places, (kind, signal) => lists.page(kind, undefined, 'limit=1', signal)),
    identity: (signal) => identityOf(requests, places, signal),
    async list(name, namespace, signal, only) {
      return (await lists.all(kindOf(name), namespace, signal, only)).objects;
    },
    async listUpTo(name, namespace, most, signal) {
      const kind = kindOf(name);
      const page = await lists.page(kind, namespace, `limit=${most}`, signal);
      return page === TOO_LARGE || page.token !== ''
        ? undefined
        : page.items.map((it) => objectIn(it, kind, namespace, undefined, requests.server));
    },
    async count(name, signal) {
      const first = await lists.page(kindOf(name), undefined, 'limit=1', signal);
      if (first === TOO_LARGE) return undefined;
      return first.token === ''
        ? first.items.length
        : first.remaining === undefined
          ? undefined
          : first.items.length + first.remaining;
    },
  };
}

const findingIn =
  ({ read, server }: KubernetesRequests, places: KindPaths) =>
  async (
    kind: KubernetesKind,
    namespace: string | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<KubernetesObject | 'absent' | 'not-served'> => {
    const { status, body } = await read(places.object(kind, namespace, name), [200, 404], signal);
    if (status === 200) return objectIn(body, kind, namespace, name, server);
    return isAbsentStatus(body, kind, name) ? 'absent' : 'not-served';
  };

async function identityOf(
  { readOnNewConnection, server }: KubernetesRequests,
  places: KindPaths,
  signal: AbortSignal,
): Promise<string> {
  const kind = kindOf('Namespace');
  const path = places.object(kind, undefined, 'kube-system');
  const { status, body } = await readOnNewConnection(path, [200, 404], signal);
  if (status !== 200)
    throw new KubeFailure(
      'source-broken',
      `${server} has no Namespace kube-system, by whose uid a cluster is known. Check that the server address leads to a Kubernetes API server.`,
    );
  return objectIn(body, kind, undefined, 'kube-system', server).metadata.uid;
}

/** What is served, by asking for a little of it. */
function serving(
  places: KindPaths,
  request: (kind: KubernetesKind, signal: AbortSignal) => Promise<unknown>,
): Pick<Kubernetes, 'serves' | 'servedAs'> {
  const serves: Kubernetes['serves'] = async (name, signal) => {
    const kind = kindOf(name);
    try {
      await request(kind, signal);
      return 'served';
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'source-not-served') throw error;
      if (await places.notInstalled(kind, signal)) return 'not-installed';
      throw error;
    }
  };
  return {
    serves,
    async servedAs(name, signal) {
      return (await serves(name, signal)) === 'served'
        ? places.collection(kindOf(name)).split('/').slice(2, -1).join('/')
        : undefined;
    },
  };
}
