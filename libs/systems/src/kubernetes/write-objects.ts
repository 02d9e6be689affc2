import type { Failure } from '@ovn-steward/shared/errors';
import { isRecord } from './is-record';
import { KubeFailure } from './kube-failure';
import type { KubeRequest } from './kube-request';
import { type JsonAnswer, type KubernetesRequests, unknownOutcome } from './kubernetes-requests';
import type { Kubernetes, KubernetesObject, ObjectVersion, RefusedWrite } from './kubernetes';
import { objectIn } from './object-in';
import { kindOf, type KindPaths } from './places';
import { refused, isAbsentStatus, statusIn } from './status';

const preconditionsOf = ({ uid, resourceVersion }: ObjectVersion): Record<string, string> => ({
  uid,
  resourceVersion,
});

interface Writing {
  readonly requests: KubernetesRequests;
  readonly places: KindPaths;
  readonly get: Kubernetes['get'];
}

/**
 * The writing half of a cluster. Every request names the version it is about, so that sending it
 * again does nothing new.
 */
export function writeObjects(
  requests: KubernetesRequests,
  places: KindPaths,
  get: Kubernetes['get'],
): Pick<Kubernetes, 'delete' | 'evict' | 'patch' | 'create'> {
  const writing: Writing = { requests, places, get };
  return {
    delete: (version, signal) => removeObject(writing, version, signal),
    evict: (version, signal) => evictPod(writing, version, signal),
    patch: (version, patch, signal) => patchObject(writing, version, patch, signal),
    create: (kind, manifest, signal) => createObject(writing, kind, manifest, signal),
  };
}

async function removeObject(
  { requests, places }: Writing,
  version: ObjectVersion,
  signal: AbortSignal,
): ReturnType<Kubernetes['delete']> {
  const kind = kindOf(version.kind);
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: preconditionsOf(version),
    propagationPolicy: 'Background',
  };
  const request: KubeRequest = {
    method: 'DELETE',
    path: places.object(kind, version.namespace, version.name),
    body: JSON.stringify(options),
  };
  const answer = await requests.write(request, [200, 202, 400, 403, 404, 409, 422], signal);
  if (answer.status === 404 && isAbsentStatus(answer.body, kind, version.name))
    return { is: 'gone' };
  if (answer.status === 404) throw notServed(requests, request);
  if (answer.status >= 400) return refusedBy(answer);
  return {
    is: statusIn(answer.body) ? 'gone' : waitsFor(written(requests, request, answer, version)),
  };
}

async function evictPod(
  { requests, places, get }: Writing,
  version: ObjectVersion,
  signal: AbortSignal,
): ReturnType<Kubernetes['evict']> {
  if (version.kind !== 'Pod')
    return refused('invalid', undefined, `a ${version.kind} cannot be evicted, only a Pod can`);
  const { namespace, name, uid } = version;
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: { preconditions: preconditionsOf(version) },
  };
  const request: KubeRequest = {
    method: 'POST',
    path: `${places.object(kindOf('Pod'), namespace, name)}/eviction`,
    body: JSON.stringify(eviction),
  };
  const answer = await requests.write(request, [200, 201, 400, 403, 404, 409, 422, 429], signal);
  if (answer.status === 404 && isAbsentStatus(answer.body, kindOf('Pod'), name))
    return { is: 'gone' };
  if (answer.status === 404) throw notServed(requests, request);
  if (answer.status === 429 && !statusIn(answer.body)?.causes.includes('DisruptionBudget'))
    throw new KubeFailure(
      'source-unreachable',
      `${requests.server} takes no more requests now; nothing was changed. It is tried again.`,
    );
  if (answer.status >= 400) return refusedBy(answer);
  if (!statusIn(answer.body)) throw unknownOutcome(request, new Error('the answer does not say.'));
  const isGone = await get('Pod', namespace, name, signal).then(
    (left) => left?.metadata.uid !== uid,
    () => false,
  ); // not known is not deleted
  return { is: isGone ? 'gone' : 'terminating' };
}

async function patchObject(
  { requests, places, get }: Writing,
  version: ObjectVersion,
  patch: Parameters<Kubernetes['patch']>[1],
  signal: AbortSignal,
): ReturnType<Kubernetes['patch']> {
  const guards = [
    { op: 'test', path: '/metadata/uid', value: version.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: version.resourceVersion },
  ];
  const request: KubeRequest = {
    method: 'PATCH',
    path: places.object(kindOf(version.kind), version.namespace, version.name),
    body: JSON.stringify([...guards, ...patch]),
    contentType: 'application/json-patch+json',
  };
  const answer = await requests.write(request, [200, 400, 403, 404, 409, 422], signal);
  if (answer.status === 404 && isAbsentStatus(answer.body, kindOf(version.kind), version.name))
    return refused('conflict', answer.body, 'it is gone');
  if (answer.status === 404) throw notServed(requests, request);
  if (answer.status === 422 && (await isOther(get, version, signal)))
    return refused('conflict', answer.body, 'it is not in that version any more');
  if (answer.status >= 400) return refusedBy(answer);
  return { is: 'patched', object: written(requests, request, answer, version) };
}

async function createObject(
  { requests, places }: Writing,
  name: string,
  manifest: Parameters<Kubernetes['create']>[1],
  signal: AbortSignal,
): ReturnType<Kubernetes['create']> {
  const kind = kindOf(name);
  const metadata = isRecord(manifest['metadata']) ? manifest['metadata'] : {};
  const namespace = kind.namespaced ? String(metadata['namespace']) : undefined;
  const request: KubeRequest = {
    method: 'POST',
    path: places.collection(kind, namespace),
    body: JSON.stringify(manifest),
  };
  const answer = await requests.write(request, [200, 201, 202, 400, 403, 404, 409, 422], signal);
  if (
    answer.status === 404 &&
    !(namespace !== undefined && isAbsentStatus(answer.body, { resource: 'namespaces' }, namespace))
  )
    throw notServed(requests, request);
  if (answer.status === 409 && statusIn(answer.body)?.reason === 'AlreadyExists')
    return refused('exists', answer.body, 'there is one already');
  if (answer.status >= 400) return refusedBy(answer);
  return {
    is: 'created',
    object: written(requests, request, answer, {
      kind: name,
      name: String(metadata['name']),
      ...(namespace !== undefined && { namespace }),
    }),
  };
}

const notServed = ({ server }: KubernetesRequests, { method, path }: KubeRequest): Failure =>
  new KubeFailure(
    'source-not-served',
    `${method} ${path}: ${server} says that nothing is served there; nothing was changed. Check the versions the cluster serves.`,
  );

/** The object as it was answered. @throws Failure `outcome-unknown` when the answer holds none. */
function written(
  { server }: KubernetesRequests,
  request: KubeRequest,
  { body }: JsonAnswer,
  version: Omit<ObjectVersion, 'uid' | 'resourceVersion'>,
): KubernetesObject {
  try {
    return objectIn(body, kindOf(version.kind), version.namespace, version.name, server);
  } catch (error) {
    throw unknownOutcome(request, error as Error);
  }
}

const WHY: Readonly<Record<number, RefusedWrite['why']>> = {
  403: 'forbidden',
  409: 'conflict',
  429: 'blocked',
};

const refusedBy = ({ status, body }: JsonAnswer): RefusedWrite =>
  refused(WHY[status] ?? 'invalid', body, `it was answered with HTTP ${status}`);

/**
 * An object that was deleted waits for its finalizers, and a Pod for the kubelet that ends its
 * containers.
 */
const waitsFor = ({ metadata }: KubernetesObject): 'gone' | 'terminating' =>
  (metadata.finalizers ?? []).length > 0 ||
  (metadata.deletionTimestamp !== undefined &&
    Number(metadata['deletionGracePeriodSeconds'] ?? 0) > 0)
    ? 'terminating'
    : 'gone';

/**
 * A test that does not hold is answered like any patch that cannot be applied (HTTP 422): the
 * object shows which it was.
 */
async function isOther(
  get: Kubernetes['get'],
  { kind, namespace, name, uid, resourceVersion }: ObjectVersion,
  signal: AbortSignal,
): Promise<boolean> {
  const now = await get(kind, namespace, name, signal);
  return now?.metadata.uid !== uid || now.metadata.resourceVersion !== resourceVersion;
}
