import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { recording } from '@ovn-steward/testbed/recordings';
import { describeSourceType } from '../source-type.contract';
import { kubernetesServer } from './kubernetes-server.source';

describeWith(kubernetes, 'an API server', () => {
  let server: KubernetesServer;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubernetes-server-'));
    server = await startKubernetes({ recording: recording('leaky', 'kubernetes.json') });
  }, 180_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server?.stop();
  });

  describeSourceType('an API server of Kubernetes', kubernetesServer, async () => ({
    request: {
      system: 'kubernetes',
      where: server.kubeconfig,
      settings: Settings.parse({ cluster: 'test' }),
      replay: 'final',
    },
    unreadable: async () => {
      const unreachable = join(folder, 'kubeconfig');
      writeFileSync(
        unreachable,
        readFileSync(server.kubeconfig, 'utf8').replace(
          /server: \S+/,
          'server: https://127.0.0.1:1',
        ),
      );
      return unreachable;
    },
  }));

  it('accepts that no kubeconfig is named, and no folder', () => {
    expect(kubernetesServer.accepts(undefined)).toBe(true);
    expect(kubernetesServer.accepts(folder)).toBe(false);
  });
});
