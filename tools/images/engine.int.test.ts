import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { ROOT } from './repository';

/** Minutes, the first time: packages are installed for each program. */
const BUILD_MS = 1_800_000;
const TAG = 'test';
/** Bases of this machine, where those of the Dockerfile cannot be pulled. */
const BASES = [
  ['NODE_IMAGE', process.env['STEWARD_TEST_NODE_IMAGE']],
  ['RUNTIME_IMAGE', process.env['STEWARD_TEST_RUNTIME_IMAGE']],
].flatMap(([name, image]) => (image ? ['--build-arg', `${name}=${image}`] : []));

const docker = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('docker', args, { cwd: ROOT, maxBuffer: 2 ** 26 })).stdout.trim();
const build = (target: string): Promise<string> =>
  docker(
    ...['build', '--quiet', '--network', 'host', '--file', 'deploy/docker/Dockerfile'],
    ...[...BASES, '--target', target, '--tag', `ovn-steward/${target}:${TAG}`, '.'],
  );
const LOCKED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'];
const SAFE = [...LOCKED, '--security-opt', 'no-new-privileges', '--network', 'none'];

/**
 * Only an engine can build these images; where none answers that is said, and the build without one
 * (images.int.test.ts) still runs.
 */
const answers = spawnSync('docker', ['info'], { timeout: 5_000 }).status === 0;
if (!answers)
  process.stderr.write(
    '\n!! SKIPPED: the images in an engine: no Docker engine answers. Start one, or set DOCKER_HOST.\n\n',
  );

/** Where nothing listens: the services wait, and live. */
const SURROUNDINGS = {
  STEWARD_CLUSTER: 'test',
  STEWARD_KAFKA__BROKERS: '127.0.0.1:1',
  STEWARD_OVN_NB__REMOTE: 'tcp:127.0.0.1:1',
  STEWARD_KUBERNETES__KUBECONFIG: '/etc/kubeconfig',
  STEWARD_SIGNING__REQUIRED: 'false',
  STEWARD_LEASE__ENABLED: 'never',
  STEWARD_NOTIFY__SINKS: '{"a":{"type":"webhook","url":"http://127.0.0.1:1"}}',
};
const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: a
contexts: [{ name: a, context: { cluster: a, user: a } }]
clusters: [{ name: a, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: a, user: { token: a } }]
`;

(answers ? describe : describe.skip)('in a Docker engine', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'steward-engine-'));
    writeFileSync(join(folder, 'kubeconfig'), KUBECONFIG, { mode: 0o644 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(['collector', 'analyzer', 'executor', 'notifier'])('the image %s', (target) => {
    const name = `steward-test-${target}-${process.pid}`;
    afterAll(() => docker('rm', '--force', name).catch(() => undefined));

    test(
      'is built, of nobody’s user, with what it is in its labels',
      async () => {
        await build(target);
        const [{ Config }] = JSON.parse(
          await docker('image', 'inspect', `ovn-steward/${target}:${TAG}`),
        ) as [{ Config: { User: string; Labels: Record<string, string> } }];
        expect(Config.User).toBe('65532:65532');
        expect(Config.Labels).toMatchObject({
          'org.opencontainers.image.title': `ovn-steward ${target}`,
          'org.opencontainers.image.licenses': 'Apache-2.0',
        });
      },
      BUILD_MS,
    );

    test('becomes healthy with nothing to write to but its state, and ends at once when it is stopped', async () => {
      await docker(
        ...['run', '--detach', '--name', name, ...SAFE],
        ...['--volume', `${join(folder, 'kubeconfig')}:/etc/kubeconfig:ro`],
        ...Object.entries(SURROUNDINGS).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
        `ovn-steward/${target}:${TAG}`,
      );
      await waitFor(
        async () => {
          const [{ State }] = JSON.parse(await docker('inspect', name)) as [
            { State: { Status: string; Health: { Status: string } } },
          ];
          if (State.Status !== 'running') throw new Error(await docker('logs', name));
          return State.Health.Status === 'healthy' || undefined;
        },
        { what: `${target} to be healthy`, timeoutMs: 120_000 },
      );
      await docker('stop', '--time', '60', name);
      const [{ State }] = JSON.parse(await docker('inspect', name)) as [
        { State: { ExitCode: number; OOMKilled: boolean } },
      ];
      expect(State).toMatchObject({ ExitCode: 0, OOMKilled: false });
    }, 240_000);
  });

  test(
    'the image steward audits a recording',
    async () => {
      await build('steward');
      const recorded = join(ROOT, 'examples/recordings/leaky');
      const audit = promisify(execFile)('docker', [
        ...['run', '--rm', ...SAFE, '--volume', `${recorded}:/recording:ro`],
        ...[`ovn-steward/steward:${TAG}`, 'audit', '--ovn-nb', '/recording/nb.db'],
        ...['--kubernetes', '/recording'],
      ]);
      await expect(audit).rejects.toMatchObject({
        code: 2, // findings
        stdout: expect.stringContaining('leaked-ip'),
      });
    },
    BUILD_MS,
  );

  test(
    'the image wait is one file, and says how to use it',
    async () => {
      await build('wait');
      expect(await docker('run', '--rm', ...SAFE, `ovn-steward/wait:${TAG}`, '--help')).toContain(
        'Usage: steward-wait',
      );
    },
    BUILD_MS,
  );
});
