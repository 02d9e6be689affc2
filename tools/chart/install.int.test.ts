import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, helm, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { checked, startWorkload } from './as-process';
import { DEFINITIONS } from './definitions';
import {
  CHART,
  type ChartObject,
  helmRuns,
  KUBERNETES,
  objectsIn,
  only,
  podsOf,
  type PodSpec,
  rendered,
} from './rendered';
import { STRIMZI, VALUE_SETS } from './value-sets';

const NAMESPACE = 'ovn-steward';
/** For pods in the network of their node, by the level that lets them be. */
const PRIVILEGED = 'privileged';
const READER = `system:serviceaccount:${NAMESPACE}:ovn-steward`;
const TOKEN = 'token-of-the-reader';

const object = (kind: string, name: string, namespace: string, rest: object): KubernetesObject =>
  ({
    apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
    kind,
    metadata: { name, namespace },
    ...rest,
  }) as KubernetesObject;

/** Kube-OVN's controller, as its chart makes it where OVN speaks TLS. */
const CONTROLLER = {
  spec: {
    selector: { matchLabels: { app: 'c' } },
    template: {
      metadata: { labels: { app: 'c' } },
      spec: {
        containers: [{ name: 'c', image: 'c', env: [{ name: 'ENABLE_SSL', value: 'true' }] }],
      },
    },
  },
};

/**
 * The pods that the controllers would make of workloads: what a namespace lets pods do is asked of
 * these alone.
 */
const asPods = (objects: readonly ChartObject[]): readonly ChartObject[] =>
  objects
    .filter(({ kind }) => ['StatefulSet', 'Deployment'].includes(kind))
    .map(({ metadata, spec }) => {
      const { template, volumeClaimTemplates = [] } = spec as {
        template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
        volumeClaimTemplates?: readonly { metadata: { name: string } }[];
      };
      const claimed = volumeClaimTemplates.map((it) => ({ name: it.metadata.name, emptyDir: {} }));
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...template.metadata,
          name: metadata.name,
          namespace: template.spec.hostNetwork === true ? PRIVILEGED : NAMESPACE,
        },
        spec: { ...template.spec, volumes: [...template.spec.volumes, ...claimed] },
      };
    });

describeWith(helm, 'with Helm', () => {
  describeWith(kubernetes, 'on a real API server', () => {
    let cluster: KubernetesServer;
    let folder = '';

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-install-'));
      cluster = await startKubernetes({
        recording: recording('leaky', 'kubernetes.json'),
        rbac: true,
        users: [{ name: READER, token: TOKEN }],
      });
      const namespaces = [NAMESPACE, 'leases', 'network', 'monitoring', PRIVILEGED].map((name) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name,
          labels: {
            'pod-security.kubernetes.io/enforce': name === PRIVILEGED ? name : 'restricted',
          },
        },
      }));
      await cluster.apply([
        ...namespaces,
        ...DEFINITIONS,
        {
          apiVersion: 'node.k8s.io/v1',
          kind: 'RuntimeClass',
          metadata: { name: 'kata' },
          handler: 'kata',
        },
      ] as readonly KubernetesObject[]);
      await cluster.apply([
        object('Deployment', 'kube-ovn-controller', 'network', CONTROLLER),
        object('Secret', 'kube-ovn-tls', 'network', {
          data: { cacert: 'Y2E=', cert: 'Y2VydA==', key: 'a2V5' },
        }),
      ]);
    }, 180_000);
    afterAll(async () => {
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const run = (args: readonly string[], values: object = {}) =>
      helmRuns([...args, '--kubeconfig', cluster.kubeconfig], values, { HOME: folder });
    const inNamespace = (namespace = NAMESPACE) => ['--namespace', namespace, '--values', '-'];
    /** What an installation would make, with what the server says of itself. */
    const requested = (values: object, namespace?: string): readonly ChartObject[] => {
      const { status, stdout, stderr } = run(
        [
          'template',
          'ovn-steward',
          CHART,
          '--dry-run=server',
          '--kube-version',
          KUBERNETES,
          ...inNamespace(namespace),
        ],
        values,
      );
      if (status !== 0) throw new Error(stderr);
      return objectsIn(stdout);
    };

    test('the chart passes Helm’s own checks', () => {
      expect(helmRuns(['lint', '--strict', CHART])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('0 chart(s) failed'),
      });
    });

    test.each(Object.entries(VALUE_SETS))(
      '%s: the server takes every object and, in a restricted namespace, every pod, and knows every field',
      async (_, values) => {
        const objects = rendered(values);
        for (const each of [...objects, ...asPods(objects)]) {
          const { collection } = await cluster.api.paths(each as unknown as KubernetesObject);
          const made = (await cluster.api.send(
            'POST',
            `${collection}?dryRun=All&fieldValidation=Strict`,
            each,
          )) as KubernetesObject;
          expect(made.metadata.name).toBe(each.metadata.name);
        }
      },
    );

    test('finds the Northbound, and without TLS asks for none', () => {
      const { data } = only(requested({}), 'ConfigMap', 'ovn-steward');
      expect(data!['steward.yaml']).toContain('remote: tcp:ovn-nb.kube-system.svc:6641');
    });

    test('finds Kube-OVN’s TLS, and takes its Secret along', () => {
      const objects = requested({ kubeOvn: { namespace: 'network' } });
      const secret = only(objects, 'Secret');
      expect(secret).toMatchObject({
        metadata: { name: 'ovn-steward-kube-ovn-tls', namespace: NAMESPACE },
        data: { cacert: 'Y2E=', cert: 'Y2VydA==', key: 'a2V5' },
      });
      expect(only(objects, 'ConfigMap', 'ovn-steward').data!['steward.yaml']).toContain(
        'remote: ssl:ovn-nb.network.svc:6641',
      );
      expect(podsOf(objects).get('ovn-steward')!.volumes).toContainEqual(
        expect.objectContaining({
          name: 'ovn',
          secret: expect.objectContaining({ secretName: secret.metadata.name }),
        }),
      );
    });

    test('beside Kube-OVN mounts its Secret itself', () => {
      const objects = requested({ kubeOvn: { namespace: 'network' } }, 'network');
      expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
      expect(JSON.stringify(podsOf(objects).get('ovn-steward'))).toContain(
        '"secretName":"kube-ovn-tls"',
      );
    });

    describeWith(ovn, 'and with a Northbound', () => {
      let northbound: OvnServer;
      beforeAll(async () => {
        northbound = await startOvnStandalone({ database: recording('leaky', 'nb.db') });
      });
      afterAll(async () => {
        await northbound?.stop();
      });

      test('what is installed finds what is wrong, under the rights of its account', async () => {
        const installed = run(['install', 'ovn-steward', CHART, ...inNamespace()], {
          settings: { ovnNb: { remote: northbound.remote } },
        });
        expect(installed).toMatchObject({
          status: 0,
          stdout: expect.stringContaining('It removes nothing.'),
        });
        const made = run(['get', 'manifest', 'ovn-steward', '--namespace', NAMESPACE]).stdout;
        const objects = objectsIn(made);
        // As the pod's account, by its token.
        const kubeconfig = join(folder, 'reader');
        writeFileSync(
          kubeconfig,
          readFileSync(cluster.kubeconfig, 'utf8').replaceAll(cluster.token, TOKEN),
        );
        const running = await startWorkload(objects, 'ovn-steward', { folder, kubeconfig });
        try {
          expect(await checked([running.address])).toBe(0);
          const answer = await fetch(`http://${running.address}/findings?limit=100`);
          const { ready, findings } = (await answer.json()) as {
            ready: boolean;
            findings: object[];
          };
          expect(ready).toBe(true);
          expect(findings.length).toBeGreaterThan(20);
          // As docs/deploy.md has it: kubectl exec … steward.cjs findings, with the environment of
          // the container.
          const { stdout } = spawnSync(process.execPath, [running.argv[0]!, 'findings'], {
            env: running.env,
            encoding: 'utf8',
          });
          expect(stdout).toContain('leaked-ip: IP old-gt5wbpn487-mh5hc.legacy');
        } finally {
          await running.stop();
        }
      }, 180_000);
    });

    test('is upgraded to Kafka, and uninstalled but for the topics', async () => {
      const upgraded = run(
        ['upgrade', '--install', 'ovn-steward', CHART, ...inNamespace()],
        STRIMZI,
      );
      expect(upgraded).toMatchObject({ status: 0, stderr: '' });
      const there = async (path: string): Promise<readonly string[]> =>
        ((await cluster.api.get(path)) as { items: KubernetesObject[] }).items.map(
          ({ metadata }) => metadata.name,
        );
      const sets = `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets`;
      expect(await there(sets)).toEqual([
        'ovn-steward-analyzer',
        'ovn-steward-collector',
        'ovn-steward-executor',
      ]);
      expect(run(['uninstall', 'ovn-steward', '--namespace', NAMESPACE])).toMatchObject({
        status: 0,
      });
      expect(await there(sets)).toEqual([]);
      const roles = await there('/apis/rbac.authorization.k8s.io/v1/clusterroles');
      expect(roles.filter((it) => it.startsWith('ovn-steward'))).toEqual([]);
      expect(
        await there(`/apis/kafka.strimzi.io/v1/namespaces/${NAMESPACE}/kafkatopics`),
      ).toHaveLength(TOPICS.length);
    });
  });
});
