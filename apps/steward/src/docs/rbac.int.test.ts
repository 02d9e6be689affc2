import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAsLeader } from '@ovn-steward/collector';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { steward } from '../testing/cli';
import { ROOT } from '../testing/pages';

const TOKEN = 'token-of-the-service-account';
const READER = 'system:serviceaccount:ovn-steward:ovn-steward';
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
      users: [{ name: READER, token: TOKEN }],
    });
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigText(cluster.url, cluster.ca, TOKEN));
    for (const document of readFileSync(join(ROOT, 'deploy/rbac.yaml'), 'utf8').split(/^---$/m)) {
      const kind = /^kind: (\w+)$/m.exec(document)?.[1] ?? '';
      expect(
        await statusOf(cluster, 'POST', COLLECTIONS[kind] ?? kind, cluster.token, document),
      ).toBe(201);
    }
  });
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
    const reader = await audit(kubeconfig);
    const administrator = await audit(cluster.kubeconfig);
    const kept = reader.kinds.filter((it) => it.state !== 'complete');
    // The recording was made without its definition.
    expect(kept).toMatchObject([{ kind: 'ClusterNetworkPolicy', reason: 'not-served' }]);
    expect(reader.kinds).toEqual(administrator.kinds);
    expect(reader.findings).toEqual(administrator.findings);
    expect(reader.findings.length).toBeGreaterThan(0);
  });

  const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/ovn-steward-read';
  interface Rule {
    readonly apiGroups: readonly [string];
    readonly resources: readonly string[];
  }
  interface Role {
    readonly metadata: object;
    readonly rules: readonly Rule[];
  }
  /** Settles when the server lets the account list these, or does not. */
  const listed = ({ apiGroups: [group], resources: [resource] }: Rule, allowed: boolean) =>
    waitFor(
      async () => {
        const review = (await cluster.api.send(
          'POST',
          '/apis/authorization.k8s.io/v1/subjectaccessreviews',
          {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SubjectAccessReview',
            spec: { user: READER, resourceAttributes: { group, resource, verb: 'list' } },
          },
        )) as { status: { allowed: boolean } };
        return review.status.allowed === allowed;
      },
      { what: `${resource} to be ${allowed ? 'allowed' : 'refused'}`, timeoutMs: 20_000 },
    );
  const kindsOf = ({ apiGroups: [group], resources }: Rule): string[] =>
    KUBERNETES_KINDS.filter((it) => it.group === group && resources.includes(it.resource))
      .map((it) => it.kind)
      .sort();

  /** Of a kind that is not served: without the right to see definitions nobody can tell. */
  const untold = ({ apiGroups: [group] }: Rule): readonly string[] =>
    group === 'apiextensions.k8s.io' ? ['ClusterNetworkPolicy'] : [];

  test('each right taken away is a kind that is named, and no right is for another', async () => {
    const { metadata, rules, ...role } = (await cluster.api.get(ROLE)) as Role;
    const name = (metadata as { name: string }).name;
    const put = (kept: readonly Rule[]) =>
      cluster.api.send('PUT', ROLE, { ...role, metadata: { name }, rules: kept });
    expect(rules.flatMap(kindsOf).sort()).toEqual(KUBERNETES_KINDS.map((it) => it.kind).sort());
    for (const rule of rules) {
      await put(rules.filter((it) => it !== rule));
      await listed(rule, false);
      const { kinds } = await audit(kubeconfig);
      expect(
        kinds
          .filter((it) => it.reason === 'forbidden')
          .map((it) => it.kind)
          .sort(),
      ).toEqual([...untold(rule), ...kindsOf(rule)]);
      await put(rules);
      await listed(rule, true);
    }
  }, 240_000);

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
