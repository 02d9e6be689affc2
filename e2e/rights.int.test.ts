import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeLetter } from '@ovn-steward/contracts/dead-letters/dead-letter-codec';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import {
  ACTIONS,
  CHANGES,
  CONTROL,
  DEAD_LETTER,
  FINDINGS,
  PARTITIONS,
  STATUS,
  TOPICS,
} from '@ovn-steward/shared/log/topics';
import { describeWith, kafka, ovn } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import type { KafkaAcl } from '@ovn-steward/testbed/kafka/acls';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { type Service, type ServiceName, startService } from './support/service';
import { STEWARD } from './support/steward';
import { readTopic } from './support/topic';
import { until } from '@ovn-steward/shared/testing/until';

const ROOT = join(__dirname, '..');
const CLUSTER = 'rights';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const PASSWORD = 'some-pass-1';
/** Where nothing listens: the discard port. */
const NOWHERE = 'http://127.0.0.1:9';
const OPERATIONS: Readonly<Record<string, KafkaAcl['operations'][number]>> = {
  Describe: 'DESCRIBE',
  DescribeConfigs: 'DESCRIBE_CONFIGS',
  Create: 'CREATE',
  Read: 'READ',
  Write: 'WRITE',
};

/** The table of docs/kafka.md, as what a cluster is set to allow. */
function granted(): KafkaAcl[] {
  const [, table] =
    /\| Principal \| Resource \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(
      readFileSync(join(ROOT, 'docs', 'kafka.md'), 'utf8'),
    ) ?? [];
  return table!
    .trim()
    .split('\n')
    .map((row) => {
      const [user, resource, name, operations] = row
        .split('|')
        .slice(1)
        .map((it) => it.trim().replaceAll('`', '')) as [string, string, string, string];
      const [kind, prefix] = resource.split(' ') as ['topic' | 'group', 'prefix' | undefined];
      return {
        user,
        resource: kind,
        name,
        prefix: prefix !== undefined,
        operations: operations.split(', ').map((it) => OPERATIONS[it]!),
      };
    });
}

const GRANTED = granted();
/** The same for a second group of clusters, as the page says: its prefix in the place of ours, and in front of groups. */
const EAST = 'east.steward.';
const inEast = (name: string): string => `east-${name}`;
const GRANTED_EAST = GRANTED.map((acl) => ({
  ...acl,
  user: inEast(acl.user),
  name: prefixedAsThePageSays(acl),
}));
function prefixedAsThePageSays({ resource, name }: KafkaAcl): string {
  return resource === 'topic' ? name.replace('steward.', EAST) : `${EAST}${name}`;
}
/** May compare topics, and make none. */
const COMPARER = 'comparer';
const USERS = [...new Set(GRANTED.map(({ user }) => user))];
const mayWrite = (user: string, topic: string): boolean =>
  GRANTED.some(
    (acl) =>
      acl.user === user &&
      acl.operations.includes('WRITE') &&
      (acl.prefix ? topic.startsWith(acl.name) : topic === acl.name),
  );

describeWith(ovn, 'with a Northbound server', () => {
  describeWith(kafka, 'and a Kafka that allows what docs/kafka.md says and nothing else', () => {
    let folder: string;
    let ca: string;
    let nb: OvnServer;
    let brokers: KafkaCluster;
    const services: Service[] = [];
    const logs: Log[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-rights-'));
      [nb, brokers] = await Promise.all([
        startOvnStandalone({ database: recording('leaky', 'nb.db') }),
        startKafka({
          security: {
            users: [...USERS, ...USERS.map(inEast), COMPARER].map((name) => ({
              name,
              password: PASSWORD,
            })),
            acls: [
              ...GRANTED,
              ...GRANTED_EAST,
              {
                user: COMPARER,
                resource: 'topic',
                name: 'steward.',
                prefix: true,
                operations: ['DESCRIBE', 'DESCRIBE_CONFIGS'],
              },
            ],
          },
        }),
      ]);
      writeFileSync((ca = join(folder, 'ca.pem')), brokers.security!.ca);
    });
    afterAll(async () => {
      await Promise.all([...logs.map((it) => it.close()), ...services.map((it) => it.kill())]);
      await Promise.all([nb?.stop(), brokers?.stop()]);
      rmSync(folder!, { recursive: true, force: true });
    });

    const kafkaSettings = (user: string) => ({
      'kafka.brokers': brokers.security!.sasl.join(','),
      'kafka.replicationFactor': '1',
      'kafka.tls.enabled': 'true',
      'kafka.tls.caCertificate': ca!,
      'kafka.sasl.mechanism': 'scram-sha-512',
      'kafka.sasl.username': user,
      'kafka.sasl.password': PASSWORD,
    });
    const start = async (name: ServiceName): Promise<Service> => {
      const own =
        name === 'collector'
          ? { 'ovnNb.remote': nb.remote, 'kubernetes.recording': recording('leaky', '.') }
          : name === 'notifier'
            ? {
                'notify.sinks': JSON.stringify({
                  nobody: { type: 'webhook', about: ['findings', 'actions'], url: NOWHERE },
                }),
              }
            : {};
      const service = await startService(name, {
        settings: {
          cluster: CLUSTER,
          stateDir: join(folder!, name),
          ...kafkaSettings(name),
          ...own,
        },
      });
      services.push(service);
      return service;
    };
    const as = (user: string, topicPrefix = 'steward.'): Log => {
      const log = openKafkaLog({
        brokers: brokers.security!.sasl,
        clientId: user,
        topicPrefix,
        replicationFactor: 1,
        tls: () => ({ ca: brokers.security!.ca }),
        sasl: { mechanism: 'plain', username: user, password: PASSWORD },
        timing: { queryMs: 5000, appendMs: 5000 },
      });
      logs.push(log);
      return log;
    };
    /** `steward dead-letters …` as the operator, who has his settings in the environment. */
    const deadLetters = (...args: string[]): Promise<string> => {
      const names = Object.entries(kafkaSettings('operator')).map(([path, value]) => [
        `STEWARD_${path.replaceAll('.', '__').replace(/[A-Z]/g, '_$&').toUpperCase()}`,
        value,
      ]);
      return new Promise((resolve) => {
        execFile(
          process.execPath,
          [STEWARD, 'dead-letters', ...args],
          {
            env: {
              PATH: process.env['PATH'] ?? '',
              HOME: '/nonexistent',
              ...(Object.fromEntries(names) as Record<string, string>),
            },
          },
          (_, stdout, stderr) => resolve(stdout + stderr),
        );
      });
    };
    const letters = async () =>
      (await readTopic(brokers.bootstrap, DEAD_LETTER)).flatMap(({ value, ...record }) => {
        const is = decodeLetter({ ...record, value: value === null ? null : Buffer.from(value) });
        return 'letter' in is ? [is.letter] : [];
      });

    test('the services make the topics, publish, judge, set aside and propose', async () => {
      await Promise.all(
        (
          await Promise.all(
            (['collector', 'analyzer', 'executor', 'notifier'] as const).map((it) => start(it)),
          )
        ).map((it) => it.ready()),
      );
      await until(
        async () => (await readTopic(brokers.bootstrap, FINDINGS)).length > 20,
        'more than 20 records of findings',
        { pauseMs: 300 },
      );
      const stranger = openKafkaLog({
        brokers: brokers.bootstrap,
        clientId: 'stranger',
        replicationFactor: 1,
      });
      logs.push(stranger);
      await stranger.append(CHANGES, PARTITION, [
        // Of a stream that nobody follows here, so that nothing newer takes its place.
        { key: `${CLUSTER}/ovn-sb/_unavailable/ovn-sb`, value: 'no JSON', timestamp: Date.now() },
      ]);
      await stranger.append(FINDINGS, PARTITION, [
        // A finding of this cluster by its key, and no finding by what it says.
        {
          key: 'stranger',
          value: JSON.stringify({ data: { id: 'stranger', cluster: CLUSTER } }),
          timestamp: Date.now(),
        },
      ]);
      await until(
        async () => new Set((await letters()).map(({ by }) => by)).size === 2,
        'dead letters of two services',
        { pauseMs: 300 },
      );
      expect(await Promise.all(services.map((it) => it.stop()))).toEqual([0, 0, 0, 0]);
      expect(
        services.filter((it) => it.output().includes('log-forbidden')).map((it) => it.output()),
      ).toEqual([]);
      for (const it of services) it.start();
      await Promise.all(services.map((it) => it.ready())); // the collector reads what it published, the analyzer what it published
    }, 180_000);

    test('the operator sees dead letters and replays them', async () => {
      for (const topic of [CHANGES, FINDINGS]) {
        const letter = (await letters()).find((it) => it.id.startsWith(topic));
        expect(await deadLetters()).toContain(letter!.id);
        const replayed = await deadLetters('replay', letter!.id, '--yes');
        expect([
          replayed,
          (await readTopic(brokers.bootstrap, topic)).some(
            (it) => it.headers['replay-of'] === letter!.id,
          ),
        ]).toEqual([expect.stringMatching(/^Replayed:/), true]);
      }
    });

    test('a subscriber follows the findings in a group of its own, and reads how far sources are known', async () => {
      const log = as('subscriber');
      const done = new AbortController();
      let seen = 0;
      await log.consume({
        group: 'my-tool-1',
        topics: [FINDINGS],
        resumeAt: () => 0n,
        signal: done.signal,
        onBatch: async ({ records }) => {
          seen += records.length;
          done.abort();
        },
      });
      expect(seen).toBeGreaterThan(0);
      const { records } = await log.read(STATUS, PARTITION, 0n, 100);
      expect(records.map(({ key }) => key)).toContain(`${CLUSTER}/ovn-nb`);
      await expect(log.read(CHANGES, PARTITION, 0n, 1)).rejects.toMatchObject({
        code: 'log-forbidden',
      });
    });

    test('the executor keeps its ledger, respects what an approver decides, and may share one cluster by itself; nobody else sees that', async () => {
      const executor = as('executor');
      const approver = as('approver');
      const { first } = await executor.append(ACTIONS, PARTITION, [
        { key: 'an-action', value: 'as the executor wrote it', timestamp: Date.now() },
      ]);
      expect(
        (await executor.read(ACTIONS, PARTITION, first, 1)).records.map(({ key }) => key),
      ).toEqual(['an-action']);
      expect(
        (await approver.read(ACTIONS, PARTITION, first, 1)).records.map(({ key }) => key),
      ).toEqual(['an-action']);
      const decided = await approver.append(CONTROL, PARTITION, [
        { key: `${CLUSTER}/hold/[]`, value: 'as the approver wrote it', timestamp: Date.now() },
      ]);
      expect((await executor.read(CONTROL, PARTITION, decided.first, 1)).records).toHaveLength(1);
      const done = new AbortController();
      const group = `steward-executor-${CLUSTER}`;
      await executor.consume({
        group,
        topics: [FINDINGS],
        resumeAt: () => 0n,
        signal: done.signal,
        onBatch: async ({ topic, partition, next }) => {
          await executor.commit(group, [{ topic, partition, offset: next }]);
          done.abort();
        },
      });
      expect(await executor.committed(group)).toHaveLength(1);
      for (const [user, topics] of [
        ['subscriber', [ACTIONS, CONTROL]],
        ['collector', [ACTIONS, CONTROL]],
        ['notifier', [CONTROL]], // it is sent what was done
        ['analyzer', [ACTIONS]], // it respects suppressions
      ] as const)
        for (const topic of topics)
          await expect(as(user).read(topic, PARTITION, 0n, 1)).rejects.toMatchObject({
            code: 'log-forbidden',
          });
    });

    test('each service makes the topics where it is the first, the executor says what it respects, and the collector sets aside', async () => {
      for (const user of ['collector', 'analyzer', 'executor', 'notifier'])
        await as(user, `steward.first-${user}.`).ensureTopics(TOPICS);
      const record = { key: `${CLUSTER}/heard/one`, value: 'respected', timestamp: Date.now() };
      await as('executor').append(CONTROL, PARTITION, [record]);
      await as('collector').append(DEAD_LETTER, PARTITION, [{ ...record, value: 'too large' }]);
    });

    test('no right on the page was without use so far', () => {
      const allowed = brokers.security!.allowed();
      const unused = GRANTED.flatMap(({ user, resource, name, prefix, operations }) =>
        operations
          .filter(
            (operation) =>
              !allowed.some(
                (right) =>
                  right.user === user &&
                  right.resource === resource &&
                  right.operation === operation &&
                  (prefix === true ? right.name.startsWith(name) : right.name === name),
              ),
          )
          .map((operation) => `${user}: ${operation} on ${resource} ${name}`),
      );
      expect(unused).toEqual([]);
    });

    test('who need not make topics needs no Create', async () => {
      await as(COMPARER).ensureTopics(TOPICS);
    });

    describe('and a second prefix', () => {
      const outcome = (work: Promise<unknown>): Promise<string | undefined> =>
        work.then(
          () => undefined,
          (thrown: { code?: string }) => thrown.code,
        );
      const record = { key: 'k', value: 'v', timestamp: Date.now() };

      test('its services make their topics, publish and follow in groups of their own', async () => {
        await as('collector').ensureTopics(TOPICS);
        const collector = as(inEast('collector'), EAST);
        const analyzer = as(inEast('analyzer'), EAST);
        await analyzer.ensureTopics(TOPICS);
        const { first } = await collector.append(CHANGES, 3, [record]);
        expect((await analyzer.read(CHANGES, 3, first, 1)).topic).toBe(CHANGES);
        const done = new AbortController();
        await analyzer.consume({
          group: 'steward-analyzer',
          topics: [CHANGES],
          resumeAt: () => 0n,
          signal: done.signal,
          onBatch: async ({ topic, partition, next }) => {
            await analyzer.commit('steward-analyzer', [{ topic, partition, offset: next }]);
            done.abort();
          },
        });
        expect(await analyzer.committed('steward-analyzer')).toEqual([
          { topic: CHANGES, partition: 3, offset: first + 1n },
        ]);
      });

      test.each<[string, (user: string) => string, string, string]>([
        ['ours', (user) => user, 'steward.', EAST],
        ['the other', inEast, EAST, 'steward.'],
      ])(
        'the accounts of %s neither read nor write the topics of the next, nor use its groups',
        async (_, name, own, foreign) => {
          for (const user of USERS) {
            const inside = as(name(user), own);
            const outside = as(name(user), foreign);
            const may = GRANTED.some((it) => it.user === user && it.operations.includes('READ'));
            const reads = await Promise.all(
              TOPICS.map((it) => outcome(inside.read(it.name, 0, 0n, 1))),
            );
            expect([user, reads.includes(undefined)]).toEqual([user, may]);
            for (const topic of TOPICS)
              expect([
                user,
                topic.name,
                await outcome(outside.read(topic.name, 0, 0n, 1)),
                await outcome(outside.append(topic.name, 0, [record])),
              ]).toEqual([user, topic.name, 'log-forbidden', 'log-forbidden']);
          }
          for (const user of ['analyzer', 'executor'])
            expect(await outcome(as(name(user), foreign).committed(`steward-${user}`))).toBe(
              'log-forbidden',
            );
        },
      );
    });

    test.each(USERS)('%s writes where the page says so, and nowhere else', async (user) => {
      const log = as(user);
      const allowed = await Promise.all(
        TOPICS.map(async ({ name }) => {
          const error = await log
            .append(name, 0, [{ key: 'k', value: 'v', timestamp: Date.now() }])
            .then(
              () => undefined,
              (thrown: { code?: string }) => thrown.code,
            );
          return error === undefined ? name : error === 'log-forbidden' ? undefined : error;
        }),
      );
      expect(allowed.filter((it) => it !== undefined)).toEqual(
        TOPICS.map(({ name }) => name).filter((it) => mayWrite(user, it)),
      );
    });
  });
});
