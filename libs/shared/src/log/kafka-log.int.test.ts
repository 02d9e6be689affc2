import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaLog } from './kafka-log';
import type { Log } from './log';
import { type LogContract, type LogHarness, TICK } from './log-bench';
import { describeLog } from './log.contract';

/** Brokers that check soon what is due, since the contract waits for it on a real clock. */
const PROPERTIES = {
  'log.cleaner.backoff.ms': '250',
  'log.retention.check.interval.ms': '500',
  'log.segment.delete.delay.ms': '100',
};

let harnesses = 0;

/**
 * Segments roll only when something is appended: it lets time pass with a tick in every partition.
 */
function createHarness(
  options: () => Parameters<typeof openKafkaLog>[0],
  ticker: () => Log,
): LogHarness {
  const partitions = new Map<string, number>();
  const own = `${process.pid}-${(harnesses += 1)}-`; // the brokers keep what groups committed in other tests
  const tick = (topic: string, partition: number): Promise<unknown> =>
    ticker().append(topic, partition, [{ key: TICK, value: 'x', timestamp: Date.now() }]);
  return {
    now: Date.now,
    async open() {
      const log = openKafkaLog(options());
      return {
        ...log,
        async ensureTopics(specs) {
          const notes = await log.ensureTopics(specs);
          for (const { name, partitions: count } of specs) partitions.set(name, count);
          return notes;
        },
        consume: (request) => log.consume({ ...request, group: own + request.group }),
        commit: (group, positions) => log.commit(own + group, positions),
        committed: (group) => log.committed(own + group),
      };
    },
    async pass(ms) {
      await sleep(ms);
      await Promise.all(
        [...partitions].flatMap(([topic, count]) =>
          Array.from({ length: count }, (_, partition) => tick(topic, partition)),
        ),
      );
    },
    end: () => Promise.resolve(),
  };
}

describe.each<[string, 1 | 3, Pick<LogContract, 'lagMs' | 'runs' | 'steps'>]>([
  ['one Kafka broker', 1, { lagMs: 1000, runs: 3, steps: 12 }],
  ['three Kafka brokers', 3, { lagMs: 1500, runs: 2, steps: 8 }],
])('%s', (name, brokers, scale) => {
  describeWith(kafka, 'the adapter', () => {
    let cluster: KafkaCluster;
    let ticker: Log;
    const options = (): Parameters<typeof openKafkaLog>[0] => ({
      brokers: cluster.bootstrap,
      clientId: 'contract',
      replicationFactor: brokers,
    });
    beforeAll(async () => {
      cluster = await startKafka({ brokers, properties: PROPERTIES });
      ticker = openKafkaLog(options());
    }, 180_000);
    afterAll(async () => {
      await ticker?.close();
      await cluster?.stop();
    });

    describeLog({
      name,
      start: () => Promise.resolve(createHarness(options, () => ticker)),
      timeoutMs: 20_000,
      ...scale,
    });
  });
});
