import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, helm, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { CHART, helmRuns } from './rendered';
import { KAFKA, VALUE_SETS } from './value-sets';

const SIGNED = { signing: { secretName: 'key', trustedKeysConfigMap: 'trusted' } };
const ACTING = { executor: { mode: 'propose' } };
const CURL = `curl 'http://127.0.0.1:9470/findings?state=confirmed'`;
const SECURE_CURL = `curl --cacert ca.crt --header "Authorization: Bearer $TOKEN" 'https://127.0.0.1:9470/findings?state=confirmed'`;
const EXEC = 'exec ovn-steward-0 -- node apps/steward/bin/steward.cjs';

describeWith(helm, 'what Helm says after an installation', () => {
  describeWith(kubernetes, 'into a real API server', () => {
    let cluster: KubernetesServer;
    let folder = '';
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-notes-'));
      cluster = await startKubernetes();
    });
    afterAll(async () => {
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Without the objects whose definitions are not there. @throws Error with what Helm said. */
    const notes = (values: object): string => {
      const { status, stdout, stderr } = helmRuns(
        [
          ...['install', 'ovn-steward', CHART, '--namespace', 'network', '--dry-run=client'],
          ...['--values', '-', '--kubeconfig', cluster.kubeconfig],
        ],
        { ...values, metrics: {} },
        { HOME: folder },
      );
      if (status !== 0) throw new Error(stderr);
      return stdout.slice(stdout.indexOf('NOTES:'));
    };

    test.each<[string, object, string[], string[]]>([
      [
        'reading in one pod',
        {},
        ['It removes nothing.', `--namespace network ${EXEC} findings`, CURL],
        ['Bearer', 'hold'],
      ],
      [
        'removing in one pod',
        { settings: ACTING },
        ['It may remove', `--namespace network ${EXEC} hold --reason`, `${EXEC} resume`],
        ['It removes nothing'],
      ],
      [
        'with a login',
        VALUE_SETS['embedded, with a login']!,
        [SECURE_CURL, `${EXEC} findings`, 'ovn-steward-viewer'],
        [CURL],
      ],
      [
        'on Kafka',
        KAFKA,
        ['port-forward statefulset/ovn-steward-analyzer 9470', CURL],
        ['steward.cjs', 'hold'],
      ],
      [
        'removing on Kafka',
        { ...KAFKA, ...SIGNED, settings: { ...KAFKA.settings, ...ACTING } },
        ['steward hold --reason "look at this first" --kafka-brokers kafka:9092'],
        ['steward.cjs', '--server'],
      ],
      [
        'deciding over HTTP on Kafka',
        VALUE_SETS['kafka, with a login by OIDC, deciding over HTTP']!,
        [
          SECURE_CURL,
          'steward hold --reason "look at this first" --server https://ovn-steward-executor.network:9470',
        ],
        ['steward.cjs', '--kafka-brokers'],
      ],
      [
        'without a volume',
        { embedded: { persistence: { enabled: false } } },
        ['WARNING: embedded.persistence.enabled is false'],
        [],
      ],
    ])('%s: what to type, and nothing that would not work', (_, values, says, never) => {
      const text = notes(values);
      for (const it of says) expect(text).toContain(it);
      for (const it of never) expect(text).not.toContain(it);
      expect(text).toContain('helm test ovn-steward --namespace network');
    });
  });
});
