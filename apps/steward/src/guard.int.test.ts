import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchDenials } from '@ovn-steward/guard/watch-denials';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { startKubernetes, type KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { kubernetesOf } from './inputs/kubernetes';
import { startSteward, steward } from './testing/cli';
import { ROOT } from './testing/pages';

const GUARD = 'ovn-steward.dev/vpc-guard';
const USERS = [
  { name: 'system:serviceaccount:ovn-steward:ovn-steward-guard', token: 'guard' },
  { name: 'installer', token: 'installer' },
  { name: 'nobody', token: 'nobody' },
];

interface Status {
  readonly policies: readonly {
    readonly id: string;
    readonly is: string;
    readonly refused: number | null;
  }[];
  readonly waiting:
    readonly { readonly name: string; readonly subnets: readonly string[] }[] | null;
}

describeWith(kubernetes, 'steward guard on kube-apiserver, under its roles', () => {
  let server: KubernetesServer;
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-guard-'));
    server = await startKubernetes({
      recording: recording('shared-neutron', 'kubernetes.json'),
      rbac: true,
      users: USERS,
    });
    await server.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-steward' } },
    ]);
    const roles = ['rbac-guard.yaml', 'rbac-pods.yaml'].flatMap((name) =>
      parseAllDocuments(readFileSync(join(ROOT, 'deploy', name), 'utf8'))
        .map((it) => it.toJS() as KubernetesObject)
        .filter((it) => !it.kind.startsWith('ValidatingAdmissionPolicy')),
    );
    await server.apply([
      ...roles,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'installer' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'ovn-steward-guard-install',
        },
        subjects: [{ kind: 'User', name: 'installer', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    ]);
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const as = (token: string): string[] => {
    const file = join(folder, `as-${token}`);
    writeFileSync(file, kubeconfigText(server.url, server.ca, token));
    return ['--kubernetes', file];
  };
  const guard = (...args: string[]) => steward(['guard', ...args, ...as('installer')]);
  const status = async (): Promise<Status & { code: number | null }> => {
    const { code, stdout, stderr } = await guard('status', '--output', 'json');
    if (stdout === '') throw new Error(stderr);
    return { ...(JSON.parse(stdout) as Status), code };
  };
  const path = (kind: 'vpcs' | 'subnets', name: string): string =>
    `/apis/kubeovn.io/v1/${kind}/${name}`;
  const vpc = async (name: string) =>
    (await server.api.get(path('vpcs', name))) as KubernetesObject;
  const policies = async (): Promise<number> =>
    (
      (await server.api.get(
        '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      )) as { items: unknown[] }
    ).items.length;

  test('shows what it would write, and writes nothing until asked to', async () => {
    const before = await policies();
    for (const args of [['install'], ['install', '--dry-run', '--yes']]) {
      expect(await guard(...args)).toMatchObject({
        code: 2,
        stderr: '',
        stdout: expect.stringMatching(
          /vpc-with-subnets: Refuses to delete[\s\S]*kind: ValidatingAdmissionPolicyBinding[\s\S]*Nothing was written/,
        ),
      });
    }
    expect(await policies()).toBe(before);
    expect(await status()).toMatchObject({ code: 2, waiting: [] });
  });

  test('without the rights it says which one is missing', async () => {
    const refused = await steward(['guard', 'install', '--yes', ...as('nobody')]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^steward: .*forbidden/),
    });
    expect(refused.stderr).not.toContain('unexpected');
  });

  test('installs, once, and the API server refuses and counts', async () => {
    expect(await guard('install', '--yes')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Written: '),
    });
    expect(await guard('install', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to write.'),
    });
    await waitFor(
      async () =>
        (
          await server.api.send('DELETE', `${path('vpcs', 'tenant-a-vpc')}?dryRun=All`).then(
            () => '',
            (error: Error) => error.message,
          )
        ).includes('still has subnets'),
      { what: 'it to be in force', timeoutMs: 30_000 },
    );
    await expect(server.api.send('DELETE', path('vpcs', 'tenant-a-vpc'))).rejects.toThrow(
      'Vpc tenant-a-vpc still has subnets: ta-db, ta-web. Delete them first.',
    );
    await expect(server.api.send('DELETE', path('vpcs', 'edge-lr'))).rejects.toThrow(
      'edge-lr mirrors a router',
    );
    const { code, policies: all } = await status();
    expect(code).toBe(0);
    expect(all.map((it) => [it.id, it.is])).toEqual([
      ['external-vpc', 'installed'],
      ['own-pod-patches', 'absent'],
      ['pod-gate', 'absent'],
      ['pod-subnet', 'absent'],
      ['vpc-with-subnets', 'installed'],
    ]);
    expect(all.find((it) => it.id === 'vpc-with-subnets')!.refused).toBeGreaterThanOrEqual(2);
    expect(all.find((it) => it.id === 'external-vpc')!.refused).toBe(1);
    const { stdout } = await steward(['guard', 'status', ...as('installer')]);
    expect(stdout).toMatch(/vpc-with-subnets +installed +\d+ refused\. Refuses to delete/);
  });

  test('what is refused while a guard runs becomes an Event on the policy', async () => {
    const client = kubernetesOf({ kubernetes: as('guard')[1]! });
    const stop = new AbortController();
    const counts: number[] = [];
    const failures: string[] = [];
    const ended = watchDenials(
      {
        kubernetes: client,
        everyMs: 100,
        onEvent: (event) => {
          if (event.type === 'guard-denials') counts.push(event.denials.get('external-vpc')!);
          else if (event.type === 'guard-failed') failures.push(event.error);
        },
      },
      stop.signal,
    );
    const events = async () =>
      (
        (await server.api.get('/apis/events.k8s.io/v1/namespaces/default/events')) as {
          items: { type: string; reason: string; regarding: object; note: string }[];
        }
      ).items.filter((it) => it.reason === 'DeletionRefused');
    try {
      await waitFor(() => counts.length > 1, {
        what: 'the guard to have counted',
        timeoutMs: 30_000,
      });
      expect(await events()).toEqual([]); // what was refused before it counted is not new
      for (let i = 0; i < 2; i++)
        await expect(server.api.send('DELETE', path('vpcs', 'edge-lr'))).rejects.toThrow(
          'edge-lr mirrors a router',
        );
      await waitFor(() => counts.at(-1) === counts[0]! + 2, {
        what: 'the server to have counted them',
        timeoutMs: 20_000,
      });
      const reported = await waitFor(
        async () => {
          const all = await events();
          return (
            all.reduce(
              (sum, { note }) =>
                sum + Number(/refused (one|\d+) request/.exec(note)![1]!.replace('one', '1')),
              0,
            ) === 2 && all
          );
        },
        { what: 'Events about both', timeoutMs: 20_000 },
      );
      const {
        metadata: { uid },
      } = (await server.api.get(
        '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/ovn-steward-external-vpc',
      )) as { metadata: { uid: string } };
      for (const event of reported) {
        expect(event).toMatchObject({
          type: 'Warning',
          regarding: {
            kind: 'ValidatingAdmissionPolicy',
            apiVersion: 'admissionregistration.k8s.io/v1',
            name: 'ovn-steward-external-vpc',
            uid,
          },
        });
        expect(event.note).toMatch(
          /^By this policy the API server that was started at 20\d\d-\S+Z refused .+ since 20\d\d-\S+Z, dry runs counted in\. The policy: Refuses to delete a Vpc that mirrors/,
        );
      }
    } finally {
      stop.abort();
      await ended;
      await client.close();
    }
    expect(failures).toEqual([]);
  });

  test('what is done to pods is installed only by name', async () => {
    expect(await guard('install', 'pod-subnet', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Written: pod-subnet.'),
    });
    expect((await status()).policies.map((it) => it.is)).toEqual([
      'installed',
      'absent',
      'absent',
      'installed',
      'installed',
    ]);
    expect(await guard('remove', 'pod-subnet', '--yes')).toMatchObject({ code: 0 });
    expect((await status()).policies.map((it) => it.is)).toEqual([
      'installed',
      'absent',
      'absent',
      'absent',
      'installed',
    ]);
  });

  test('who may read nothing learns that nothing is known', async () => {
    await server.apply([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'only-the-system' },
        rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'only-the-system' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'only-the-system',
        },
        subjects: [{ kind: 'User', name: 'nobody', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    ]);
    const seen = await waitFor(
      async () => {
        const outcome = await steward(['guard', 'status', '--output', 'json', ...as('nobody')]);
        return outcome.stdout === '' ? undefined : outcome;
      },
      { what: 'the role', timeoutMs: 20_000 },
    );
    expect(seen.code).toBe(3);
    expect(JSON.parse(seen.stdout)).toMatchObject({
      waiting: null,
      policies: expect.arrayContaining([expect.objectContaining({ is: 'unknown', refused: null })]),
    });
  });

  test('run alone, it holds a Vpc that Kube-OVN does not, says what for, and frees it', async () => {
    const theirs = await Promise.all(['tenant-b-vpc', 'ovn-cluster', 'edge-lr'].map(vpc));
    await server.apply([
      { apiVersion: 'kubeovn.io/v1', kind: 'Vpc', metadata: { name: 'old' }, spec: {} },
      {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Subnet',
        metadata: { name: 'old-web' },
        spec: { vpc: 'old', cidrBlock: '10.99.0.0/24' },
      },
    ]);
    const child = startSteward(['guard', 'run', ...as('guard')]);
    let said = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    try {
      await waitFor(async () => (await vpc('old')).metadata['finalizers'] !== undefined, {
        what: 'our finalizer',
        timeoutMs: 30_000,
      });
      await server.api.send('DELETE', path('vpcs', 'old')); // its status lists no subnets: no policy refuses it
      await waitFor(() => said.includes('for the subnet old-web'), {
        what: 'it to say what it waits for',
        timeoutMs: 20_000,
      });
      expect(await status()).toMatchObject({
        code: 2,
        waiting: [{ name: 'old', subnets: ['old-web'], finalizers: [GUARD] }],
      });
      const { items } = (await server.api.get(
        '/apis/events.k8s.io/v1/namespaces/default/events',
      )) as { items: { reason: string; regarding: { name: string }; note: string }[] };
      expect(items.filter((it) => it.regarding.name === 'old')).toMatchObject([
        { reason: 'DeletionWaits', note: expect.stringContaining('old-web') },
      ]);
      await server.api.send('DELETE', path('subnets', 'old-web'));
      await waitFor(
        () =>
          vpc('old').then(
            () => false,
            () => true,
          ),
        { what: 'it to go', timeoutMs: 20_000 },
      );
      expect(await Promise.all(['tenant-b-vpc', 'ovn-cluster', 'edge-lr'].map(vpc))).toEqual(
        theirs,
      );
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    expect(said).toMatch(/guarded Vpc old\n[\s\S]*freed {3}Vpc old/);
  });

  test('asked to watch only, it writes no finalizer, and says what waits for Kube-OVN’s', async () => {
    await server.apply([
      {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Vpc',
        metadata: { name: 'newer', finalizers: ['kubeovn.io/kube-ovn-controller'] },
        spec: {},
      },
      { apiVersion: 'kubeovn.io/v1', kind: 'Vpc', metadata: { name: 'unheld' }, spec: {} },
      {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Subnet',
        metadata: { name: 'newer-web' },
        spec: { vpc: 'newer', cidrBlock: '10.98.0.0/24' },
      },
    ]);
    const child = startSteward(['guard', 'run', '--watch-only', ...as('guard')]);
    let said = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    try {
      await server.api.send('DELETE', path('vpcs', 'newer'));
      await waitFor(
        () => said.includes('Vpc newer since') && said.includes('for the subnet newer-web'),
        { what: 'it to say what it waits for', timeoutMs: 30_000 },
      );
      const reported = async () =>
        (
          (await server.api.get('/apis/events.k8s.io/v1/namespaces/default/events')) as {
            items: { reason: string; regarding: { name: string } }[];
          }
        ).items
          .filter((it) => it.regarding.name === 'newer')
          .map((it) => it.reason);
      await waitFor(async () => (await reported()).length > 0, {
        what: 'an Event',
        timeoutMs: 20_000,
      });
      expect(await reported()).toEqual(['DeletionWaits']);
      expect((await vpc('unheld')).metadata['finalizers']).toBeUndefined();
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    await server.api.send('DELETE', path('subnets', 'newer-web'));
  });

  test('removes all that is ours, shown first, and nothing else', async () => {
    const before = await policies();
    const theirs = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'theirs' },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ['example.com'],
              apiVersions: ['*'],
              operations: ['CREATE'],
              resources: ['things'],
            },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    };
    await server.apply([
      theirs,
      {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Vpc',
        metadata: { name: 'held', finalizers: ['example.com/other', GUARD] },
        spec: {},
      },
    ]);
    expect(await guard('remove')).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /Our finalizer comes off one Vpc: held[\s\S]*Nothing was written/,
      ),
    });
    expect(await policies()).toBe(before + 1);
    expect(await guard('remove', '--yes')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Taken away.'),
    });
    expect(await policies()).toBe(1);
    expect((await vpc('held')).metadata['finalizers']).toEqual(['example.com/other']);
    expect(await guard('remove', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing of ours is there.'),
    });
  });

  test('a namesake that is not ours stops the installation before anything is written', async () => {
    await server.apply([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'ovn-steward-vpc-with-subnets' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['example.com'],
                apiVersions: ['*'],
                operations: ['CREATE'],
                resources: ['things'],
              },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
    ]);
    const before = await policies();
    expect(await guard('install', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not ours'),
    });
    expect(await policies()).toBe(before);
    expect((await status()).policies.find((it) => it.id === 'vpc-with-subnets')?.is).toBe(
      'foreign',
    );
  });
});
