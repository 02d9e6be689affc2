import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaLog } from '@ovn-steward/shared/log/kafka-log';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kafka } from '@ovn-steward/testbed/fixture';
import { type KafkaCluster, startKafka } from '@ovn-steward/testbed/kafka';
import { until } from '@ovn-steward/shared/testing/until';
import { decision, controlEntry } from '../testing/controls';
import { CLUSTER, PARTITION } from '../testing/findings';
import { ANNA, EXECUTOR, logOf, MALLORY } from '../testing/signing';
import { holdsAt } from './control-state';
import { decisionsReader } from './decided-in';
import { followControl } from './follow-control';
import { HeardPublisher } from './publish-heard';
import { whoHeard } from './who-heard';

describeWith(kafka, 'what people decide, on Kafka', () => {
  let cluster: KafkaCluster;
  let log: Log;
  const abort = new AbortController();
  beforeAll(async () => {
    cluster = await startKafka();
    log = openKafkaLog({ brokers: cluster.bootstrap, clientId: 'test', replicationFactor: 1 });
    await log.ensureTopics(TOPICS);
  });
  afterAll(async () => {
    abort.abort();
    await log?.close();
    await cluster?.stop();
  });

  const say = async (reported: Parameters<typeof decision>[0]): Promise<unknown> =>
    log.append(CONTROL, PARTITION, [
      { ...controlEntry(decision(reported)), timestamp: Date.now() },
    ]);

  test('counts once it is read, at five reads a second; and a broker that is away is known by its age', async () => {
    let reads = 0;
    const follower = followControl({
      log: Object.assign(Object.create(log) as Log, {
        read: (...args: Parameters<Log['read']>) => {
          reads += 1;
          return log.read(...args);
        },
      }),
      cluster: CLUSTER,
      partition: PARTITION,
      signal: abort.signal,
      onState: () => undefined,
    });
    const held = (): number => holdsAt(follower.state()!, new Date()).length;
    await until(() => follower.state() !== undefined);
    for (let round = 0; round < 6; round += 1) {
      await say(
        round % 2 === 0
          ? { type: 'hold', scope: {}, reason: 'x', until: null }
          : { type: 'resume', scope: {} },
      );
      await until(() => held() === (round + 1) % 2);
    }
    const before = reads;
    const since = performance.now();
    await sleep(5000);
    // A slow machine reads less often, never more.
    expect(reads - before).toBeLessThanOrEqual((performance.now() - since) / 200 + 2);
    await until(() => follower.age() < 2000);

    await cluster.nodes[0]?.kill();
    await until(() => follower.age() > 3000);
    await cluster.nodes[0]?.start();
    await until(() => follower.age() < 1000);
    await say({ type: 'hold', scope: {}, reason: 'x', until: null });
    await until(() => held() === 1);
  }, 180_000);

  test('that a hold was heard is said by who follows, signed, and by nobody in its name', async () => {
    const executor = logOf(log, EXECUTOR);
    const reported = decision({ type: 'hold', scope: {}, reason: 'x', until: null });
    const teller = new HeardPublisher({
      log: executor,
      cluster: CLUSTER,
      partition: PARTITION,
      name: 'executor-1',
      clock: () => new Date(),
      signal: abort.signal,
      onTrouble: () => undefined,
    });
    const following = followControl({
      log: executor,
      cluster: CLUSTER,
      partition: PARTITION,
      signal: abort.signal,
      onState: (it) => teller.publish(it),
    });
    const decided = decisionsReader(
      (from) => logOf(log, ANNA).read(CONTROL, PARTITION, from, 500),
      CLUSTER,
    );
    const heardBy = async (): Promise<ReturnType<typeof whoHeard>> =>
      whoHeard(await decided(), [reported.id]);
    await until(() => following.state() !== undefined);
    const forged = decision({
      type: 'heard',
      by: 'executor-1',
      since: '2099-01-01T00:00:00Z',
      decisions: [{ about: 'hold/["*","*","*"]', id: reported.id, type: 'hold' }],
    });
    for (const by of [log, logOf(log, ANNA), logOf(log, MALLORY)])
      await by.append(CONTROL, PARTITION, [{ ...controlEntry(forged), timestamp: Date.now() }]);
    expect((await heardBy()).heard).toEqual([]);
    await logOf(log, ANNA).append(CONTROL, PARTITION, [
      { ...controlEntry(reported), timestamp: Date.now() },
    ]);
    const since = performance.now();
    let who = await heardBy();
    while (!who.all && performance.now() - since < 60_000) {
      await sleep(50);
      who = await heardBy();
    }
    expect(who).toEqual({
      all: true,
      heard: [{ executor: 'executor-1', at: expect.stringMatching(/Z$/) }],
      unheard: [],
    });
  });
});
