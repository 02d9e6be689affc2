import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

/** Strangers write to our topic: what is not ours is set aside, and stops nobody. */
export const poisonPlanted: Fault = {
  breaks: 'records in the changes topic that nobody can read',
  async strike(bed, random, busy) {
    const producer = new Kafka({
      clientId: 'stranger',
      brokers: [...bed.kafka.bootstrap],
      logLevel: logLevel.NOTHING,
    }).producer();
    await producer.connect();
    const partition = partitionOf(bed.judged.cluster, PARTITIONS);
    for (let n = 0; n < 10; n += 1) {
      await producer.send({
        topic: CHANGES,
        acks: -1,
        messages: [
          { partition, key: `stranger-${n}`, value: '{"not": "ours"' },
          { partition, key: `stranger-${n}`, value: Buffer.from([0, 255, 254, n]) },
          {
            partition,
            key: '',
            value: JSON.stringify({ version: 2, type: 'put', cluster: bed.judged.cluster }),
          },
        ],
      });
      await sleep(200 + random() * 400);
    }
    await producer.disconnect();
    await busy;
  },
};
