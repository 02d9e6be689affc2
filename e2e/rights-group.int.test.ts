import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { type Service, startService } from './support/service';
import { until } from '@ovn-steward/shared/testing/until';

const USER = { name: 'groupless', password: 'some-pass-1' };
/** From the first refusal on these are more than 15 s, after which a member of a group that is given nothing counts as standing by. */
const REFUSALS = 6;

describeWith(kafka, 'a Kafka that lets its user read no consumer group', () => {
  let folder: string;
  let brokers: KafkaCluster;
  let service: Service | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-groupless-'));
    brokers = await startKafka({
      security: {
        users: [USER],
        acls: [
          {
            user: USER.name,
            resource: 'topic',
            name: 'steward.',
            prefix: true,
            operations: ['DESCRIBE', 'DESCRIBE_CONFIGS', 'CREATE', 'READ', 'WRITE'],
          },
          {
            user: USER.name,
            resource: 'group',
            name: 'steward-',
            prefix: true,
            operations: ['DESCRIBE'],
          },
        ],
      },
    });
    writeFileSync(join(folder, 'ca.pem'), brokers.security!.ca);
  });
  afterEach(() => service?.kill());
  afterAll(async () => {
    await brokers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['analyzer', 'executor'] as const)(
    'the %s is not ready, says so in its log, and stays so',
    async (name) => {
      const started = (service = await startService(name, {
        settings: {
          cluster: 'groupless',
          stateDir: join(folder, name),
          'kafka.brokers': brokers.security!.sasl.join(','),
          'kafka.replicationFactor': '1',
          'kafka.tls.enabled': 'true',
          'kafka.tls.caCertificate': join(folder, 'ca.pem'),
          'kafka.sasl.mechanism': 'scram-sha-512',
          'kafka.sasl.username': USER.name,
          'kafka.sasl.password': USER.password,
        },
      }));
      await refused(started, REFUSALS);
      const answer = await fetch(`${started.url}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        {
          ready: false,
          missing: [
            {
              what: 'log',
              detail: expect.stringMatching(
                /the user groupless may not use the consumer group\. Grant it Read and Describe/,
              ),
            },
          ],
        },
      ]);
      expect(started.ends()).toBe(0);
    },
  );
});

/** Settles when the service logged so many refusals. */
async function refused(service: Service, times: number): Promise<void> {
  await until(
    () => service.output().split('log-forbidden').length > times,
    () => `${times} refusals: ${service.output()}`,
    { timeoutMs: 90_000 },
  );
}
