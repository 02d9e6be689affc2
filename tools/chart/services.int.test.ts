import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, helm, kafka, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import type { KafkaAcl } from '@ovn-steward/testbed/kafka/acls';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { checked, type Running, startWorkload } from './as-process';
import { type ChartObject, rendered } from './rendered';
import { STRIMZI } from './value-sets';

const PASSWORD = 'some-pass-1';
const SERVICES = ['collector', 'analyzer', 'executor'].map((it) => `ovn-steward-${it}`);

interface Acl {
  readonly resource: { readonly type: string; readonly name: string; readonly patternType: string };
  readonly operations: readonly string[];
}

/** What Strimzi's User Operator would allow on the brokers. */
const grantedBy = (objects: readonly ChartObject[]): readonly KafkaAcl[] =>
  objects
    .filter(({ kind }) => kind === 'KafkaUser')
    .flatMap(({ metadata, spec }) =>
      (spec as { authorization: { acls: readonly Acl[] } }).authorization.acls.map(
        ({ resource, operations }) => ({
          user: metadata.name,
          resource: resource.type as KafkaAcl['resource'],
          name: resource.name,
          prefix: resource.patternType === 'prefix',
          operations: operations.map(
            (it) =>
              it.replace(/(?!^)[A-Z]/g, '_$&').toUpperCase() as KafkaAcl['operations'][number],
          ),
        }),
      ),
    );

describeWith(helm, 'with Helm', () => {
  describeWith(kubernetes, 'a real API server', () => {
    describeWith(ovn, 'a Northbound', () => {
      describeWith(kafka, 'and brokers that allow what the KafkaUsers say and nothing else', () => {
        let folder = '';
        let cluster: KubernetesServer;
        let northbound: OvnServer;
        let brokers: KafkaCluster;
        const running: Running[] = [];

        beforeAll(async () => {
          folder = mkdtempSync(join(tmpdir(), 'steward-services-'));
          [cluster, northbound, brokers] = await Promise.all([
            startKubernetes({ recording: recording('leaky', 'kubernetes.json') }),
            startOvnStandalone({ database: recording('leaky', 'nb.db') }),
            startKafka({
              security: {
                users: SERVICES.map((name) => ({ name, password: PASSWORD })),
                acls: [...grantedBy(rendered(STRIMZI))],
              },
            }),
          ]);
        }, 180_000);
        afterAll(async () => {
          await Promise.all(running.map((it) => it.stop()));
          await Promise.all([cluster?.stop(), northbound?.stop(), brokers?.stop()]);
          rmSync(folder, { recursive: true, force: true });
        });

        test('the three services make their topics, become ready, and what is found comes to the executor', async () => {
          for (const [file, text] of [
            ['kafka/password', PASSWORD],
            ['kafka-ca/ca.pem', brokers.security!.ca],
          ] as const) {
            mkdirSync(join(folder, file, '..'), { recursive: true });
            writeFileSync(join(folder, file), text);
          }
          const objects = rendered({
            ...STRIMZI,
            settings: {
              kafka: { brokers: brokers.security!.sasl, replicationFactor: 1 },
              ovnNb: { remote: northbound.remote },
              grace: { garbage: '0s', leak: '0s' },
            },
          });
          // What is mounted in a pod lies in a folder here.
          const mountedHere = JSON.parse(
            JSON.stringify(objects).replaceAll(/\/etc\/ovn-steward\/(?=kafka)/g, `${folder}/`),
          ) as readonly ChartObject[];
          for (const name of SERVICES)
            running.push(
              await startWorkload(mountedHere, name, { folder, kubeconfig: cluster.kubeconfig }),
            );
          expect(await checked(running.map((it) => it.address))).toBe(0);
          // Without graces what is seen twice, a sign of life of the servers apart, is confirmed: a
          // minute or two.
          await waitFor(
            async () => {
              const answer = await fetch(`http://${running[2]!.address}/proposals`);
              return ((await answer.json()) as { proposals: object[] }).proposals.length > 5;
            },
            { what: 'proposals of the executor', timeoutMs: 300_000 },
          );
          expect(running.map((it) => it.output()).join('')).not.toContain('log-forbidden');
        }, 450_000);
      });
    });
  });
});
