import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { type Chart, renderedChart } from './testing/chart';
import { startKubeOvnActor } from './testing/kube-ovn-actor';
import { type RealKubernetes, realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';

const PROGRAM = join(__dirname, '../../../deploy/wait/steward-wait.cjs');

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly { readonly args: readonly string[] }[];
}

const podOf = ({ hooks }: Chart): PodSpec =>
  hooks.find(({ kind }) => kind === 'Job')!.spec.template.spec as PodSpec;

describeWith(
  kubernetes,
  'the hook of the chart, on kube-apiserver, with its own arguments and as its own account',
  () => {
    let bed: RealKubernetes;
    let folder = '';
    let asAccount: Kubernetes;

    beforeAll(async () => {
      bed = await realKubernetes();
      folder = mkdtempSync(join(tmpdir(), 'executor-hook-'));
      const chart = renderedChart();
      const isPods = (it: KubernetesObject): boolean => it.kind === 'Deployment';
      await bed.server.apply([
        {
          apiVersion: 'kubeovn.io/v1',
          kind: 'Vpc',
          metadata: { name: 'ovn-cluster' },
          spec: {},
        } as KubernetesObject,
        ...chart.release.filter((it) => !isPods(it)),
        ...chart.hooks,
      ]);
      // What the kubelet puts into the pod.
      const path = `/api/v1/namespaces/default/serviceaccounts/${podOf(chart).serviceAccountName}/token`;
      const {
        status: { token },
      } = (await bed.server.api.send('POST', path, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      })) as { status: { token: string } };
      for (const [name, content] of [
        ['ca.crt', bed.server.ca],
        ['token', token],
      ] as const)
        writeFileSync(join(folder, name), content);
      asAccount = bed.by(token);
      const { signal } = new AbortController();
      await waitFor(() => asAccount.get('Subnet', undefined, 'shop-net', signal), {
        what: 'the server to know the role',
        timeoutMs: 20_000,
      });
    }, 180_000);
    afterAll(async () => {
      await bed?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** The Job's container. */
    const run = async (
      chart: Chart,
    ): Promise<{
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }> => {
      const { hostname, port } = new URL(bed.server.url);
      const [{ args } = { args: [] }] = podOf(chart).containers;
      const child = spawn(process.execPath, [PROGRAM, ...args, '--account', folder], {
        env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await ended, stdout, stderr };
    };

    test('fails, and the release with it, when the subnet does not become ready in time', async () => {
      const ended = await run(renderedChart({ 'wait.timeout': '3s' }));
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toMatch(
        /Not there after 3(\.\d)? s: waited for Subnet shop-net to be ready for namespace shop\. It still waits for .*Ready.*Namespace shop/,
      );
      expect(ended.stderr).not.toContain('could not be read');
    });

    test('ends well when the subnet becomes ready and its namespace is bound to it', async () => {
      const waiting = run(renderedChart());
      const actor = startKubeOvnActor(bed.server);
      try {
        expect(await waiting).toMatchObject({
          code: 0,
          stdout: expect.stringContaining(
            'waited for Subnet shop-net to be ready for namespace shop',
          ),
        });
      } finally {
        await actor.stop();
      }
    });

    test('may read what it waits for, and no more', async () => {
      const { signal } = new AbortController();
      expect(await asAccount.get('Vpc', undefined, 'ovn-cluster', signal)).toBeDefined();
      await expect(asAccount.get('Pod', 'shop', 'web-0', signal)).rejects.toThrow(/forbidden|403/i);
      await expect(asAccount.list('Subnet', undefined, signal)).rejects.toThrow(/forbidden|403/i);
    });
  },
);
