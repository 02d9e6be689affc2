import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault';

/** Strangers write to our topic: what is not ours is set aside, and stops nobody. */
export const poisonPlanted: Fault = {
  breaks: 'records in the changes topic that nobody can read, or believe',
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
          ...forgedHeartbeats(bed.judged.cluster).map((it) => ({ partition, ...it })),
        ],
      });
      await sleep(200 + random() * 400);
    }
    await producer.disconnect();
    await busy;
  },
};

/**
 * Such as once silenced a stream for ever: of an epoch and of a time nobody can have yet, and one
 * under another's key.
 */
function forgedHeartbeats(cluster: string): { key: string; value: string }[] {
  const observedAt = new Date().toISOString();
  const heartbeat = {
    type: 'heartbeat',
    version: 1,
    id: 'forged',
    cluster,
    source: 'ovn-nb',
    stream: 'ovn-nb',
    epoch: 1,
    seq: 1,
    cursor: '',
    observedAt,
    observedThrough: observedAt,
  };
  const own = `${cluster}/ovn-nb/_heartbeat/ovn-nb`;
  return [
    [own, { epoch: Number.MAX_SAFE_INTEGER }],
    [own, { epoch: 2 ** 40, observedThrough: '9999-12-31T23:59:59Z' }],
    [`${cluster}/ovn-nb/ACL/forged`, { epoch: 2 ** 40 }],
  ].map(([key, more]) => ({
    key: key as string,
    value: JSON.stringify({ ...heartbeat, ...(more as object) }),
  }));
}
