import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { startKafka } from '@ovn-steward/testbed/kafka';

/** A log on a broker of its own, with all topics; both end with the work. */
export async function withKafkaLog<T>(
  clientId: string,
  work: (log: Log, brokers: readonly string[]) => Promise<T>,
): Promise<T> {
  const broker = await startKafka();
  const log = openKafkaLog({ brokers: broker.bootstrap, clientId, replicationFactor: 1 });
  try {
    await log.ensureTopics(TOPICS);
    return await work(log, broker.bootstrap);
  } finally {
    await log.close();
    await broker.stop();
  }
}
