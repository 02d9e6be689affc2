import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';

const { stage } = createRequire(__filename)('./stage.cjs') as { stage(folder: string): void };

const ROOT = join(__dirname, '..', '..');
const LEAKY = join(ROOT, 'examples/recordings/leaky');
/** The bundle and its licenses; a package of the whole tree would have some 60 MB. */
const MOST_PACKED = 3_000_000;

/** What npm says of a package that it packed. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let packed: Packed;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-npm-'));
  stage(join(folder, 'package'));
  const args = ['pack', '--json', '--pack-destination', folder, join(folder, 'package')];
  [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [Packed];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENV = () => ({
  PATH: process.env['PATH'],
  HOME: folder,
  npm_config_update_notifier: 'false',
});
const inside = (...names: string[]): string => join(folder, 'empty', ...names);

describe('the npm package', () => {
  test('has the program, the bundle and the terms, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/steward.cjs',
        'dist/bundle/licenses.txt',
        'dist/bundle/main.mjs',
        'examples/stream/findings.ndjson',
        'package.json',
      ]),
    );
    const ours =
      /^(?:LICENSE|README\.md|package\.json|bin\/steward\.cjs|dist\/bundle\/[\w.-]+|examples\/stream\/findings\.ndjson)$/;
    expect(paths.filter((it) => !ours.test(it)).sort()).toEqual(
      ['kube-config.js', 'kube-config.licenses.txt', 'package.json'].map(
        (it) => `node_modules/@ovn-steward/systems/${it}`,
      ),
    );
    expect(paths.filter((it) => /\.(?:map|ts)$/.test(it))).toEqual([]);
    expect(packed.size).toBeLessThan(MOST_PACKED);
  });

  test('is of a scope, says who may see it, and is published with its provenance', () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, 'package', 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: '@ovn-steward/steward',
      bin: { steward: 'bin/steward.cjs' },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest).not.toHaveProperty('private');
  });

  test('installed into an empty folder it audits a recording', () => {
    mkdirSync(inside());
    writeFileSync(inside('package.json'), '{ "private": true }');
    // What is compiled for the machine comes from better-sqlite3's own script, and an audit needs
    // none of it.
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...flags, join(folder, packed.filename)], { cwd: inside() });
    expect(existsSync(inside('node_modules', '@kubernetes'))).toBe(false);
    expect(statSync(inside('node_modules', '.bin', 'steward')).mode & 0o111).not.toBe(0);
    const audit = ['steward', 'audit', '--ovn-nb', `${LEAKY}/nb.db`, '--kubernetes', LEAKY];
    const { status, stdout, stderr } = spawnSync('npx', ['--no-install', ...audit], {
      cwd: inside(),
      encoding: 'utf8',
      env: ENV(),
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
    expect(stdout).toContain('leaked-ip  leak, 9');
    const version = spawnSync('npx', ['--no-install', 'steward', '--version'], {
      cwd: inside(),
      encoding: 'utf8',
      env: ENV(),
    });
    expect(version.stdout.trim()).toBe(
      (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
    );
  }, 300_000);

  describeWith(kafka, 'with Kafka', () => {
    let brokers: KafkaCluster;
    beforeAll(async () => {
      brokers = await startKafka();
    });
    afterAll(() => brokers?.stop());

    const stream = (...args: string[]) =>
      spawnSync('npx', ['--no-install', 'steward', 'stream', ...args], {
        cwd: inside(),
        encoding: 'utf8',
        env: { ...ENV(), STEWARD_KAFKA__REPLICATION_FACTOR: '1' },
      });

    test('it replays the stream for consumers, and checks what one made of it', () => {
      const to = ['--kafka-brokers', brokers.bootstrap.join(','), '--topic', 'findings-test'];
      const replay = stream('replay', ...to);
      expect([replay.status, replay.stderr]).toEqual([0, '']);
      expect(replay.stdout).toMatch(/^\d+ records are on findings-test/);
      writeFileSync(inside('table.json'), '[]');
      const check = stream('check', 'table.json');
      expect(check.status).toBe(2);
      expect(check.stdout).toMatch(/it is not in the table, and must be: revision 1/);
    });
  });

  test('what it needs of a kubeconfig is in the bundle', () => {
    writeFileSync(
      inside('kubeconfig'),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        users: [{ name: 'u', user: { token: 'x' } }],
      }),
    );
    const audit = ['audit', '--ovn-nb', `${LEAKY}/nb.db`, '--kubernetes', inside('kubeconfig')];
    const { stdout, stderr } = spawnSync(
      'npx',
      ['--no-install', 'steward', ...audit, '--timeout', '3'],
      { cwd: inside(), encoding: 'utf8', env: ENV() },
    );
    expect(stdout + stderr).toMatch(/127\.0\.0\.1:1\b/);
    expect(stdout + stderr).not.toMatch(/Cannot find|MODULE_NOT_FOUND/);
  });
});
