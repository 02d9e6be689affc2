import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { actionIn } from '@ovn-steward/contracts/actions/action-codec';
import { Control } from '@ovn-steward/contracts/control/control';
import { ACTIONS, CONTROL } from '@ovn-steward/shared/log/topics';
import { generateKey } from '@ovn-steward/shared/signing/generate-key';
import { describeWith, kafka, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import { makeKeys } from './support/keys';
import { type Service, type ServiceName, startService } from './support/service';
import { STEWARD } from './support/steward';
import { readTopic } from './support/topic';

const ROOT = join(__dirname, '..');
const CLUSTER = 'berlin-1';
const ROLE_OF = { vera: 'viewer', paul: 'approver' } as const;
const PEOPLE = [...Object.keys(ROLE_OF), 'nobody'];
const SERVICES = ['collector', 'analyzer', 'executor'] as const;

const bound = (user: string, role: string): KubernetesObject =>
  ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${user}-${role.replace('ovn-steward-', '')}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  }) as KubernetesObject;

const ROLES = ['deploy/rbac.yaml', 'deploy/rbac-access.yaml'].flatMap((file) =>
  parseAllDocuments(readFileSync(join(ROOT, file), 'utf8')).map(
    (each) => each.toJS() as KubernetesObject,
  ),
);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kafka, 'and Kafka', () => {
    describeWith(kubernetes, 'and a Kubernetes that checks rights, the services', () => {
      let folder: string;
      let nb: OvnServer | undefined;
      let cluster: KubernetesServer | undefined;
      let brokers: KafkaCluster | undefined;
      const running = new Map<ServiceName, Service>();

      const fileOf = (who: string): string => join(folder, `${who}.kubeconfig`);
      /** `steward …` over HTTP, as somebody whose kubeconfig says who he is. */
      const as = (who: string, service: ServiceName, ...args: string[]): Promise<Ended> =>
        new Promise((resolve) =>
          execFile(
            process.execPath,
            [STEWARD, ...args, '--server', running.get(service)!.url],
            { env: { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: fileOf(who) } },
            (error, stdout, stderr) =>
              resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
          ),
        );
      /** The same with `--watch`, until it is interrupted. */
      const watched = (who: string, service: ServiceName, command: string) => {
        const args = [STEWARD, command, '-w', '--every', '0.2'];
        const child = spawn(process.execPath, [...args, '--server', running.get(service)!.url], {
          env: { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: fileOf(who) },
        });
        let shown = '';
        child.stdout.on('data', (it: Buffer) => (shown += it.toString()));
        return {
          shown: () => shown,
          interrupted: () =>
            new Promise<number | null>((resolve) => {
              child.once('close', resolve);
              child.kill('SIGINT');
            }),
        };
      };
      const read = async <T>(service: ServiceName, path: string): Promise<T> => {
        const answer = await fetch(running.get(service)!.url + path, {
          headers: { authorization: 'Bearer vera-token' },
        });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return (await answer.json()) as T;
      };
      /** The last record that fits. */
      const actionOf = async (
        fits: (it: ActionRecord) => boolean,
      ): Promise<ActionRecord | undefined> =>
        (await readTopic(brokers!.bootstrap, ACTIONS))
          .map((it) => actionIn(it.value!))
          .filter(fits)
          .at(-1);
      /** The action once it is in that state; the error says how far it came. */
      const reached = (
        state: ActionRecord['state'],
        fits: (it: ActionRecord) => boolean,
      ): Promise<ActionRecord> =>
        waitFor(
          async () => {
            const action = await actionOf(fits);
            if (action?.state === state) return action;
            throw new Error(`${action?.state} (${action?.code}): ${action?.reason}`);
          },
          // A Northbound that was connected to again is left alone for a minute.
          { what: `the action to be ${state}`, timeoutMs: 150_000 },
        );
      const controls = async (): Promise<Control[]> =>
        (await readTopic(brokers!.bootstrap, CONTROL)).flatMap((record) => {
          const control = Control.safeParse(JSON.parse(record.value ?? 'null'));
          return control.success && control.data.type !== 'heard' ? [control.data] : [];
        });
      const PROVEN = { user: 'paul', method: 'kubernetes', from: '127.0.0.1' };

      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'steward-decisions-'));
        [nb, cluster, brokers] = await Promise.all([
          startOvnStandalone({ database: recording('leaky', 'nb.db') }),
          startKubernetes({
            rbac: true,
            recording: recording('leaky', 'kubernetes.json'),
            users: [...PEOPLE, 'services'].map((name) => ({ name, token: `${name}-token` })),
          }),
          startKafka(),
        ]);
        await cluster.apply([
          ...ROLES.filter(({ kind }) => kind === 'ClusterRole'),
          ...['read', 'executor', 'access'].map((it) => bound('services', `ovn-steward-${it}`)),
          ...Object.entries(ROLE_OF).map(([user, role]) => bound(user, `ovn-steward-${role}`)),
        ]);
        for (const who of [...PEOPLE, 'services'])
          writeFileSync(fileOf(who), kubeconfigText(cluster.url, cluster.ca, `${who}-token`));
        const keys = makeKeys(join(folder, 'keys'), 'anna');
        const http = generateKey({ role: 'approver', name: 'http' });
        writeFileSync(join(keys.trusted, 'http.json'), JSON.stringify(http.trusted));
        writeFileSync(join(folder, 'http.pem'), http.privateKey, { mode: 0o600 });
        for (const name of SERVICES)
          running.set(
            name,
            await startService(name, {
              settings: {
                cluster: CLUSTER,
                stateDir: join(folder, name),
                'kafka.brokers': brokers.bootstrap.join(','),
                'kafka.replicationFactor': '1',
                'kubernetes.kubeconfig': fileOf('services'),
                'signing.trustedKeys': keys.trusted,
                'http.auth.by': 'kubernetes',
                ...(name !== 'analyzer' && { 'ovnNb.remote': nb.remote }),
                ...(name === 'collector' && { 'lease.enabled': 'never' }),
                ...(name === 'analyzer' && { 'grace.garbage': '0s', 'grace.leak': '0s' }),
                ...(name === 'executor' && {
                  'signing.keyFile': keys.executor,
                  'http.decisions.keyFile': join(folder, 'http.pem'),
                  'executor.mode': 'propose',
                  'executor.yield.afterLease': '0s',
                }),
              },
            }),
          );
        await Promise.all([...running.values()].map((it) => it.ready()));
      }, 240_000);
      afterAll(async () => {
        await Promise.all([...running.values()].map((it) => it.kill()));
        await Promise.all([nb?.stop(), cluster?.stop(), brokers?.stop()]);
        rmSync(folder, { recursive: true, force: true });
      });

      test('without the right nobody decides, and the right is named', async () => {
        expect(await as('vera', 'executor', 'hold', '--reason', 'x')).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('vera lacks the right hold '),
        });
        expect(await as('nobody', 'executor', 'holds')).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('nobody lacks the right get '),
        });
        expect(await controls()).toEqual([]);
      });

      test('a hold is signed, respected, and says who decided, how he proved it and from where', async () => {
        const watching = watched('vera', 'executor', 'holds');
        await waitFor(() => watching.shown().includes('is on hold.') || undefined, {
          what: 'an empty list to be drawn',
          timeoutMs: 30_000,
        });
        const held = await as(
          'paul',
          'executor',
          'hold',
          '--reason',
          'maintenance',
          '--wait',
          '30',
        );
        expect([held.code, held.stderr]).toEqual([0, '']);
        expect(await controls()).toEqual([
          expect.objectContaining({ type: 'hold', by: 'paul', authenticated: PROVEN }),
        ]);
        const { stdout } = await as('vera', 'executor', 'holds', '--output', 'json');
        expect((JSON.parse(stdout) as { holds: object[] }).holds).toEqual([
          expect.objectContaining({ by: 'paul', authenticated: PROVEN, signedBy: 'http' }),
        ]);
        expect((await as('vera', 'executor', 'holds')).stdout).toContain(
          'by     paul (proven by kubernetes, from 127.0.0.1, signed by http)',
        );
        expect((await as('paul', 'executor', 'resume', '--wait', '30')).code).toBe(0);
        expect(watching.shown()).toContain('maintenance');
        expect(await watching.interrupted()).toBe(0);
      });

      test('what is approved is done, and what is undone is back', async () => {
        const { id } = await waitFor(
          async () => {
            const { proposals } = await read<{
              proposals: { id: string; rule: string }[];
            }>('executor', '/proposals?limit=1000');
            // Nothing refers to it; a port group waits until the policies that name it are gone.
            return proposals.find(({ rule }) => rule === 'orphaned-load-balancer');
          },
          { what: 'a proposal', timeoutMs: 240_000 },
        );
        expect((await as('paul', 'executor', 'approve', id)).code).toBe(0);
        const done = await reached('done', ({ finding }) => finding.id === id);
        expect(done.approvedBy).toBe('paul (through http)');
        expect((await as('paul', 'executor', 'undo', done.id)).code).toBe(0);
        // By its own id: the finding comes back too, with another action.
        const itself = (it: ActionRecord): boolean => it.id === done.id;
        await reached('undone', itself);
        const undone = await as('vera', 'executor', 'actions', '--state', 'undone', '-o', 'ndjson');
        expect((JSON.parse(undone.stdout) as ActionRecord).id).toBe(done.id);
        const shown = ['actions', done.id.slice(0, 12), '-o', 'json'];
        const whole = await as('vera', 'executor', ...shown);
        expect(JSON.parse(whole.stdout)).toEqual(await actionOf(itself));
        expect((await as('nobody', 'executor', ...shown)).stderr).toContain('lacks the right get');
      }, 400_000);

      test('a subnet is suppressed without force, and the analyzer says so of its findings', async () => {
        const { findings } = await read<{
          findings: { id: string; scope?: { subnet?: string } }[];
        }>('analyzer', '/findings?limit=1000');
        const subnet = findings.find((it) => it.scope?.subnet !== undefined)!.scope!.subnet!;
        const given = ['--subnet', subnet, '--reason', 'known', '--wait', '30'];
        const suppressed = await as('paul', 'executor', 'suppress', ...given);
        expect([suppressed.code, suppressed.stderr]).toEqual([0, '']);
        const { stdout } = await as('vera', 'executor', 'suppressions', '--output', 'json');
        expect((JSON.parse(stdout) as { kept: object[] }).kept).toEqual([
          expect.objectContaining({
            selector: { subnet },
            by: 'paul',
            authenticated: PROVEN,
            signedBy: 'http',
          }),
        ]);
        await waitFor(
          async () => {
            const now = await read<{
              findings: { scope?: { subnet?: string }; suppressed: { by: string } }[];
            }>('analyzer', '/findings?state=suppressed&limit=1000');
            const inside = now.findings.filter((it) => it.scope?.subnet === subnet);
            return (
              (inside.length > 0 && inside.every((it) => it.suppressed.by === 'paul')) || undefined
            );
          },
          { what: 'the findings to be suppressed', timeoutMs: 60_000 },
        );
      }, 180_000);

      test('a right taken away ends it', async () => {
        await cluster!.api.send(
          'DELETE',
          '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/paul-approver',
        );
        const refused = await waitFor(
          async () => {
            const answer = await as('paul', 'executor', 'hold', '--reason', 'x', '--wait', '0');
            return answer.code === 1 ? answer : undefined;
          },
          { what: 'the right to be gone', timeoutMs: 30_000 },
        );
        expect(refused.stderr).toMatch(/paul lacks the right (get|hold) /);
      });
    });
  });
});
