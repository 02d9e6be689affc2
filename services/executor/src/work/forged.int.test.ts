import type { Log } from '@ovn-steward/shared/log/log';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { describeForgeries } from './forged.contract';

describeWith(kafka, 'on Kafka', () => {
  let cluster: KafkaCluster;
  const logs: Log[] = [];
  beforeAll(async () => {
    cluster = await startKafka();
  });
  afterAll(async () => {
    await Promise.all(logs.map((it) => it.close()));
    await cluster?.stop();
  });

  describeForgeries(async () => {
    const log = openKafkaLog({
      brokers: cluster.bootstrap,
      clientId: 'test',
      replicationFactor: 1,
    });
    logs.push(log);
    return log;
  });
});
