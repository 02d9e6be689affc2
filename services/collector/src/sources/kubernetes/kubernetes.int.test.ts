import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  crdNameOf,
  KUBERNETES_KINDS,
  kubernetesKind,
  type KubernetesKind,
} from '@ovn-steward/shared/kinds';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { startKubernetes, type KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { recording } from '@ovn-steward/testbed/recordings';
import { makeAuthority } from '@ovn-steward/testbed/run/certificates';
import { parse, stringify } from 'yaml';
import { parseKubernetesJson } from '@ovn-steward/systems/projections/parse-kubernetes-json';
import { project } from '@ovn-steward/systems/projections/project';
import { CuttableProxy } from './testing/cuttable-proxy';
import { following } from './testing/following';
import { until } from './testing/reflecting';

interface Raw {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly namespace?: string };
}

const LEAKY = recording('leaky', 'kubernetes.json');
const recorded = (parseKubernetesJson(readFileSync(LEAKY, 'utf8')) as { items: Raw[] }).items;
const only = (...names: string[]): KubernetesKind[] =>
  names.map((it) => kubernetesKind(it) as KubernetesKind);

/** The revision is the server's own. */
function withoutRevision(object: Record<string, unknown>): unknown {
  const { resourceVersion: _, ...metadata } = object['metadata'] as Record<string, unknown>;
  return { ...object, metadata };
}

const lease = (name: string) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace: 'default' },
});
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

describeWith(kubernetes, 'a Kubernetes source on a real API server', () => {
  let server: KubernetesServer;
  let folder: string;
  let proxy: CuttableProxy | undefined;
  let follower: ReturnType<typeof following> | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kube-source-'));
    server = await startKubernetes({
      rbac: true,
      recording: LEAKY,
      users: [{ name: 'reader', token: 'reader-token' }],
    });
  }, 180_000);
  afterEach(async () => {
    await follower?.stop();
    proxy?.stop();
    follower = proxy = undefined;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server?.stop();
  });

  /** The fixture's kubeconfig with another server or user. */
  function kubeconfig(change: { server?: string; user?: object; ca?: string }): string {
    const config = parse(readFileSync(server.kubeconfig, 'utf8')) as {
      clusters: { cluster: Record<string, unknown> }[];
      users: { user: object }[];
    };
    Object.assign(
      config.clusters[0]?.cluster ?? {},
      change.server ? { server: change.server } : {},
      change.ca ? { 'certificate-authority-data': Buffer.from(change.ca).toString('base64') } : {},
    );
    if (change.user && config.users[0]) config.users[0].user = change.user;
    const file = join(folder, `config-${Math.random()}`);
    writeFileSync(file, stringify(config));
    return file;
  }

  test('shows all kinds as they were recorded, and says which are not served', async () => {
    follower = following(server.kubeconfig);
    await until(follower.settled, 'every kind is complete or unavailable', 30_000);
    const definitions = new Set(
      recorded.filter((it) => it.kind === 'CustomResourceDefinition').map((it) => it.metadata.name),
    );
    for (const kind of KUBERNETES_KINDS) {
      const { objects, unavailable } = follower.of(kind.kind);
      const crd = crdNameOf(kind);
      expect({ kind: kind.kind, unavailable }).toEqual({
        kind: kind.kind,
        unavailable: crd && !definitions.has(crd) ? 'not-served' : undefined,
      });
      for (const raw of recorded.filter((it) => it.kind === kind.kind)) {
        const seen = objects.get(raw.metadata.uid);
        expect(seen && withoutRevision(seen)).toEqual(
          withoutRevision(project(kind.kind, raw).object),
        );
      }
    }
    expect(follower.of('Pod').objects.size).toBe(recorded.filter((it) => it.kind === 'Pod').length);
    expect(follower.of('IP').objects.size).toBe(recorded.filter((it) => it.kind === 'IP').length);
  });

  test('follows what is made, changed, removed and made again', async () => {
    follower = following(server.kubeconfig, only('Lease'), { pageSize: 1 });
    const { of } = follower;
    await until(follower.settled, 'complete', 10_000);
    const named = () =>
      [...of('Lease').objects.values()].filter(
        (it) => (it['metadata'] as Raw['metadata']).name === 'followed',
      );
    const made = (await server.api.send('POST', LEASES, lease('followed'))) as Raw;
    await until(() => named().length === 1);
    await server.api.send('DELETE', `${LEASES}/followed`);
    const again = (await server.api.send('POST', LEASES, lease('followed'))) as Raw;
    await until(() => of('Lease').objects.has(again.metadata.uid));
    expect(of('Lease').objects.has(made.metadata.uid)).toBe(false);
    expect(named()).toHaveLength(1);
    await server.api.send('DELETE', `${LEASES}/followed`);
    await until(() => named().length === 0);
    expect(of('Lease').count('begin')).toBe(1);
  });

  test('reports at the end of each watch that nothing happened', async () => {
    follower = following(server.kubeconfig, only('Subnet', 'Node'), { watchSeconds: [6, 6] });
    const { of } = follower;
    await until(
      () => of('Subnet').count('progress') > 1 && of('Node').count('progress') > 1,
      'progress',
      20_000,
    ); // one each is the list's
    expect(of('Subnet').count('begin')).toBe(1);
  });

  test('goes on in time where nothing happens and the server says nothing, in every kind', async () => {
    follower = following(
      server.kubeconfig,
      KUBERNETES_KINDS,
      { pageSize: 20, silence: 1_500, stableAfter: 1_000 },
      2_000,
    );
    const { of, reports, settled } = follower;
    await until(settled, 'settled', 30_000);
    const read = KUBERNETES_KINDS.filter((it) => of(it.kind).count('complete') > 0);
    const before = Date.now();
    const moved = (kind: string): boolean =>
      of(kind).log.some((it) => it.type === 'progress' && Date.parse(it.through) > before);
    await until(() => read.every((it) => moved(it.kind)), 'every watermark moved', 15_000);
    const notServed = KUBERNETES_KINDS.length - read.length;
    expect(reports.length).toBe(notServed);
    for (const { kind } of read) {
      const rest = of(kind).log.slice(of(kind).log.findIndex((it) => it.type === 'complete') + 1);
      expect({ kind, types: [...new Set(rest.map((it) => it.type))] }).toEqual({
        kind,
        types: ['progress'],
      });
    }
  });

  test('makes good what it missed while it was away and history was compacted', async () => {
    proxy = new CuttableProxy(Number(new URL(server.url).port));
    follower = following(
      kubeconfig({ server: `https://127.0.0.1:${await proxy.start()}` }),
      only('Lease'),
    );
    const { of, reports } = follower;
    for (const name of ['stays', 'goes']) await server.api.send('POST', LEASES, lease(name));
    const names = () =>
      [...of('Lease').objects.values()].map((it) => (it['metadata'] as Raw['metadata']).name);
    await until(
      () => of('Lease').count('complete') === 1 && names().includes('goes'),
      'complete',
      10_000,
    );
    proxy.cut();
    await server.api.send('DELETE', `${LEASES}/goes`);
    await server.api.send('POST', LEASES, lease('came'));
    await server.compactEtcd();
    await server.restart(); // its cache remembered what etcd forgot
    expect(names()).toContain('goes');
    proxy.mend();
    await until(() => names().includes('came'), 'caught up', 20_000);
    expect(names()).not.toContain('goes');
    expect(names()).toContain('stays');
    expect(of('Lease').count('complete')).toBe(2);
    expect(of('Lease').count('gone')).toBe(0);
    expect(reports.join('\n')).toMatch(/410|too old resource version/i);
    for (const name of ['stays', 'came']) await server.api.send('DELETE', `${LEASES}/${name}`);
  });

  test('says what it may not read, and reads it once it may', async () => {
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
    const role = (resources: string[]) => ({
      ...rbac,
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources, verbs: ['list', 'watch'] }],
    });
    await server.api.send(
      'POST',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      role(['nodes']),
    );
    await server.api.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      ...rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'User', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    follower = following(kubeconfig({ user: { token: 'reader-token' } }), only('Node', 'Pod'));
    const { of } = follower;
    await until(
      () => of('Node').count('complete') === 1 && of('Pod').unavailable === 'forbidden',
      'settled',
      20_000,
    );
    expect(of('Pod').log[0]).toMatchObject({
      detail: expect.stringContaining('User "reader" cannot list resource "pods"'),
    });
    await server.api.send(
      'PUT',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/reader',
      role(['nodes', 'pods']),
    );
    await until(() => of('Pod').unavailable === undefined, 'readable', 20_000);
    expect(of('Pod').objects.size).toBe(recorded.filter((it) => it.kind === 'Pod').length);
  });

  test('reads a kind as soon as its definition is there, and knows nothing of it when it is not', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'router-lb-rules.kubeovn.io' },
      spec: {
        group: 'kubeovn.io',
        scope: 'Cluster',
        names: {
          kind: 'RouterLBRule',
          plural: 'router-lb-rules',
          singular: 'router-lb-rule',
          listKind: 'RouterLBRuleList',
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    };
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await server.api.send('DELETE', `${path}/router-lb-rules.kubeovn.io`).catch(() => undefined);
    follower = following(server.kubeconfig, only('CustomResourceDefinition', 'RouterLBRule'), {
      slowRetry: 3600_000,
    });
    const { of } = follower;
    await until(
      () =>
        of('CustomResourceDefinition').count('complete') === 1 &&
        of('RouterLBRule').unavailable === 'not-served',
      'not served',
      20_000,
    );
    await server.api.send('POST', path, definition);
    await until(() => of('RouterLBRule').unavailable === undefined, 'served', 20_000);
    await server.api.send('POST', '/apis/kubeovn.io/v1/router-lb-rules', {
      apiVersion: 'kubeovn.io/v1',
      kind: 'RouterLBRule',
      metadata: { name: 'edge' },
      spec: {},
    });
    await until(() => of('RouterLBRule').objects.size === 1, 'followed', 10_000);
    await server.api.send('DELETE', `${path}/router-lb-rules.kubeovn.io`);
    await until(() => of('RouterLBRule').unavailable === 'not-served', 'not served again', 30_000);
  });

  test('says in one sentence why it cannot read at all', async () => {
    const sentences: Record<string, string> = {};
    const port = new URL(server.url).port;
    const cases = {
      token: kubeconfig({ user: { token: 'wrong' } }),
      ca: kubeconfig({ ca: makeAuthority('somebody else').certificate }),
      port: kubeconfig({ server: 'https://127.0.0.1:1' }),
      name: kubeconfig({ server: `https://localhost.invalid:${port}` }),
    };
    for (const [name, file] of Object.entries(cases)) {
      const { of, stop } = following(file, only('Node'));
      await until(() => of('Node').unavailable !== undefined, name, 10_000);
      const reported = of('Node').log[0];
      sentences[name] =
        reported?.type === 'unavailable' ? `${reported.reason}: ${reported.detail}` : '';
      await stop();
    }
    expect(sentences).toEqual({
      token:
        'forbidden: GET /api/v1/nodes was answered with HTTP 401: Unauthorized. The credentials are not accepted: renew the token or certificate of this kubeconfig user.',
      ca: expect.stringMatching(
        /^unreachable: The certificate of https:\/\/127\.0\.0\.1:\d+ is not accepted \(\w+\): give the right certificate authority in the kubeconfig\.$/,
      ),
      port: 'unreachable: https://127.0.0.1:1 does not answer (ECONNREFUSED): check the address and that the API server runs.',
      name: expect.stringMatching(
        /^unreachable: https:\/\/localhost\.invalid:\d+ does not answer \((ENOTFOUND|EAI_AGAIN)\): check the address and that the API server runs\.$/,
      ),
    });
  });
});
