import { readFileSync } from 'node:fs';
import { describeWith, kubernetes } from './fixture';
import { startKubernetes, type KubernetesServer } from './kubernetes';
import { makeApi, type Api } from './kubernetes/api';
import { HttpError } from './kubernetes/http';
import { describeObject, isDefinition, type KubernetesObject } from './kubernetes/objects';
import { readRecordedObjects } from './kubernetes/recorded';
import { KUBERNETES_VERSION } from './provision/kube-apiserver';
import { recording } from './recordings';
import { waitFor } from './run/wait';

const LEAKY = recording('leaky', 'kubernetes.json');

/**
 * Without what the server sets again: its revision, and defaults of the definitions, whose schemas
 * were not recorded.
 */
function comparable(object: KubernetesObject): unknown {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return isDefinition(object) ? { metadata } : { ...object, metadata };
}

async function expectServed(
  server: KubernetesServer,
  objects: readonly KubernetesObject[],
): Promise<void> {
  for (const object of objects) {
    const live = (await server.api.get(
      (await server.api.paths(object)).object,
    )) as KubernetesObject;
    expect({ of: describeObject(object), ...(comparable(live) as object) }).toEqual({
      of: describeObject(object),
      ...(comparable(object) as object),
    });
  }
}

interface Listed {
  readonly kinds: readonly {
    readonly apiVersion: string;
    readonly resource: string;
    readonly count: number;
  }[];
}

describeWith(kubernetes, 'a Kubernetes API server started with a recording', () => {
  let server: KubernetesServer;

  beforeAll(async () => {
    server = await startKubernetes({ recording: LEAKY });
  });

  afterAll(() => server?.stop());

  test('serves every recorded object as it was, uid, times and status included', async () => {
    const objects = readRecordedObjects(LEAKY);
    expect(objects.length).toBeGreaterThan(300);
    await expectServed(server, objects);
  });

  test('serves nothing else of those kinds', async () => {
    const { kinds } = JSON.parse(readFileSync(recording('leaky', 'listed.json'), 'utf8')) as Listed;
    const counts: Record<string, number> = {};
    for (const { apiVersion, resource } of kinds) {
      const { items } = (await server.api.get(
        `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/${resource}`,
      )) as { items: unknown[] };
      counts[resource] = items.length;
    }
    expect(counts).toEqual(
      Object.fromEntries(kinds.map(({ resource, count }) => [resource, count])),
    );
  });
});

describeWith(kubernetes, 'an empty Kubernetes API server that checks rights', () => {
  let server: KubernetesServer;
  let reader: Api;

  beforeAll(async () => {
    server = await startKubernetes({
      rbac: true,
      users: [{ name: 'reader', token: 'reader-token' }],
    });
    reader = makeApi({ url: server.url, ca: server.ca, token: 'reader-token' });
  });

  afterAll(async () => {
    reader?.close();
    await server?.stop();
  });

  const status = async (work: Promise<unknown>): Promise<number> => {
    try {
      await work;
      return 200;
    } catch (error) {
      if (error instanceof HttpError) return error.status;
      throw error;
    }
  };

  test('names its version', async () => {
    expect(await server.api.get('/version')).toMatchObject({ gitVersion: KUBERNETES_VERSION });
  });

  test('lets a user do what a role grants, and no more', async () => {
    expect(await status(reader.get('/api/v1/pods'))).toBe(403);
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
    await server.apply([
      { ...rbac, kind: 'ClusterRole', metadata: { name: 'pods' }, rules },
      {
        ...rbac,
        kind: 'ClusterRoleBinding',
        metadata: { name: 'pods' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'pods' },
        subjects: [{ kind: 'User', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    ]);
    await waitFor(async () => (await status(reader.get('/api/v1/pods'))) === 200, {
      what: 'the role to count',
      timeoutMs: 10_000,
    });
    expect(await status(reader.get('/api/v1/nodes'))).toBe(403);
    expect(
      await status(makeApi({ url: server.url, ca: server.ca, token: 'nobody' }).get('/api')),
    ).toBe(401);
  });

  test('takes recorded objects through the API, with status and owners, and says their new uids', async () => {
    const objects = readRecordedObjects(LEAKY);
    const uids = await server.apply(objects);
    expect(uids.size).toBe(objects.length);
    for (const object of objects.filter(({ kind }) => ['Pod', 'Subnet', 'IP'].includes(kind))) {
      const live = (await server.api.get(
        (await server.api.paths(object)).object,
      )) as KubernetesObject;
      expect(live.metadata.uid).toBe(uids.get(object.metadata.uid ?? ''));
      expect(live['status']).toEqual(object['status']);
      expect(live.metadata['finalizers']).toEqual(object.metadata['finalizers']);
      expect(live.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(
        object.metadata.ownerReferences?.map(({ uid }) => uids.get(uid) ?? uid),
      );
    }
  });

  test('takes a recording while it runs, in place of what is there', async () => {
    await server.loadRecording(LEAKY);
    await expectServed(server, readRecordedObjects(LEAKY));
  });

  test('answers 410 to a list continued from before a compaction', async () => {
    const first = (await server.api.get('/api/v1/pods?limit=5')) as {
      metadata: { continue: string };
    };
    const next = `/api/v1/pods?limit=5&continue=${encodeURIComponent(first.metadata.continue)}`;
    expect(await status(server.api.get(next))).toBe(200);
    await server.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'newer', namespace: 'default' } },
    ]);
    await server.compactEtcd();
    expect(await status(server.api.get(next))).toBe(410);
  });

  test('keeps its objects and address over a crash and a restart, and has a watch from before start again', async () => {
    const { metadata } = (await server.api.get('/api/v1/configmaps?limit=1')) as {
      metadata: { resourceVersion: string };
    };
    await server.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'newest', namespace: 'default' } },
    ]);
    await server.compactEtcd();
    const watch = `/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`;
    expect(await server.api.get(watch)).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'newest' } },
    });
    await server.kill();
    await expect(server.api.get('/api')).rejects.not.toBeInstanceOf(HttpError);
    await server.restart();
    expect(await server.api.get('/api/v1/namespaces/default/configmaps/newer')).toMatchObject({
      metadata: { name: 'newer' },
    });
    expect(await server.api.get(watch)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  });
});
