import { CHANGES } from '@ovn-steward/shared/log/topics';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneOf } from '../support/random';
import { readTopic, type TopicRecord } from '../support/topic';
import type { Fault } from './fault';

/**
 * What a retry after a lost answer does, only worse: old records come again, out of order, among
 * the new ones.
 */
export const recordsRepeated: Fault = {
  breaks: 'changes delivered twice and in the wrong order',
  async strike(bed, random, busy) {
    const producer = new Kafka({
      clientId: 'repeater',
      brokers: [...bed.kafka.bootstrap],
      logLevel: logLevel.NOTHING,
    }).producer();
    await producer.connect();
    const over = { yet: false };
    void busy.finally(() => {
      over.yet = true;
    });
    while (!over.yet) {
      const records = (await readTopic(bed.kafka.bootstrap, CHANGES)).slice(-300);
      const again: TopicRecord[] = Array.from({ length: 100 }, () => oneOf(random, records));
      await producer.send({
        topic: CHANGES,
        acks: -1,
        messages: again.map(({ key, value, headers, partition }) => ({
          key,
          value,
          headers,
          partition,
        })),
      });
      await sleep(500);
    }
    await producer.disconnect();
    await busy;
  },
};
