import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAsLeader } from '@ovn-steward/collector';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { recording } from '@ovn-steward/testbed/recordings';
import { steward } from '../testing/cli';
import { ROOT } from '../testing/pages';

const TOKEN = 'token-of-the-service-account';
const COLLECTIONS: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/namespaces/ovn-steward/serviceaccounts',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/ovn-steward/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/ovn-steward/rolebindings',
};

describeWith(kubernetes, 'an account with deploy/rbac.yaml', () => {
  let cluster: KubernetesServer;
  let folder = '';
  let kubeconfig = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-rbac-'));
    cluster = await startKubernetes({
      recording: recording('leaky', 'kubernetes.json'),
      rbac: true,
      users: [{ name: 'system:serviceaccount:ovn-steward:ovn-steward', token: TOKEN }],
    });
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        clusters: [
          {
            name: 'c',
            cluster: {
              server: cluster.url,
              'certificate-authority-data': Buffer.from(cluster.ca).toString('base64'),
            },
          },
        ],
        users: [{ name: 'u', user: { token: TOKEN } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      }),
    );
    for (const document of readFileSync(join(ROOT, 'deploy/rbac.yaml'), 'utf8').split(/^---$/m)) {
      const kind = /^kind: (\w+)$/m.exec(document)?.[1] ?? '';
      expect(
        await statusOf(cluster, 'POST', COLLECTIONS[kind] ?? kind, cluster.token, document),
      ).toBe(201);
    }
  }, 120_000);
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  const audit = async (
    as: string,
  ): Promise<{ kinds: { kind: string; state: string; reason?: string }[]; findings: string[] }> => {
    const { stdout } = await steward([
      'audit',
      '--output',
      'json',
      '--ovn-nb',
      join(ROOT, 'examples/recordings/leaky/nb.db'),
      '--kubernetes',
      as,
    ]);
    const document = JSON.parse(stdout) as {
      sources: { id: string; kinds: { kind: string; state: string; reason?: string }[] }[];
      findings: { id: string }[];
    };
    return {
      kinds: document.sources.find((it) => it.id === 'kubernetes')!.kinds,
      findings: document.findings.map((it) => it.id).sort(),
    };
  };

  test('sees what an administrator sees: no kind is kept from it', async () => {
    const [reader, administrator] = [await audit(kubeconfig), await audit(cluster.kubeconfig)];
    const kept = reader.kinds.filter((it) => it.state !== 'complete');
    // The recording was made without its definition.
    expect(kept).toMatchObject([{ kind: 'ClusterNetworkPolicy', reason: 'not-served' }]);
    expect(reader.kinds).toEqual(administrator.kinds);
    expect(reader.findings).toEqual(administrator.findings);
    expect(reader.findings.length).toBeGreaterThan(0);
  }, 60_000);

  test.each([
    ['GET', '/api/v1/secrets'],
    ['GET', '/api/v1/namespaces/shop/secrets'],
    ['POST', '/api/v1/namespaces/shop/pods'],
    ['DELETE', '/apis/kubeovn.io/v1/ips/cart-t9rwgwf9kf-4z97p.shop'],
    ['DELETE', '/api/v1/namespaces/shop'],
    ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
    ['POST', '/apis/coordination.k8s.io/v1/namespaces/shop/leases'],
    ['PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-ovn-controller'],
    ['DELETE', '/apis/coordination.k8s.io/v1/namespaces/ovn-steward/leases/any'],
    ['POST', '/api/v1/namespaces/ovn-steward/configmaps'],
  ])('may not %s %s', async (method, path) => {
    const document = method === 'POST' || method === 'PUT' ? 'metadata:\n  name: x\n' : undefined;
    expect(await statusOf(cluster, method, path, TOKEN, document)).toBe(403);
  });

  test('may take its turn by a Lease in its own namespace', async () => {
    const lease = {
      access: kubeAccess({ kubeconfig }),
      namespace: 'ovn-steward',
      name: 'ovn-steward-collector-default',
      identity: 'one',
      durationMs: 15_000,
    };
    const terms: number[] = [];
    const events: string[] = [];
    for (let turn = 0; turn < 2; turn++)
      await runAsLeader(
        { ...lease, onEvent: (it) => events.push(it.type) },
        async (term) => void terms.push(term),
        new AbortController().signal,
      );
    expect([terms, events]).toEqual([
      [1, 2],
      ['leading', 'released', 'leading', 'released'],
    ]);
  });
});

/** The status of one request whose body, if any, is YAML, as kubectl would send the file. */
function statusOf(
  { url, ca }: KubernetesServer,
  method: string,
  path: string,
  token: string,
  yaml?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(yaml === undefined ? {} : { 'content-type': 'application/yaml' }),
    };
    request(`${url}${path}`, { method, ca, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(yaml);
  });
}
