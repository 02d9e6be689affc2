import { withSchemas } from './definitions';
import { HttpError } from './http';
import type { Api } from './api';
import { isDefinition, type KubernetesObject } from './objects';
import { waitUntilServed } from './serve';
import { inStorageOrder } from './storage';

/**
 * Creates objects through the API (replacing those that exist), definitions first, with their
 * status. The server gives them uids of its own and sets the times; owner references to objects of
 * the same call are rewritten. Gives the map from the old uids to the new.
 */
export async function applyObjects(
  api: Api,
  objects: readonly KubernetesObject[],
): Promise<ReadonlyMap<string, string>> {
  const uids = new Map<string, string>();
  const own = new Set(
    objects.map(({ metadata }) => metadata.uid).filter((uid) => uid !== undefined),
  );
  const definitions = objects.filter(isDefinition).map(withSchemas);
  for (const definition of definitions) await applyObject(api, definition, uids);
  await waitUntilServed(api, definitions, []);
  let waiting = inStorageOrder(objects.filter((object) => !isDefinition(object)));
  while (waiting.length > 0) {
    // Owners before those they own: what refers to an object still waiting waits too.
    const ready = waiting.filter(({ metadata }) =>
      (metadata.ownerReferences ?? []).every(({ uid }) => !own.has(uid) || uids.has(uid)),
    );
    if (ready.length === 0)
      throw new Error(
        `objects own each other in a circle: ${waiting.map(({ metadata }) => metadata.name).join(', ')}`,
      );
    for (const object of ready) await applyObject(api, object, uids);
    waiting = waiting.filter((object) => !ready.includes(object));
  }
  return uids;
}

async function applyObject(
  api: Api,
  object: KubernetesObject,
  uids: Map<string, string>,
): Promise<void> {
  const paths = await api.paths(object);
  const wanted = withoutServerFields(object, uids);
  const made = await createOrReplace(api, paths, wanted);
  if (object.metadata.uid !== undefined && made.metadata.uid !== undefined)
    uids.set(object.metadata.uid, made.metadata.uid);
  // A definition's status is the server's own: it writes there what it accepted.
  if (object['status'] === undefined || isDefinition(object)) return;
  try {
    await api.send('PUT', `${paths.object}/status`, {
      ...wanted,
      metadata: { ...wanted.metadata, resourceVersion: made.metadata.resourceVersion },
    });
  } catch (error) {
    // A kind without that subresource keeps its status as part of the object, where it was just
    // written.
    if (!(error instanceof HttpError && [404, 405].includes(error.status))) throw error;
  }
}

async function createOrReplace(
  api: Api,
  paths: { collection: string; object: string },
  wanted: KubernetesObject,
): Promise<KubernetesObject> {
  const current = await getOrUndefined(api, paths.object);
  if (current === undefined)
    return (await api.send('POST', paths.collection, wanted)) as KubernetesObject;
  const metadata = { ...wanted.metadata, resourceVersion: current.metadata.resourceVersion };
  return (await api.send('PUT', paths.object, { ...wanted, metadata })) as KubernetesObject;
}

async function getOrUndefined(api: Api, path: string): Promise<KubernetesObject | undefined> {
  try {
    return (await api.get(path)) as KubernetesObject;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/** What the server sets itself. A recorded uid would be refused on update and ignored on create. */
const SERVER_FIELDS = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'selfLink',
]);

function withoutServerFields(
  object: KubernetesObject,
  uids: ReadonlyMap<string, string>,
): KubernetesObject {
  const kept = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !SERVER_FIELDS.has(field)),
  );
  const owners = object.metadata.ownerReferences?.map((owner) => ({
    ...owner,
    uid: uids.get(owner.uid) ?? owner.uid,
  }));
  return {
    ...object,
    metadata: {
      ...kept,
      name: object.metadata.name,
      ...(owners === undefined ? {} : { ownerReferences: owners }),
    },
  };
}
