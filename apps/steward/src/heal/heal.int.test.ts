import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { steward } from '../testing/cli';
import { CLUSTER, poisonAndHeal } from './heal.contract';

describeWith(kafka, 'steward heal on Kafka', () => {
  let cluster: KafkaCluster;
  let log: Log;
  beforeAll(async () => {
    cluster = await startKafka();
    log = openKafkaLog({ brokers: cluster.bootstrap, clientId: 'test', replicationFactor: 1 });
    await log.ensureTopics(TOPICS);
  }, 180_000);
  afterAll(async () => {
    await log?.close();
    await cluster?.stop();
  });

  test('makes a poisoned stream known again', async () => {
    const brokers = cluster.bootstrap.join(',');
    await poisonAndHeal(
      (use) => use(log),
      (...options) =>
        steward(['heal', '--cluster', CLUSTER, '--kafka-brokers', brokers, ...options]),
    );
  });
});
