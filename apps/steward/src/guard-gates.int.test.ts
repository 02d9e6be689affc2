import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { startSteward, steward } from './testing/cli';
import { ROOT } from './testing/pages';

const TOKEN = 'token-of-the-guard';
const GATE = 'ovn-steward.dev/subnet-ready';
const CONDITIONS = [
  { type: 'Validated', status: 'True' },
  { type: 'Ready', status: 'True' },
];

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: { readonly schedulingGates?: readonly { readonly name: string }[] };
}

describeWith(kubernetes, 'steward guard gates on kube-apiserver, under its role', () => {
  let server: KubernetesServer;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-gates-'));
    server = await startKubernetes({
      recording: recording('clean', 'kubernetes.json'),
      rbac: true,
      users: [{ name: 'system:serviceaccount:ovn-steward:ovn-steward-guard', token: TOKEN }],
    });
    await server.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-steward' } },
    ]);
    await server.apply(
      ['rbac-guard.yaml', 'rbac-pods.yaml'].flatMap((name) =>
        parseAllDocuments(readFileSync(join(ROOT, 'deploy', name), 'utf8')).map(
          (it) => it.toJS() as KubernetesObject,
        ),
      ),
    );
    await server.apply([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: 'held',
          labels: { 'ovn-steward.dev/subnet': 'late' },
          annotations: { 'ovn.kubernetes.io/logical_switch': 'late' },
        },
      },
      ...['one', 'two'].map((name) => pod(name, [GATE, 'x.example.com/other'])),
    ]);
    writeFileSync(kubeconfig(), kubeconfigText(server.url, server.ca, TOKEN));
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const kubeconfig = (): string => join(folder, 'kubeconfig');
  const pod = (name: string, gates: readonly string[]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'held' },
    spec: {
      schedulingGates: gates.map((it) => ({ name: it })),
      containers: [{ name: 'main', image: 'example.com/main' }],
    },
  });
  const gates = async (): Promise<readonly (readonly string[])[]> =>
    ((await server.api.get('/api/v1/namespaces/held/pods')) as { items: Pod[] }).items.map((it) =>
      (it.spec.schedulingGates ?? []).map(({ name }) => name),
    );

  test('holds, says why, and lifts its own gate when the subnet is ready', async () => {
    const child = startSteward([
      'guard',
      'gates',
      '--output',
      'ndjson',
      '--kubernetes',
      kubeconfig(),
    ]);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    child.stderr!.on('data', (text: Buffer) => {
      stderr += text.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const says = (text: string) =>
      waitFor(() => stdout.split(text).length > 2, {
        what: `${text} twice in ${stdout}, ${stderr}`,
        timeoutMs: 40_000,
      });
    await says('Subnet late to be made');
    await server.apply([
      {
        apiVersion: 'kubeovn.io/v1',
        kind: 'Subnet',
        metadata: { name: 'late' },
        spec: { vpc: 'ovn-cluster', provider: 'ovn', protocol: 'IPv4', cidrBlock: '10.77.0.0/24' },
      },
    ]);
    await says('no condition Validated yet');
    const path = '/apis/kubeovn.io/v1/subnets/late';
    await server.api.send('PUT', `${path}/status`, {
      ...((await server.api.get(path)) as object),
      status: { conditions: CONDITIONS },
    });
    await says('"did":"lifted"');
    expect(await gates()).toEqual([['x.example.com/other'], ['x.example.com/other']]);
    const { items } = (await server.api.get('/apis/events.k8s.io/v1/namespaces/held/events')) as {
      items: { reason: string }[];
    };
    expect(new Set(items.map((it) => it.reason))).toEqual(
      new Set(['WaitingForSubnet', 'SubnetReady']),
    );
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(stderr).toBe(
      'Lifting the gates of pods; Ctrl-C ends it, and those that are held stay held.\n',
    );
  });

  test('the time has to be one, or never', async () => {
    expect(
      await steward(['guard', 'gates', '--pod-timeout', 'soon', '--kubernetes', kubeconfig()]),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a duration') });
  });

  test('installs the policy first when asked to, once that is confirmed, and lifts then', async () => {
    const as = ['--kubernetes', server.kubeconfig];
    expect(await steward(['guard', 'gates', '--install', ...as])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('not installed; would be written:'),
      stderr: expect.stringContaining(
        'no gate is lifted. To write it, run the command again with --yes.',
      ),
    });
    expect(await steward(['guard', 'gates', '--yes', ...as])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give both, or neither'),
    });
    await server.apply([pod('four', [GATE])]);
    const child = startSteward(['guard', 'gates', '--install', '--yes', ...as]);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    let stdout = '';
    child.stdout!.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    await waitFor(() => stdout.includes('lifted    Pod held/four'), {
      what: `the gate of held/four to be lifted in ${stdout}`,
      timeoutMs: 40_000,
    });
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await server.api.get(
      '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/ovn-steward-pod-gate',
    );
    await server.api.send('DELETE', '/api/v1/namespaces/held/pods/four');
  });

  test('guard remove takes the gates off, shown first, and leaves those of others', async () => {
    await server.apply([pod('three', [GATE])]);
    expect(
      await steward(['guard', 'remove', 'pod-gate', '--kubernetes', server.kubeconfig]),
    ).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(
        'Our scheduling gate comes off one pod that waits for its subnet: held/three',
      ),
    });
    expect(await gates()).toContainEqual([GATE]);
    expect(
      await steward(['guard', 'remove', 'pod-gate', '--yes', '--kubernetes', server.kubeconfig]),
    ).toMatchObject({ code: 0 });
    expect([...(await gates())].sort()).toEqual([
      [],
      ['x.example.com/other'],
      ['x.example.com/other'],
    ]);
  });
});
