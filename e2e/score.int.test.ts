import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kafka, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { startSteward, steward } from '../apps/steward/src/testing/cli';
import { type Service, startService } from './support/service';

const CLUSTER = 'scored';
/** All that is dead is due after a second, and what is missing for as long is an outage. */
const GRACE = {
  STEWARD_CLUSTER: CLUSTER,
  STEWARD_GRACE__GARBAGE: '1s',
  STEWARD_GRACE__LEAK: '1s',
  STEWARD_GRACE__MISSING: '1s',
};
const IN_TIME = { timeoutMs: 90_000 };

interface Release {
  readonly release: string;
  readonly late: { readonly count: number };
  readonly missed: { readonly count: number };
  readonly removedAlive: {
    readonly cases: readonly { readonly subject: { readonly name: string } }[];
  };
}

/** Of `leaky`: the port of a running pod, and a set that nobody has. */
const ALIVE = 'redis-0.shop';
const DEAD = 'pool.tmp';

/** Series of the score, by name and what else than the release they say. */
async function scraped(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((it) => it.startsWith('steward_score_') && it.includes('release="v1.17.0"'))
      .map((line): [string, number] => {
        const name = line.slice('steward_score_'.length, line.indexOf('{'));
        const when = /when="([^"]+)"/.exec(line)?.[1];
        return [when === undefined ? name : `${name} ${when}`, Number(line.split('} ')[1])];
      }),
  );
}

describeWith(ovn, 'with a living Northbound', () => {
  describeWith(kubernetes, 'and a living Kubernetes', () => {
    let folder = '';
    let nb: OvnServer;
    let cluster: KubernetesServer;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-score-'));
      [nb, cluster] = await Promise.all([
        startOvnStandalone({ database: recording('leaky', 'nb.db') }),
        startKubernetes({ recording: recording('leaky', 'kubernetes.json') }),
      ]);
    });
    afterEach(async () => {
      await Promise.all([nb?.stop(), cluster?.stop()]);
      rmSync(folder, { recursive: true, force: true });
    });
    const read = (): string[] => ['--ovn-nb', nb.remote, '--kubernetes', cluster.kubeconfig];
    /** One that is dead goes late, and one of a living pod goes. */
    const act = async (): Promise<void> => {
      await nb.nbctl('destroy', 'Address_Set', DEAD);
      await nb.nbctl('lsp-del', ALIVE);
    };
    const graded = ({ stdout }: { readonly stdout: string }): Release =>
      (JSON.parse(stdout) as { releases: Release[] }).releases[0]!;
    const LATE = { release: 'v1.17.0', late: { count: expect.any(Number) } };

    test('the command grades what it follows, and writes nothing', async () => {
      const running = steward(
        ['score', ...read(), '--for', '40s', '--due', '1s', '--output', 'json'],
        GRACE,
      );
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      await act();
      const outcome = await running;
      const score = graded(outcome);
      expect(score).toMatchObject(LATE);
      expect(score.late.count).toBeGreaterThan(0);
      expect(score.missed.count).toBeGreaterThan(20);
      expect(score.removedAlive.cases.map((it) => it.subject.name)).toContain('redis-0');
      expect(outcome.code).toBe(2);
    });

    test('`steward run` shows it as metrics, and its state folder is graded beside it', async () => {
      const state = join(folder, 'state');
      const child = startSteward(
        ['run', ...read(), '--state-dir', state, '--listen', '127.0.0.1:0'],
        GRACE,
      );
      let stderr = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.stdout!.resume();
      const ended = new Promise((resolve) => child.on('close', resolve));
      try {
        const url = await waitFor(() => /^Listening on (http:\S+)$/m.exec(stderr)?.[1], {
          what: 'steward run to listen',
          ...IN_TIME,
        });
        await metricsOverTime(url, act);
        const score = graded(
          await steward(['score', '--state-dir', state, '--due', '1s', '--output', 'json'], GRACE),
        );
        expect(score.missed.count).toBeGreaterThan(20);
      } finally {
        child.kill('SIGTERM');
        await ended;
      }
    }, 180_000);

    describeWith(kafka, 'and Kafka', () => {
      let brokers: KafkaCluster;
      const services: Service[] = [];
      beforeAll(async () => {
        brokers = await startKafka();
      });
      afterAll(async () => {
        await Promise.all(services.map((it) => it.kill()));
        await brokers?.stop();
      });

      test('the analyzer shows it as metrics, and the topic is graded beside it', async () => {
        for (const name of ['collector', 'analyzer'] as const)
          services.push(
            await startService(name, {
              settings: {
                cluster: CLUSTER,
                stateDir: join(folder, name),
                'kafka.brokers': brokers.bootstrap.join(','),
                'kafka.replicationFactor': '1',
                'grace.garbage': '1s',
                'grace.leak': '1s',
                'grace.missing': '1s',
                ...(name === 'collector' && {
                  'ovnNb.remote': nb.remote,
                  'kubernetes.kubeconfig': cluster.kubeconfig,
                  'lease.enabled': 'never',
                }),
              },
            }),
          );
        await Promise.all(services.map((it) => it.ready()));
        await metricsOverTime(services[1]!.url, act);
        const score = graded(
          await steward(
            [
              ...['score', '--kafka-brokers', brokers.bootstrap.join(','), '--cluster', CLUSTER],
              ...['--due', '1s', '--output', 'json'],
            ],
            GRACE,
          ),
        );
        expect(score.missed.count).toBeGreaterThan(20);
      }, 180_000);
    });
  });
});

/** What is left is missed; then one of it goes late, and something alive is removed. */
async function metricsOverTime(url: string, act: () => Promise<void>): Promise<void> {
  const reach = (what: string, is: (it: ReadonlyMap<string, number>) => boolean) =>
    waitFor(
      async () => {
        const metrics = await scraped(url);
        return is(metrics) && metrics;
      },
      { what, ...IN_TIME },
    );
  const before = await reach('what is left to be missed', (it) => (it.get('missed') ?? 0) > 20);
  expect(before.get('collected_total late')).toBe(0);
  expect(before.get('removed_alive_total')).toBe(0);
  expect(before.get('missed_oldest_seconds')).toBeGreaterThan(0);
  await act();
  const after = await reach(
    'one to go late, and one alive to be removed',
    (it) => it.get('collected_total late')! > 0 && it.get('removed_alive_total')! > 0,
  );
  expect(after.get('late_longest_seconds')).toBeGreaterThan(0);
  expect(after.get('missed')).toBeLessThan(before.get('missed')!);
}
