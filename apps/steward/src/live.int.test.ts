import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import type { OvnServer } from '@ovn-steward/testbed/ovn';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { steward } from './testing/cli';
import { RECORDINGS } from './testing/truth';

const NAME = 'leaky';
const OFFLINE = [
  '--ovn-nb',
  join(RECORDINGS, NAME, 'nb.db'),
  '--kubernetes',
  join(RECORDINGS, NAME),
];

interface Document {
  readonly sources: readonly {
    readonly id: string;
    readonly complete: boolean;
    readonly counts: Readonly<Record<string, number>>;
  }[];
  readonly findings: readonly {
    readonly id: string;
    readonly summary: string;
    readonly proof: unknown;
    readonly concerns: readonly { readonly uid: string }[];
  }[];
  readonly unknowns: readonly { readonly rule: string; readonly reason: string }[];
}

async function audit(
  args: readonly string[],
): Promise<{ document: Document; code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await steward(['audit', '--output', 'json', ...args]);
  return { document: JSON.parse(stdout || '{}') as Document, code, stderr };
}

const essence = ({ findings }: Document): string[] =>
  findings
    .map(({ id, summary, proof, concerns }) =>
      JSON.stringify({ id, summary, proof, concerns: concerns.map((it) => it.uid) }),
    )
    .sort();

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'and a living Kubernetes', () => {
    let database: OvnServer;
    let cluster: KubernetesServer;
    let folder = '';
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-live-'));
      database = await startOvnStandalone({ database: recording(NAME, 'nb.db'), tls: true });
      cluster = await startKubernetes({
        recording: recording(NAME, 'kubernetes.json'),
        rbac: true,
        users: [{ name: 'nobody', token: 'nobody-token' }],
      });
    });
    afterAll(async () => {
      await cluster?.stop();
      await database?.stop();
      rmSync(folder, { recursive: true });
    });
    const live = (): string[] => ['--ovn-nb', database.remote, '--kubernetes', cluster.kubeconfig];

    test('the audit finds what it finds in the recording of the same', async () => {
      const recorded = await audit(OFFLINE);
      const living = await audit(live());
      expect(essence(living.document)).toEqual(essence(recorded.document));
      expect(living.document.sources.map((it) => [it.id, it.complete])).toEqual([
        ['kubernetes', true],
        ['ovn-nb', true],
      ]);
      expect(living.code).toBe(2);
    });

    test('the audit reads over TLS with a client certificate, and over a unix socket', async () => {
      const { ca, certificate, key } = database.tlsFiles!;
      const tls = await audit([
        '--ovn-nb',
        database.tlsRemote!,
        '--ovn-ca',
        ca,
        '--ovn-cert',
        certificate,
        '--ovn-key',
        key,
        '--kubernetes',
        join(RECORDINGS, NAME),
      ]);
      const unix = await audit([
        '--ovn-nb',
        database.unixRemote,
        '--kubernetes',
        join(RECORDINGS, NAME),
      ]);
      expect(essence(tls.document)).toEqual(essence(unix.document));
      expect(tls.code).toBe(2);
    });

    test('a recording of the living systems gives the same findings, and holds no secret', async () => {
      await cluster.api.send('POST', '/api/v1/namespaces/default/secrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'mine' },
        stringData: { password: 'hunter2-secret' },
      });
      await cluster.api.send('POST', '/api/v1/namespaces/default/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'with-env' },
        spec: {
          containers: [{ name: 'c', image: 'i', env: [{ name: 'TOKEN', value: 'hunter2-env' }] }],
        },
      });
      const out = join(folder, 'recording');
      const { code, stderr } = await steward(['record', '--out', out, ...live()]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const file of readdirSync(out))
        expect(readFileSync(join(out, file), 'latin1')).not.toContain('hunter2');
      const living = await audit(live());
      const read = await audit(['--ovn-nb', join(out, 'nb.db'), '--kubernetes', out]);
      expect(essence(read.document)).toEqual(essence(living.document));
      const served = await startOvnStandalone({ database: join(out, 'nb.db') });
      await served.stop();
    });

    test('a database that cannot be recorded for want of a place is said in a sentence', async () => {
      const out = join(folder, 'occupied');
      mkdirSync(join(out, 'nb.db', 'by somebody'), { recursive: true });
      const { code, stderr } = await steward(['record', '--out', out, ...live()]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/nb\.db could not be written: .*Check the folder/);
      expect(stderr).not.toContain('unexpected error');
    });

    test.each<[string, () => string[], RegExp]>([
      [
        'a wrong certificate authority',
        () => [
          '--ovn-nb',
          database.tlsRemote!,
          '--ovn-ca',
          otherAuthority(),
          '--kubernetes',
          join(RECORDINGS, NAME),
        ],
        /certificate/i,
      ],
      [
        'no client certificate',
        () => [
          '--ovn-nb',
          database.tlsRemote!,
          '--ovn-ca',
          database.tlsFiles!.ca,
          '--kubernetes',
          join(RECORDINGS, NAME),
        ],
        /certificate/i,
      ],
      [
        'a cluster with another authority',
        () => [
          '--ovn-nb',
          database.remote,
          '--kubernetes',
          kubeconfig({ ca: readFileSync(database.tlsFiles!.ca, 'utf8') }),
        ],
        /certificate/i,
      ],
      [
        'a token the cluster does not know',
        () => ['--ovn-nb', database.remote, '--kubernetes', kubeconfig({ token: 'wrong' })],
        /401|token|credentials|Unauthorized/i,
      ],
      [
        'a cluster that is not there',
        () => [
          '--ovn-nb',
          database.remote,
          '--kubernetes',
          kubeconfig({ url: 'https://127.0.0.1:1' }),
        ],
        /127\.0\.0\.1:1/,
      ],
    ])('%s ends in one clear sentence and exit code 1', async (_, args, says) => {
      const { code, stderr } = await audit([...args(), '--timeout', '25']);
      expect(stderr).toMatch(says);
      expect(stderr).not.toMatch(/\n\s+at |unexpected error|wrong-secret/);
      expect(code).toBe(1);
    });

    test('a user who may read nothing learns nothing, and gets an error', async () => {
      const { document, code, stderr } = await audit([
        '--ovn-nb',
        database.remote,
        '--kubernetes',
        kubeconfig({ token: 'nobody-token' }),
      ]);
      expect(stderr).toMatch(/forbidden|403|may not/i);
      expect(document.findings).toBeUndefined();
      expect(code).toBe(1);
    });

    function otherAuthority(): string {
      const path = join(folder, 'other-ca.pem');
      if (!existsSync(path)) writeFileSync(path, cluster.ca);
      return path;
    }

    function kubeconfig({
      url = cluster.url,
      token = cluster.token,
      ca = cluster.ca,
    }: {
      url?: string;
      token?: string;
      ca?: string;
    }): string {
      const path = join(folder, `kubeconfig-${Math.random().toString(36).slice(2)}.json`);
      writeFileSync(path, kubeconfigText(url, ca, token));
      return path;
    }
  });
});
