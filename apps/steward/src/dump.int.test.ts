import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describeWith, kubectl, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { kubectlAtHand } from '@ovn-steward/testbed/provision/kubectl';
import { provisionOvn } from '@ovn-steward/testbed/provision/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { type Outcome, steward } from './testing/cli';

const SCRIPT = join(__dirname, '../../../tools/dump.sh');
const NAME = 'leaky';

interface Document {
  readonly sources: readonly {
    readonly id: string;
    readonly complete: boolean;
    readonly unavailable: readonly { readonly kind: string; readonly reason: string }[];
  }[];
  readonly findings: readonly { readonly id: string; readonly summary: string }[];
}

const audit = async (args: readonly string[]): Promise<Document> =>
  JSON.parse((await steward(['audit', '--output', 'json', ...args])).stdout) as Document;

const found = ({ findings }: Document): string[] =>
  findings.map(({ id, summary }) => `${id} ${summary}`).sort();

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'a living Kubernetes', () => {
    describeWith(kubectl, 'and kubectl', () => {
      let database: OvnServer;
      let southbound: OvnServer;
      let cluster: KubernetesServer;
      let folder = '';
      let path = '';
      beforeAll(async () => {
        folder = mkdtempSync(join(tmpdir(), 'steward-dump-'));
        database = await startOvnStandalone({ database: recording(NAME, 'nb.db') });
        cluster = await startKubernetes({
          recording: recording(NAME, 'kubernetes.json'),
          rbac: true,
          users: [{ name: 'nobody', token: 'nobody-token' }],
        });
        writeFileSync(join(folder, 'copy.db'), await database.client('backup', 'OVN_Northbound'));
        southbound = await startOvnStandalone({
          database: recording(NAME, 'sb.db'),
          schema: 'sb',
        });
        const programs = await provisionOvn(() => undefined);
        const bin = join(folder, 'bin');
        mkdirSync(bin);
        // No kubelet runs the pods of a recording: what its ovsdb-client would print comes from a
        // file.
        program(bin, 'kubectl', [
          `case " $* " in *" exec "*OVN_Southbound*) exec cat '${recording(NAME, 'sb.db')}' ;; *" exec "*) [ -e '${folder}/no-pod' ] && { echo 'error: no pods' >&2; exit 1; }; exec cat '${folder}/copy.db' ;; esac`,
          `exec '${kubectlAtHand()!}' "$@"`,
        ]);
        program(bin, 'ovsdb-client', [
          ...Object.entries(programs.env).map(([name, value]) => `export ${name}='${value}'`),
          `exec '${programs.paths['ovsdb-client']}' "$@"`,
        ]);
        path = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
      }, 180_000);
      afterAll(async () => {
        await cluster?.stop();
        await database?.stop();
        await southbound?.stop();
        rmSync(folder, { recursive: true });
      });

      const out = (name: string): string => join(folder, name);
      const dump = (
        args: readonly string[],
        env: Readonly<Record<string, string>> = {},
      ): Promise<Outcome> => run('/bin/sh', [SCRIPT, ...args], env);
      const run = (
        file: string,
        args: readonly string[],
        env: Readonly<Record<string, string>> = {},
      ): Promise<Outcome> =>
        new Promise((resolve) =>
          execFile(
            file,
            [...args],
            { env: { PATH: path, KUBECONFIG: cluster.kubeconfig, HOME: folder, ...env } },
            (error, stdout, stderr) =>
              resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
          ),
        );

      test('one run makes a dump that the audit calls complete, and finds in it what it finds live', async () => {
        const { code, stderr } = await dump(['-o', out('whole')]);
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: expect.stringContaining('Next: npx @ovn-steward/steward audit'),
        });
        const dumped = await audit([
          '--ovn-nb',
          join(out('whole'), 'nb.db'),
          '--kubernetes',
          out('whole'),
        ]);
        const living = await audit([
          '--ovn-nb',
          database.remote,
          '--kubernetes',
          cluster.kubeconfig,
        ]);
        expect(dumped.sources.map((it) => [it.id, it.complete])).toEqual([
          ['kubernetes', true],
          ['ovn-nb', true],
        ]);
        expect(found(dumped)).toEqual(found(living));
        expect(stderr).toContain(
          `--ovn-nb ${out('whole')}/nb.db --ovn-sb ${out('whole')}/sb.db --kubernetes`,
        );
        const both = await audit([
          ...['--ovn-nb', join(out('whole'), 'nb.db'), '--ovn-sb', join(out('whole'), 'sb.db')],
          ...['--kubernetes', out('whole')],
        ]);
        expect(both.sources.map((it) => [it.id, it.complete])).toContainEqual(['ovn-sb', true]);
        expect(found(dumped).length).toBeGreaterThan(40);
        expect(readdirSync(out('whole')).filter((it) => it.startsWith('.'))).toEqual([]);
        for (const file of readdirSync(out('whole')))
          expect(statSync(join(out('whole'), file)).mode & 0o077).toBe(0);
      });

      test('kubectl runs it as a plugin', async () => {
        copyFileSync(SCRIPT, join(folder, 'bin', 'kubectl-steward_dump'));
        chmodSync(join(folder, 'bin', 'kubectl-steward_dump'), 0o755);
        const args = ['steward-dump', '-o', out('plugin'), '--nb', database.remote];
        const { code, stderr } = await run(join(folder, 'bin', 'kubectl'), args);
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: expect.stringContaining(`--kubernetes ${out('plugin')}`),
        });
        expect(readdirSync(out('plugin')).length).toBeGreaterThan(20);
      });

      test('the database comes from a server as well', async () => {
        const { code } = await dump(['--out', out('served'), '--nb', database.remote]);
        expect(code).toBe(0);
        expect(statSync(join(out('served'), 'nb.db')).size).toBeGreaterThan(10_000);
        expect(existsSync(join(out('served'), 'sb.db'))).toBe(false);
        const two = ['--nb', database.remote, '--sb', southbound.remote];
        expect((await dump(['--out', out('both'), ...two])).code).toBe(0);
        expect(statSync(join(out('both'), 'sb.db')).size).toBeGreaterThan(10_000);
      });

      test('what may not be listed is named, leaves no file, and the code says so', async () => {
        const kubeconfig = out('nobody.json');
        writeFileSync(kubeconfig, kubeconfigText(cluster.url, cluster.ca, 'nobody-token'));
        const { code, stderr } = await dump(['-o', out('forbidden'), '--kubeconfig', kubeconfig]);
        expect(code).toBe(3);
        expect(stderr).toMatch(/pods +MISSING: .*forbidden/i);
        expect(readdirSync(out('forbidden'))).toEqual(['nb.db', 'sb.db']);
      });

      test('without the database it says that nothing can be audited', async () => {
        writeFileSync(out('no-pod'), '');
        const { code, stderr } = await dump(['-o', out('half')]);
        rmSync(out('no-pod'));
        expect({ code, stderr }).toEqual({
          code: 3,
          stderr: expect.stringMatching(
            /nb\.db +MISSING: error: no pods[^]*Without nb\.db nothing can be audited/,
          ),
        });
        expect(existsSync(join(out('half'), 'nb.db'))).toBe(false);
        expect(readdirSync(out('half')).length).toBeGreaterThan(10);
      });

      test.each<[string, () => readonly string[], Readonly<Record<string, string>>, RegExp]>([
        ['a folder that exists', () => ['-o', folder], {}, /exists\. Name a new folder/],
        ['an unknown argument', () => ['--ouput', 'x'], {}, /there is no argument --ouput/],
        ['--sb without --nb', () => ['--sb', 'tcp:a:1'], {}, /--sb needs --nb/],
        ['an argument without its value', () => ['--nb'], {}, /--nb needs a value/],
        ['no kubectl', () => [], { PATH: '/nonexistent' }, /kubectl is not on the PATH/],
        [
          'a cluster that is not there',
          () => ['-o', out('away')],
          { KUBECONFIG: '/nonexistent' },
          /the cluster does not answer/,
        ],
      ])('%s ends with one sentence and code 1', async (_, args, env, says) => {
        const { code, stderr } = await dump(args(), env);
        expect(stderr).toMatch(says);
        expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
        expect(existsSync(out('away'))).toBe(false);
      });
    });
  });
});

function program(folder: string, name: string, lines: readonly string[]): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
}
