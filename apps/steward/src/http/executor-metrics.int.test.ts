import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { startSteward } from '../testing/cli';

const VPCS = '/apis/kubeovn.io/v1/vpcs';

describeWith(ovn, 'with a living OVN', () => {
  describeWith(
    kubernetes,
    'and a living Kubernetes, steward run with the guards and backups on',
    () => {
      let database: OvnServer | undefined = undefined;
      let cluster: KubernetesServer | undefined = undefined;
      let folder: string = '';
      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'steward-executor-metrics-'));
        database = await startOvnStandalone({ database: recording('clean', 'nb.db') });
        cluster = await startKubernetes({ recording: recording('clean', 'kubernetes.json') });
        writeFileSync(
          join(folder, 'steward.json'),
          JSON.stringify({
            backup: { folder: join(folder, 'backups') },
            executor: { guard: { vpcFinalizer: true, podGates: true } },
          }),
        );
      }, 180_000);
      afterAll(async () => {
        await cluster?.stop();
        await database?.stop();
        rmSync(folder, { recursive: true });
      });

      test('takes a backup at once, and serves what the executor has and does, and what waits for the guards', async () => {
        const { api, apply, kubeconfig } = cluster!;
        await apply([
          { apiVersion: 'kubeovn.io/v1', kind: 'Vpc', metadata: { name: 'old' }, spec: {} },
          {
            apiVersion: 'kubeovn.io/v1',
            kind: 'Subnet',
            metadata: { name: 'old-web' },
            spec: { vpc: 'old', cidrBlock: '10.99.0.0/24' },
          },
        ]);
        await apply([
          {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'held-0', namespace: 'shop' },
            spec: {
              schedulingGates: [{ name: 'ovn-steward.dev/subnet-ready' }],
              containers: [{ name: 'main', image: 'example.com/main' }],
            },
          },
        ]);
        const began = Date.now() / 1000;
        const child = startSteward([
          'run',
          '--ovn-nb',
          database!.remote,
          '--kubernetes',
          kubeconfig,
          '--config',
          join(folder, 'steward.json'),
          '--state-dir',
          join(folder, 'state'),
          '--listen',
          '127.0.0.1:0',
        ]);
        let stderr = '';
        child.stderr!.setEncoding('utf8').on('data', (text: string) => {
          stderr += text;
        });
        child.stdout!.resume();
        const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
        try {
          const url = await waitFor(() => /^Listening on (http:\S+)$/m.exec(stderr)?.[1], {
            what: `it to listen: ${stderr}`,
            timeoutMs: 30_000,
          });
          const text = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
          const shows = (line: string) =>
            waitFor(
              async () =>
                (await text()).split('\n').some((it) => it.startsWith(`steward_executor_${line}`)),
              { what: line, timeoutMs: 30_000 },
            );
          await shows('open_claims 0');
          await shows('outbox 0');
          const taken = await waitFor(
            async () =>
              Number(
                /^steward_executor_backup_last_success_timestamp_seconds (\S+)$/m.exec(
                  await text(),
                )?.[1],
              ) || undefined,
            { what: 'a backup', timeoutMs: 30_000 },
          );
          expect(taken).toBeGreaterThanOrEqual(began);
          expect(
            readdirSync(join(folder, 'backups'))
              .map((it) => /^nb-default-.*?(\.db(?:\.json)?)$/.exec(it)?.[1])
              .sort(),
          ).toEqual(['.db', '.db.json']);
          await shows('guard_denials{policy="vpc-with-subnets"} 0');
          await shows('pod_gates_total{did="held"} 1');
          await shows('held_pods 1');
          await shows('guard_finalizers_total{did="add"} ');
          await waitFor(
            async () => JSON.stringify(await api.get(`${VPCS}/old`)).includes('vpc-guard'),
            { what: 'our finalizer', timeoutMs: 20_000 },
          );
          await api.send('DELETE', `${VPCS}/old`);
          await shows('waiting_vpc_deletions 1');
          expect(await text()).toMatch(
            /steward_executor_backup_failures_total 0\n[\s\S]*steward_executor_guard_failures_total 0\n/,
          );
        } finally {
          child.kill('SIGTERM');
        }
        await ended;
        expect(stderr).not.toMatch(/unexpected|\n\s+at /);
      });
    },
  );
});
