import { Failure } from '@ovn-steward/shared/errors';
import { objectKey } from '@ovn-steward/shared/events/reference';
import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from '@ovn-steward/reading/kubernetes/is-record';
import { KubeFailure } from '@ovn-steward/reading/kubernetes/kube-failure';
import { listPage, type ListPage } from '@ovn-steward/reading/kubernetes/list-page';
import { readJson, TOO_LARGE } from '@ovn-steward/reading/kubernetes/read-json';
import type { Asking } from './ask';
import type { Kubernetes, KubernetesObject, ListOnly } from './kubernetes';
import { kindOf, type Places } from './places';
import { saysAbsent } from './status';

/** Objects a page. */
const PAGE = 500;
/** Field selectors that the server keeps an index or a filter for. */
const SELECTED: Readonly<Record<ListOnly, string>> = { unscheduled: `&fieldSelector=${encodeURIComponent('spec.nodeName=')}` };
/** How often a list is begun again that the server could not continue. */
const TRIES = 3;

/** The reading half of a cluster. Nothing is asked with a resourceVersion: every answer is the latest (Kubernetes documentation, "Semantics for get and list"). */
export function readObjects(asking: Asking, places: Places): Pick<Kubernetes, 'identity' | 'serves' | 'servedAs' | 'get' | 'list' | 'count'> {
  const find = async (kind: KubernetesKind, namespace: string | undefined, name: string, signal: AbortSignal): Promise<KubernetesObject | 'absent' | 'not-served'> => {
    const { status, body } = await asking.read(places.object(kind, namespace, name), [200, 404], signal);
    if (status === 200) return objectIn(body, kind, namespace, name, asking.server);
    return saysAbsent(body, kind, name) ? 'absent' : 'not-served';
  };
  const get: Kubernetes['get'] = async (kindName, namespace, name, signal) => {
    const kind = kindOf(kindName);
    let found = await find(kind, namespace, name, signal);
    if (found === 'not-served' && (await places.moved(kind, signal))) found = await find(kind, namespace, name, signal);
    if (found === 'not-served') throw await places.notServed(kind, signal);
    return found === 'absent' ? undefined : found;
  };

  const page = async (kind: KubernetesKind, namespace: string | undefined, query: string, signal: AbortSignal): Promise<ListPage | typeof TOO_LARGE> => {
    const ask = (): Promise<unknown> => asking.within(signal, (limited) => readJson(asking.client, `${places.collection(kind, namespace)}?${query}`, limited));
    const answer = await ask().catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'source-not-served') throw error;
      if (await places.moved(kind, signal)) return ask();
      throw await places.notServed(kind, signal);
    });
    return answer === TOO_LARGE ? TOO_LARGE : listPage(answer, kind);
  };

  const whole = async (kind: KubernetesKind, namespace: string | undefined, signal: AbortSignal, only?: ListOnly): Promise<KubernetesObject[]> => {
    const objects: KubernetesObject[] = [];
    let limit = PAGE;
    for (let [token, version] = ['', '']; ;) {
      const next = await page(kind, namespace, `limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}${only === undefined ? '' : SELECTED[only]}`, signal);
      if (next === TOO_LARGE) {
        if (limit === 1) throw new KubeFailure('source-broken', `One ${kind.kind} alone is larger than this program reads at once. Find it with kubectl get ${kind.resource} -A.`);
        limit = Math.ceil(limit / 4);
        continue;
      }
      version ||= next.resourceVersion;
      if (next.resourceVersion !== version) throw new KubeFailure('source-expired', `The list of ${kind.kind} changed its resourceVersion between two pages. It is read anew.`);
      for (const item of next.items) objects.push(objectIn(item, kind, namespace, undefined, asking.server));
      token = next.token;
      if (token === '') return objects;
    }
  };

  return {
    get,
    ...serving(places, (kind, signal) => page(kind, undefined, 'limit=1', signal)),
    async identity(signal) {
      const system = await get('Namespace', undefined, 'kube-system', signal);
      if (!system) throw new KubeFailure('source-broken', `${asking.server} has no Namespace kube-system, by whose uid a cluster is known. Check that the server address leads to a Kubernetes API server.`);
      return system.metadata.uid;
    },
    async list(name, namespace, signal, only) {
      const kind = kindOf(name);
      for (let tries = 1; ; tries++) {
        try {
          return await whole(kind, namespace, signal, only);
        } catch (error) {
          if (tries === TRIES || !(error instanceof Failure) || error.code !== 'source-expired') throw error;
        }
      }
    },
    async count(name, signal) {
      const first = await page(kindOf(name), undefined, 'limit=1', signal);
      if (first === TOO_LARGE) return undefined;
      return first.token === '' ? first.items.length : first.remaining === undefined ? undefined : first.items.length + first.remaining;
    },
  };
}

/** What is served, by asking for a little of it. */
function serving(places: Places, ask: (kind: KubernetesKind, signal: AbortSignal) => Promise<unknown>): Pick<Kubernetes, 'serves' | 'servedAs'> {
  const serves: Kubernetes['serves'] = async (name, signal) => {
    const kind = kindOf(name);
    try {
      await ask(kind, signal);
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
      return (await serves(name, signal)) === 'served' ? places.collection(kindOf(name)).split('/').slice(2, -1).join('/') : undefined;
    },
  };
}

/** The object that was asked for, or one of a list. @throws KubeFailure `source-broken` when the answer is anything else. */
export function objectIn(body: unknown, kind: KubernetesKind, namespace: string | undefined, name: string | undefined, server: string): KubernetesObject {
  const object = isRecord(body) ? body : {};
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isAsked = (name === undefined ? object['kind'] === undefined || object['kind'] === kind.kind : object['kind'] === kind.kind && metadata['name'] === name)
    && (namespace === undefined || metadata['namespace'] === namespace) && isText(metadata['namespace']) === kind.namespaced;
  const finalizers = metadata['finalizers'] ?? [];
  if (!isAsked || !['name', 'uid', 'resourceVersion'].every((it) => isText(metadata[it])) || !Array.isArray(finalizers) || !finalizers.every(isText)) {
    throw new KubeFailure('source-broken', `${server} was asked for ${kind.kind}${name === undefined ? 's' : ` ${objectKey(namespace, name)}`} and answered with something else. Check that the server address leads to a Kubernetes API server.`);
  }
  return object as unknown as KubernetesObject;
}
