import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describeWith, kafka, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { type Service, type ServiceName, startService } from './support/service';
import { STEWARD } from './support/steward';
import { readTopic } from './support/topic';
import { until } from '@ovn-steward/shared/testing/until';

const FINDINGS = 'steward.findings.v1';
const CLUSTER = 'services';

const get = async <T>(service: Service, path: string): Promise<T> =>
  (await (await fetch(service.url + path)).json()) as T;
const logged = (service: Service): Record<string, unknown>[] =>
  service
    .output()
    .split('\n')
    .filter((it) => it.startsWith('{'))
    .map((it) => JSON.parse(it) as Record<string, unknown>);

describeWith(ovn, 'with a Northbound server', () => {
  describeWith(kafka, 'and Kafka, the three services', () => {
    let folder: string;
    let nb: OvnServer;
    let brokers: KafkaCluster;
    const services: Service[] = [];
    const start = async (name: ServiceName): Promise<Service> => {
      const service = await startService(name, {
        settings: {
          cluster: CLUSTER,
          stateDir: join(folder, name),
          'kafka.brokers': brokers.bootstrap.join(','),
          'kafka.replicationFactor': '1',
          'log.level': 'debug',
          ...(name === 'collector'
            ? { 'ovnNb.remote': nb.remote, 'kubernetes.recording': recording('leaky', '.') }
            : {}),
        },
      });
      services.push(service);
      return service;
    };

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-services-'));
      [nb, brokers] = await Promise.all([
        startOvnStandalone({ database: recording('leaky', 'nb.db') }),
        startKafka(),
      ]);
    });
    afterAll(async () => {
      await Promise.all(services.map((it) => it.kill()));
      await Promise.all([nb?.stop(), brokers?.stop()]);
      rmSync(folder, { recursive: true, force: true });
    });

    test('find what one audit finds, show it, log where it came from, and end in order', async () => {
      const [collector, analyzer, executor] = (await Promise.all([
        start('collector'),
        start('analyzer'),
        start('executor'),
      ])) as [Service, Service, Service];
      await Promise.all(services.map((it) => it.ready()));

      const expected = await audited(nb.remote);
      expect(expected.length).toBeGreaterThan(20);
      const published = await until(
        async () => {
          const ids = new Set(
            (await readTopic(brokers.bootstrap, FINDINGS))
              .filter((it) => it.value !== null)
              .map((it) => it.key),
          );
          return ids.size >= expected.length ? [...ids].sort() : undefined;
        },
        `${expected.length} findings on the topic`,
        { pauseMs: 200 },
      );
      expect(published).toEqual(expected);

      const page = await get<{ total: number; ready: boolean; findings: { id: string }[] }>(
        analyzer,
        `/findings?cluster=${CLUSTER}&limit=1000`,
      );
      expect(page.findings.map((it) => it.id).sort()).toEqual(expected);
      expect(await get(analyzer, '/findings?cluster=other')).toMatchObject({
        statusCode: 404,
        message: 'Nothing is known of the cluster other here',
      });
      expect(await get(analyzer, `/findings/${expected[0]}`)).toMatchObject({
        id: expected[0],
        cluster: CLUSTER,
      });
      expect(
        await until(
          async () =>
            (await get<{ ready: boolean }>(analyzer, `/findings?cluster=${CLUSTER}`)).ready,
          'the analyzer to know all of the cluster',
        ),
      ).toBe(true);
      expect(await get(collector, '/status')).toMatchObject({
        service: 'collector',
        cluster: CLUSTER,
        role: 'leading',
        ready: true,
      });
      expect(await get(analyzer, '/status')).toMatchObject({
        service: 'analyzer',
        clusters: [{ cluster: CLUSTER, ready: true, summary: { findings: expected.length } }],
      });
      expect(await get(executor, '/status')).toMatchObject({ service: 'executor', ready: true });
      expect(await (await fetch(`${analyzer.url}/metrics`)).text()).toMatch(
        new RegExp(
          `^steward_findings\\{cluster="${CLUSTER}",rule="leaked-ip",class="leak",state="suspected",severity="warning"\\} [1-9]`,
          'm',
        ),
      );

      for (const it of services) expect([it.name, await undescribed(it)]).toEqual([it.name, []]);

      // From a finding to the batch of changes it came from to the stream they were reported on.
      const finding = logged(analyzer).find((it) => it['message'] === 'finding published')!;
      expect(finding).toMatchObject({
        cluster: CLUSTER,
        revision: 1,
        rule: expect.any(String),
        changes: expect.stringMatching(/^\d+\/\d+-\d+$/),
      });
      const [partition, range] = (finding['changes'] as string).split('/') as [string, string];
      const [first, last] = range.split('-').map(Number) as [number, number];
      const reported = logged(collector).filter(
        (line) =>
          line['message'] === 'changes published' &&
          line['partition'] === Number(partition) &&
          (line['offsets'] as string[]).some((each) => {
            const [from, to] = each.split('-').map(Number) as [number, number];
            return from <= last && to >= first;
          }),
      );
      expect(reported.length).toBeGreaterThan(0);
      expect(reported[0]).toMatchObject({
        service: 'collector',
        cluster: CLUSTER,
        stream: expect.any(String),
        seqs: expect.stringMatching(/^\d+-\d+$/),
      });

      expect(await Promise.all(services.map((it) => it.stop()))).toEqual([0, 0, 0]);
      for (const service of services) {
        const lines = logged(service);
        const order = lines
          .slice(lines.findIndex((it) => it['message'] === 'stopping'))
          .filter((it) =>
            ['stopping', 'work ended', 'closed', 'stopped'].includes(it['message'] as string),
          )
          .map((it) => it['what'] ?? it['message']);
        expect([service.name, order]).toEqual([
          service.name,
          [
            'stopping',
            'work ended',
            'log',
            ...(service.name === 'analyzer' ? [] : ['state']),
            'stopped',
          ],
        ]);
        expect(service.ends()).toBe(0);
      }
    }, 180_000);

    test('services whose broker died say so, stay alive, and still end when asked to', async () => {
      const named = await Promise.all(
        (['collector', 'analyzer', 'executor'] as const).map((it) => start(it)),
      );
      await Promise.all(named.map((it) => it.ready()));
      await brokers.nodes[0]!.kill();
      for (const service of named) {
        const { ready } = await until(async () => {
          const readiness = await get<{ ready: boolean; missing: { what: string }[] }>(
            service,
            '/readyz',
          );
          // Partitions may be lost first: the group knows sooner than who asks the brokers.
          return readiness.missing.some((lack) => lack.what === 'log') ? readiness : undefined;
        }, `the ${service.name} to miss the log`);
        expect([service.name, ready]).toEqual([service.name, false]);
        expect((await fetch(`${service.url}/livez`)).status).toBe(200);
        // A reader of the log notices first, and the metric with the next question to the brokers.
        await until(
          async () =>
            /^steward_log_reachable 0$/m.test(await (await fetch(`${service.url}/metrics`)).text()),
          `the ${service.name} to count the log as not reachable`,
        );
      }
      expect(
        await Promise.all(named.map(async (it) => [it.name, await it.stop(), it.ends()])),
      ).toEqual([
        ['collector', 0, 0],
        ['analyzer', 0, 0],
        ['executor', 0, 0],
      ]);
      await brokers.nodes[0]!.start();
    }, 180_000);

    test('a service without brokers waits for them and says so', async () => {
      const waiting = await startService('analyzer', {
        settings: { stateDir: join(folder, 'waiting'), 'kafka.brokers': '127.0.0.1:1' },
      });
      services.push(waiting);
      const readiness = await until(async () => {
        const answer = await get<{ ready: boolean; missing: { what: string; detail: string }[] }>(
          waiting,
          '/readyz',
        ).catch(() => undefined);
        return answer?.missing[0]?.detail.includes('127.0.0.1:1') ? answer : undefined;
      }, 'the analyzer to name the brokers that do not answer');
      expect(readiness).toMatchObject({ ready: false, missing: [{ what: 'log' }] });
      expect((await fetch(`${waiting.url}/livez`)).status).toBe(200);
      expect(await waiting.stop()).toBe(0);
      expect(waiting.ends()).toBe(0);
    }, 180_000);
  });
});

/** What is right on a path where that is not 200 alone. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  // Without a key the executor signs no decision, so that it opens none.
  '/decisions': ['503'],
  // On a busy machine a service that was ready may wait for a moment again.
  '/readyz': ['200', '503'],
};

/** What a service answers on its routes that its own OpenAPI document does not allow. */
async function undescribed(service: Service): Promise<string[]> {
  const document = await get<{
    paths: Record<
      string,
      {
        /** None where a path takes decisions only. */
        get?: {
          responses: Record<string, { content: Record<string, { schema?: { $ref: string } }> }>;
        };
      }
    >;
  }>(service, '/openapi.json');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', ...document });
  const wrong: string[] = [];
  let tried = 0;
  for (const [path, { get: read }] of Object.entries(document.paths)) {
    if (read?.responses['200'] === undefined || path.includes('{')) continue;
    const answer = await fetch(service.url + path);
    const status = String(answer.status);
    const [content] = Object.values(read.responses[status]?.content ?? {});
    if (content?.schema === undefined) {
      if (status !== '200') wrong.push(`${path}: ${status} ${await answer.text()}`);
      continue;
    }
    const valid = ajv.getSchema(`openapi${content.schema.$ref}`)!;
    tried += 1;
    if (!(ANSWERS[path] ?? ['200']).includes(status))
      wrong.push(`${path}: ${status} ${await answer.text()}`);
    else if (!valid(await answer.json())) wrong.push(`${path}: ${ajv.errorsText(valid.errors)}`);
  }
  return tried > 2 ? wrong : [`only ${tried} routes were tried`];
}

/** The ids of what `steward audit` finds. */
function audited(remote: string): Promise<string[]> {
  const args = [
    STEWARD,
    'audit',
    '--cluster',
    CLUSTER,
    '--ovn-nb',
    remote,
    '--kubernetes',
    recording('leaky', '.'),
    '--output',
    'json',
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      {
        env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        if (error && error.code !== 2) return reject(new Error(stderr || error.message));
        resolve(
          (JSON.parse(stdout) as { findings: { id: string }[] }).findings.map((it) => it.id).sort(),
        );
      },
    );
  });
}
