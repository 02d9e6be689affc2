import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import { startSteward } from '../testing/cli';
import { ROOT } from '../testing/pages';

const LIST = 'ovn.kubernetes.io/logical_switch';
const TOKEN = 'token-of-a-pod';
const CONDITIONS = [
  { type: 'Validated', status: 'True' },
  { type: 'Ready', status: 'True' },
];

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describeWith(kubernetes, 'waiting on kube-apiserver', () => {
  let cluster: KubernetesServer;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-wait-'));
    cluster = await startKubernetes({
      recording: recording('clean', 'kubernetes.json'),
      rbac: true,
      users: [{ name: 'system:serviceaccount:shop:default', token: TOKEN }],
    });
    for (const [name, text] of [
      ['ca.crt', cluster.ca],
      ['token', `${TOKEN}\n`],
    ] as const)
      writeFileSync(join(folder, name), text);
    const documents = parseAllDocuments(
      readFileSync(join(ROOT, 'deploy/wait/rbac.yaml'), 'utf8'),
    ).map((it) => it.toJS() as KubernetesObject);
    expect((await asPod('subnet/ovn-default', '--timeout', '0s')).stderr).toContain(
      'may not; see deploy/wait/rbac.yaml',
    ); // before it has its role
    await cluster.apply(documents);
    await waitFor(async () => (await asPod('subnet/ovn-default', '--timeout', '0s')).code === 0, {
      what: 'the role to be known',
      timeoutMs: 20_000,
    });
  }, 180_000);
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs it; `said` is what it has written to standard error so far. */
  const run = (child: ChildProcess): Promise<Ended> & { said(): string } => {
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    child.stderr!.on('data', (text: Buffer) => {
      stderr += text.toString();
    });
    return Object.assign(
      new Promise<Ended>((resolve) =>
        child.on('close', (code) => resolve({ code, stdout, stderr })),
      ),
      { said: () => stderr },
    );
  };
  const asCommand = (...args: string[]) =>
    run(startSteward(['wait', ...args, '--kubernetes', cluster.kubeconfig]));
  const asPod = (...args: string[]) => {
    const { hostname, port } = new URL(cluster.url);
    return run(
      spawn(
        process.execPath,
        [join(ROOT, 'deploy/wait/steward-wait.cjs'), ...args, '--account', folder],
        { env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port } },
      ),
    );
  };
  const FORMS = [
    ['steward wait', asCommand],
    ['the file without packages', asPod],
  ] as const;

  const subnetPath = '/apis/kubeovn.io/v1/subnets';
  const kubeOvn = {
    async writes(path: string, change: (object: Record<string, unknown>) => object): Promise<void> {
      const object = (await cluster.api.get(path.replace(/\/status$/, ''))) as Record<
        string,
        unknown
      >;
      await cluster.api.send('PUT', path, change(object));
    },
    ready: (name: string) =>
      kubeOvn.writes(`${subnetPath}/${name}/status`, (object) => ({
        ...object,
        status: { conditions: CONDITIONS },
      })),
    binds: (namespace: string, list: string) =>
      kubeOvn.writes(`/api/v1/namespaces/${namespace}`, (object) => ({
        ...object,
        metadata: { ...(object['metadata'] as object), annotations: { [LIST]: list } },
      })),
  };
  const subnet = (name: string) => ({
    apiVersion: 'kubeovn.io/v1',
    kind: 'Subnet',
    metadata: { name },
    spec: { vpc: 'ovn-cluster', provider: 'ovn', protocol: 'IPv4', cidrBlock: '10.77.0.0/24' },
  });

  describe.each(FORMS)('%s', (form, wait) => {
    const name = form === 'steward wait' ? 'by-command' : 'by-file';

    test('what is there ends at once', async () => {
      expect(await wait('subnet/apps', '--timeout', '30s')).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('Subnet apps to be ready'),
      });
    });

    test('waits through all that happens to a network as it is made, and says what for', async () => {
      const waiting = wait(
        `subnet/${name}`,
        '--namespace',
        name,
        '--timeout',
        '100s',
        '--output',
        'json',
      );
      const says = (line: RegExp) =>
        waitFor(() => line.test(waiting.said()), {
          what: `${line.source}, after ${waiting.said()}`,
          timeoutMs: 30_000,
        });
      await says(/Subnet by-\w+ to be made; Namespace by-\w+ to be made/);
      await cluster.apply([
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, annotations: { [LIST]: 'ovn-default' } },
        },
      ]);
      await says(/Subnet by-\w+ to be made; Kube-OVN to bind/);
      await cluster.apply([subnet(name)]);
      await says(/no condition Validated yet; .*no condition Ready yet/);
      await kubeOvn.ready(name);
      await says(
        /^Waiting for Kube-OVN to bind Namespace by-\w+ to Subnet by-\w+: it is bound to ovn-default\.$/m,
      );
      await kubeOvn.binds(name, `${name},${name}`);
      const { code, stdout } = await waiting;
      expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
        code: 0,
        there: true,
        waitsFor: [],
        trouble: null,
        subnet: name,
        namespace: name,
      });
    });

    test('a pod that has an address of the subnet, and one that has another', async () => {
      const pods = (
        (await cluster.api.get('/api/v1/namespaces/shop/pods')) as {
          items: { metadata: { name: string; annotations: Record<string, string> } }[];
        }
      ).items;
      const inApps = pods.find(
        (pod) =>
          pod.metadata.annotations?.[LIST] === 'apps' &&
          pod.metadata.annotations['ovn.kubernetes.io/allocated'] === 'true',
      )!;
      expect(
        await wait(
          'subnet/apps',
          '--for',
          'pod-addressed',
          '--pod',
          `shop/${inApps.metadata.name}`,
          '--timeout',
          '0s',
        ),
      ).toMatchObject({ code: 0 });
      expect(
        await wait(
          'subnet/ovn-default',
          '--for',
          'pod-addressed',
          '--pod',
          inApps.metadata.name,
          '--namespace',
          'shop',
          '--timeout',
          '0s',
        ),
      ).toMatchObject({ code: 3, stderr: expect.stringContaining('its ovn network is apps') });
    });

    test('what does not come ends with 3 and what is missing', async () => {
      expect(await wait('subnet/never', '--timeout', '2s')).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(
          /^Waiting for Subnet never to be made\.\nNot there after 2(\.\d)? s: .* still waits for Subnet never to be made\.\n$/,
        ),
      });
    });

    test('what was written wrong ends with 1 and a sentence', async () => {
      expect(await wait('vpc/x')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('write subnet/ and its name'),
      });
    });
  });

  test('the kubeconfig of the settings is used, of a file and of the environment', async () => {
    const once = ['wait', 'subnet/apps', '--timeout', '0s'];
    const config = join(folder, 'steward.yaml');
    writeFileSync(config, `kubernetes: { kubeconfig: ${cluster.kubeconfig} }\n`);
    expect(await run(startSteward([...once, '--config', config]))).toMatchObject({ code: 0 });
    const env = { STEWARD_KUBERNETES__KUBECONFIG: cluster.kubeconfig };
    expect(await run(startSteward(once, env))).toMatchObject({ code: 0 });
    expect(await run(startSteward(once))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No kubeconfig'),
    });
  });

  test.each(FORMS)(
    '%s goes on while the API server is away',
    async (_, wait) => {
      const waiting = wait('subnet/apps', '--timeout', '90s');
      await cluster.kill();
      const away = wait('subnet/apps', '--timeout', '1s');
      expect(await away).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('At the end the state could not be read'),
      });
      await cluster.restart();
      expect(await waiting).toMatchObject({ code: 0 });
    },
    180_000,
  );
});
