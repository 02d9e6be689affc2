import { join } from 'node:path';
import type { Change, Heartbeat } from '@ovn-steward/contracts/changes/change';
import { changeKey } from '@ovn-steward/contracts/changes/change';
import { DeadLetter } from '@ovn-steward/contracts/dead-letters/dead-letter';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { openSqliteLog, type SqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, DEAD_LETTER, FINDINGS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Bench, CLUSTERS, PARTITION } from '../testing/bench';
import { ip, logicalSwitch, object, pod, port } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import type { Entity } from '@ovn-steward/judgement/world/entity';

const HOUR = 3_600_000;
const [TEST, SOUTH] = CLUSTERS;

let bench: Bench;
let histories: Record<string, History>;
beforeEach(async () => {
  bench = await new Bench().begin();
  histories = Object.fromEntries(CLUSTERS.map((it) => [it, new History(it)]));
});
afterEach(() => bench.end());

/** An orphaned port, and the leaked address of another interface of the same pod. */
const world = (cluster: string): Change[] => {
  const history = histories[cluster]!;
  return [
    ...history.listEverything(),
    history.put(object('Subnet', 'apps')),
    history.put(logicalSwitch()),
    history.put(port()),
    history.put(ip('web-0.shop.second.shop.ovn')),
    ...history.heartbeats(0),
  ];
};
const both = (cluster: string, state = 'suspected'): string[] => [
  `${cluster} leaked-ip ${state}`,
  `${cluster} orphaned-logical-switch-port ${state}`,
];
const poison = (of: Change) => ({ key: changeKey(of), value: '{"type":"put",' });
const letters = async (): Promise<DeadLetter[]> =>
  (await bench.recordsOf(DEAD_LETTER)).map((it) =>
    DeadLetter.parse(JSON.parse(it.value!.toString())),
  );
const withheld = (observed: Awaited<ReturnType<Bench['read']>>, cluster: string): string[] =>
  observed.analyzer
    .picture(cluster)!
    .unknowns()
    .filter((it) => it.subject === null)
    .map((it) => it.rule);

test('a finding says which changes it came from and which checkpoint wrote it', async () => {
  await bench.publish(world(TEST));
  const { published } = await bench.read();
  const { high } = await bench.log.watermarks(CHANGES, PARTITION);
  const range = `${PARTITION}/0-${high - 1n}`;
  const records = await bench.recordsOf(FINDINGS);
  expect(records.map((it) => it.headers)).toEqual(
    Array(2).fill({
      'content-type': 'application/cloudevents+json',
      changes: range,
      analyzer: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }),
  );
  expect(published.map((it) => [it.finding.rule, it.changes]).sort()).toEqual([
    ['leaked-ip', range],
    ['orphaned-logical-switch-port', range],
  ]);
});

test('a batch that failed half-way is read again, whole, after quiet ones that were not saved yet', async () => {
  const history = histories[TEST]!;
  await bench.publish(history.listEverything());
  await bench.read();
  await bench.publish([history.put(object('Subnet', 'apps')), history.put(logicalSwitch())]); // saved, being the first
  await bench.publish([history.put(pod('shop/quiet'))]); // not saved
  await bench.publish([
    history.put(port()),
    history.put(ip('web-0.shop.second.shop.ovn')),
    ...history.heartbeats(0),
  ]);
  let failures = 1;
  const once = (): never => {
    throw new Error('once');
  };
  const observed = await bench.read({ isProtected: () => failures-- > 0 && once() });
  expect(observed.events).toContainEqual(
    expect.objectContaining({ type: 'failed', error: 'once' }),
  );
  expect(observed.openFindings()).toEqual(both(TEST));
});

describe('what cannot be read', () => {
  test('under a key of ours makes the stream unknown until it is reported again, and gets one letter', async () => {
    await bench.publish(world(TEST));
    await bench.read();
    const reported = histories[TEST]!.put(pod('shop/web-0'));
    await bench.append([poison(reported)]);
    await bench.publish(histories[TEST]!.heartbeats(20));
    const observed = await bench.read();
    expect(observed.openFindings()).toEqual(both(TEST));
    expect(withheld(observed, TEST)).toEqual(
      expect.arrayContaining(['leaked-ip', 'orphaned-logical-switch-port']),
    );
    expect(observed.analyzer.picture(TEST)!.unknowns()[0]!.reason).toMatch(
      /kubernetes\/Pod is not known in full: the record steward\.changes\.v1\/\d+\/\d+ about Pod Pod:shop\/web-0 could not be read: it is not JSON/,
    );
    for (const loses of [false, true])
      expect((await bench.read({ loses })).openFindings()).toEqual(both(TEST));
    expect(await letters()).toMatchObject([
      { id: expect.stringContaining(CHANGES), by: 'analyzer', key: changeKey(reported) },
    ]);
    await bench.publish([reported]);
    expect((await bench.read()).openFindings()).toEqual([]);
  });

  test('harms its own cluster only', async () => {
    await bench.publish([...world(TEST), ...world(SOUTH)]);
    await bench.append([poison(histories[TEST]!.put(pod('shop/web-0')))]);
    const observed = await bench.read();
    expect(observed.openFindings()).toEqual(both(SOUTH));
    expect([withheld(observed, TEST).length > 0, withheld(observed, SOUTH)]).toEqual([true, []]);
  });

  test.each([
    ['of nobody', 'k'],
    ['of a source nobody knows', `${TEST}/etcd/Pod/u`],
    ['of a cluster that has another partition', 'east/kubernetes/Pod/u'],
    [
      'of a heartbeat, which the next one makes good',
      `${TEST}/kubernetes/_heartbeat/kubernetes/Pod`,
    ],
  ])('under a key %s gets a letter and does nothing else', async (_, key) => {
    await bench.publish(world(TEST));
    await bench.append([{ key, value: 'no JSON' }]);
    const observed = await bench.read();
    expect([
      observed.openFindings(),
      withheld(observed, TEST),
      observed.analyzer.clusters(),
    ]).toEqual([both(TEST), [], [TEST]]);
    expect(await letters()).toHaveLength(1);
    expect(observed.batches.map((it) => it.deadLetters)).toEqual([0, 1]);
  });

  test('of another cluster than the wanted one gets a letter and nothing else', async () => {
    await bench.publish(world(TEST));
    await bench.append([poison(histories[SOUTH]!.put(pod('shop/web-0')))]);
    const observed = await bench.read({ only: TEST });
    expect([observed.openFindings(), observed.analyzer.clusters()]).toEqual([both(TEST), [TEST]]);
    expect(await letters()).toHaveLength(1);
  });

  test.each<[string, Partial<Heartbeat>]>([
    ['an epoch', { epoch: Number.MAX_SAFE_INTEGER }],
    ['a watermark', { epoch: 2, observedThrough: '9999-12-31T23:59:59.000Z' }],
  ])(
    'a heartbeat of %s nobody can have yet makes the stream unknown until the next, and blinds nobody',
    async (_, forged) => {
      const history = histories[TEST]!;
      await bench.publish(world(TEST));
      await bench.read();
      const pods = history.heartbeats(0).find((it) => it.stream === 'kubernetes/Pod') as Heartbeat;
      await bench.publish([{ ...pods, ...forged }]);
      for (const loses of [false, true]) {
        const observed = await bench.read({ loses });
        expect(withheld(observed, TEST)).toContain('leaked-ip');
        expect(observed.analyzer.picture(TEST)!.world.stream('kubernetes/Pod')).toMatchObject({
          epoch: 1,
          observedThrough: pods.observedThrough,
        });
      }
      expect((await letters()).map((it) => it.key)).toEqual([changeKey(pods)]);
      await bench.publish([...history.heartbeats(1), history.put(pod('shop/web-0'))]);
      for (const loses of [false, true]) {
        const observed = await bench.read({ loses });
        expect([observed.openFindings(), withheld(observed, TEST)]).toEqual([[], []]);
      }
    },
  );

  test('a checkpoint of an older version that believed such a heartbeat is built again', async () => {
    const history = histories[TEST]!;
    await bench.publish(world(TEST));
    await bench.read();
    const db = openSqliteDatabase(join(bench.folder, 'a.db'));
    db.prepare(
      `UPDATE stream SET state = json_set(state, '$.epoch', 9007199254740991, '$.observedThrough', '9999-12-31T23:59:59Z') WHERE stream = 'kubernetes/Pod'`,
    ).run();
    db.pragma('user_version = 3');
    db.close();
    await bench.publish([history.put(pod('shop/web-0'))]);
    expect((await bench.read()).openFindings()).toEqual([]);
  });

  test('records of a kind that is not read any more are skipped: no letter, no gap, no stream', async () => {
    const history = histories[TEST]!;
    const ofDropped = (it: Change): Change =>
      JSON.parse(JSON.stringify(it).replaceAll('Namespace', 'ConfigMap')) as Change;
    const changes = world(TEST);
    const dropped = [
      ...changes.filter((it) => it.stream === 'kubernetes/Namespace'),
      history.put(object('Namespace', 'settings')),
    ].map(ofDropped);
    expect(dropped.length).toBeGreaterThan(1);
    await bench.publish([...changes, ...dropped]);
    await bench.append([poison(dropped.at(-1)!)]);
    const observed = await bench.read();
    const picture = observed.analyzer.picture(TEST)!;
    expect([observed.openFindings(), withheld(observed, TEST)]).toEqual([both(TEST), []]);
    expect(await letters()).toEqual([]);
    expect(picture.streams().map((it) => it.stream)).not.toContain('kubernetes/ConfigMap');
    expect(picture.world.count('ConfigMap')).toBe(0);
  });

  test('a checkpoint of an older version that held such a kind is built again without it', async () => {
    await bench.publish(world(TEST));
    await bench.read();
    const db = openSqliteDatabase(join(bench.folder, 'a.db'));
    db.exec(
      `INSERT INTO stream SELECT cluster, 'kubernetes/ConfigMap', json_set(state, '$.stream', 'kubernetes/ConfigMap') FROM stream WHERE stream = 'kubernetes/Namespace'`,
    );
    db.pragma('user_version = 4');
    db.close();
    const observed = await bench.read();
    expect(observed.openFindings()).toEqual(both(TEST));
    expect(
      observed.analyzer
        .picture(TEST)!
        .streams()
        .map((it) => it.stream),
    ).not.toContain('kubernetes/ConfigMap');
  });

  test('a deletion that cannot be read is made good by its tombstone', async () => {
    const history = histories[TEST]!;
    await bench.publish([...world(TEST), history.put(pod('shop/web-0'))]);
    expect((await bench.read()).openFindings()).toEqual([]);
    const [gone] = history.remove(pod('shop/web-0'));
    const { key } = poison(gone!);
    const headers = {
      id: gone!.id,
      stream: gone!.stream,
      epoch: String(gone!.epoch),
      seq: String(gone!.seq),
    };
    await bench.append([
      { key, value: 'no JSON', headers },
      { key, value: null, headers },
    ]);
    const observed = await bench.read();
    expect([observed.openFindings(), withheld(observed, TEST)]).toEqual([both(TEST), []]);
  });
});

describe('several clusters in one partition', () => {
  test('each has its own world and findings, also from a checkpoint', async () => {
    await bench.publish([...world(TEST), ...world(SOUTH)]);
    const observed = await bench.read();
    expect([observed.openFindings(), [...observed.analyzer.clusters()].sort()]).toEqual([
      [...both(SOUTH), ...both(TEST)],
      [SOUTH, TEST],
    ]);
    await bench.publish([histories[SOUTH]!.put(pod('shop/web-0'))]);
    expect((await bench.read()).openFindings()).toEqual(both(TEST));
    expect((await bench.read({ loses: true })).openFindings()).toEqual(both(TEST));
  });

  test('what happens in one costs nothing in the other', async () => {
    const checked: Entity[] = [];
    await bench.publish([...world(TEST), ...world(SOUTH)]);
    const stop = new AbortController();
    const observed = bench.start(
      {
        isProtected: (entity) => {
          checked.push(entity);
          return false;
        },
      },
      stop.signal,
    );
    const until = async (batches: number): Promise<void> => {
      while (observed.batches.length < batches) await new Promise((go) => setTimeout(go, 1));
    };
    await until(1);
    const ofSouth = ['IP', 'Logical_Switch_Port']
      .flatMap((it) => [...observed.analyzer.picture(SOUTH)!.world.entities(it)])
      .filter(({ name }) => name !== 'node-paired-1');
    expect(ofSouth.map((it) => checked.includes(it))).toEqual([true, true]);
    const before = checked.length;
    await bench.publish([
      histories[TEST]!.put(port('web-0.shop', { addresses: ['0a:00:00:00:00:02 10.17.0.11'] })),
      ...histories[TEST]!.heartbeats(20),
    ]);
    await until(2);
    stop.abort();
    await observed.running;
    expect([
      checked.length > before,
      checked.slice(before).filter((it) => ofSouth.includes(it)),
    ]).toEqual([true, []]);
    expect(observed.openFindings()).toEqual([...both(SOUTH), ...both(TEST, 'confirmed')]);
  });

  test('only the wanted one is read when one is wanted', async () => {
    await bench.publish([...world(TEST), ...world(SOUTH)]);
    expect((await bench.read({ only: SOUTH })).openFindings()).toEqual(both(SOUTH));
  });
});

describe('a log too old to be judged change by change', () => {
  /**
   * A pod's first record is gone, for there is a later one: in between its address looks leaked.
   */
  const flickering = (): { before: Change[]; after: Change[] } => {
    const history = histories[TEST]!;
    return {
      before: [
        ...history.listEverything(),
        history.put(object('Subnet', 'apps')),
        history.put(logicalSwitch()),
        history.put(ip('web-0.shop.second.shop.ovn')),
        ...history.heartbeats(30),
      ],
      after: [history.put(pod('shop/web-0')), ...history.heartbeats(31)],
    };
  };

  test('is folded as a whole when nobody judged it before', async () => {
    const { before, after } = flickering();
    await bench.publish([...before, ...after]);
    await bench.read();
    expect(await bench.events()).toEqual([]);
  });

  test.each([
    [1, ['suspected', 'resolved']],
    [13, []],
  ])(
    '%i hours: judged change by change by who was away for one, as a whole by who was away for longer',
    async (hours, states) => {
      const { before, after } = flickering();
      await bench.publish(histories[SOUTH]!.listEverything());
      await bench.read();
      await bench.publish(before);
      await bench.publish(after);
      bench.now += hours * HOUR;
      await bench.read();
      expect((await bench.events()).map((it) => it.data.state)).toEqual(states);
    },
  );

  test('a suspicion that nobody watched meanwhile starts its grace again', async () => {
    await bench.publish(world(TEST));
    await bench.read();
    await bench.publish(histories[TEST]!.heartbeats(14 * 60));
    bench.now += 13 * HOUR;
    for (const file of ['a.db', 'b.db'])
      expect((await bench.read({ file })).openFindings()).toEqual(both(TEST));
    expect((await bench.events()).at(-1)!.data.firstSeen).toBe('2026-01-01T14:00:00.000Z');
    await bench.publish(histories[TEST]!.heartbeats(14 * 60 + 11));
    expect((await bench.read()).openFindings()).toEqual(both(TEST, 'confirmed'));
  });
});

describe('whether a checkpoint is current', () => {
  const whyRebuilt = async (observe: Parameters<Bench['read']>[0] = {}): Promise<string[]> =>
    (await bench.read(observe)).events.flatMap((it) =>
      it.type === 'partition-rebuilding' ? [it.why] : [],
    );

  test('a new one is filled, the same is taken up as it is', async () => {
    await bench.publish(world(TEST));
    expect(await whyRebuilt()).toEqual(['nothing is remembered of it']);
    await bench.publish(histories[TEST]!.heartbeats(20));
    expect(await whyRebuilt()).toEqual([]);
  });

  test('not when another analyzer published since, but when it only read', async () => {
    await bench.publish(world(TEST));
    await bench.read();
    await bench.read({ file: 'b.db' });
    expect(await whyRebuilt()).toEqual([]);
    await bench.publish(histories[TEST]!.heartbeats(20));
    await bench.read({ file: 'b.db' });
    expect(await whyRebuilt()).toEqual(['another analyzer went on with it']);
  });

  test('not after so long that deletions may be gone from the log', async () => {
    await bench.publish(world(TEST));
    await bench.read();
    bench.now += 5 * 24 * HOUR;
    expect(await whyRebuilt()).toEqual([]);
    bench.now += 7 * 24 * HOUR;
    expect(await whyRebuilt()).toEqual([
      'it was not read for so long that deletions may have been missed',
    ]);
  });

  test('not when the log does not reach so far', async () => {
    await bench.publish(world(TEST));
    await bench.read();
    const other = openSqliteLog({ file: ':memory:', now: () => bench.now });
    await other.ensureTopics(TOPICS);
    expect(await whyRebuilt({ log: other })).toEqual([
      'the log does not have the changes it stopped at any more',
    ]);
    await other.close();
  });
});

describe('two analyzers with one partition', () => {
  /** The log, but for the first call of a step after it is armed. */
  const failing = (
    step: 'append' | 'commit',
    error: Failure,
    doing: 'nothing' | 'all',
  ): { log: Log; arm(): void } => {
    let armed = false;
    const fail = async <T>(run: () => Promise<T>): Promise<T> => {
      const failsNow = armed;
      armed = false;
      if (failsNow && doing === 'nothing') throw error;
      const done = await run();
      if (failsNow) throw error;
      return done;
    };
    const { log } = bench;
    const log_: Log = {
      ensureTopics: (it) => log.ensureTopics(it),
      read: (...it) => log.read(...it),
      consume: (it) => log.consume(it),
      committed: (it) => log.committed(it),
      watermarks: (...it) => log.watermarks(...it),
      close: () => log.close(),
      append: (...it) => (step === 'append' ? fail(() => log.append(...it)) : log.append(...it)),
      commit: (...it) => (step === 'commit' ? fail(() => log.commit(...it)) : log.commit(...it)),
    };
    return {
      log: log_,
      arm: () => {
        armed = true;
      },
    };
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((go) => setTimeout(go, 1));
  };

  test('who has lost it publishes nothing, and begins again when it is given again', async () => {
    await bench.publish(world(TEST));
    const { log, arm } = failing(
      'commit',
      new Failure('log-partition-lost', 'another has it'),
      'nothing',
    );
    arm();
    const stop = new AbortController();
    const observed = bench.start({ log }, stop.signal);
    await until(() => observed.events.some((it) => it.type === 'partition-lost'));
    expect([await bench.recordsOf(FINDINGS), observed.analyzer.partitions()]).toEqual([[], []]);
    await bench.publish(histories[TEST]!.heartbeats(20));
    await until(() => observed.published.length === 4);
    stop.abort();
    await observed.running;
    expect(observed.openFindings()).toEqual(both(TEST, 'confirmed'));
  });

  test('a late word of the one that lost it is noticed, and does not stay the last', async () => {
    await bench.publish(world(TEST));
    const stop = new AbortController();
    const observed = bench.start({}, stop.signal);
    await until(() => observed.batches.length === 1);
    const stale = await bench.recordsOf(FINDINGS);
    await bench.publish(histories[TEST]!.heartbeats(20));
    await until(() => observed.batches.length === 2);
    await bench.log.append(
      FINDINGS,
      PARTITION,
      stale.map((it) => ({ ...it, headers: { ...it.headers, analyzer: 'another' } })),
    );
    await bench.publish([
      histories[TEST]!.put(port('db-1.shop', { addresses: ['0a:00:00:00:00:02 10.17.0.11'] })),
    ]);
    await until(() => observed.events.some((it) => it.type === 'partition-lost'));
    await bench.publish(histories[TEST]!.heartbeats(21));
    await until(
      () =>
        observed.batches.length === 3 ||
        observed.events.filter((it) => it.type === 'partition-opened').length === 2,
    );
    stop.abort();
    await observed.running;
    await bench.read();
    const last = Object.values(
      Object.fromEntries((await bench.events()).map((it) => [it.data.id, it.data])),
    );
    expect(last.map((it) => `${it.subject.name} ${it.revision} ${it.state}`).sort()).toEqual([
      'db-1.shop 1 suspected',
      'web-0.shop 2 confirmed',
      'web-0.shop.second.shop.ovn 2 confirmed',
    ]);
  });

  test('an append of unknown outcome is sent again, the same, and reading goes on', async () => {
    await bench.publish(world(TEST));
    const { log, arm } = failing('append', new Failure('log-unavailable', 'no answer'), 'all');
    arm();
    const observed = await bench.read({ log });
    expect(observed.events).toContainEqual({
      type: 'failed',
      error: 'no answer',
      code: 'log-unavailable',
      retryInMs: 1,
    });
    expect(observed.events.filter((it) => it.type === 'partition-rebuilding')).toHaveLength(1);
    const values = (await bench.recordsOf(FINDINGS)).map((it) => it.value!.toString());
    expect([values.length, new Set(values).size]).toEqual([4, 2]);
  });

  test('what trying again cannot mend ends it', async () => {
    await bench.publish(world(TEST));
    const { log, arm } = failing(
      'append',
      new Failure('log-topic-unknown', 'no such topic'),
      'nothing',
    );
    arm();
    await expect(bench.read({ log })).rejects.toMatchObject({ code: 'log-topic-unknown' });
  });
});

test('what a group has committed is published: findings are appended before the changes they came from are committed', async () => {
  await bench.publish(world(TEST));
  const order: string[] = [];
  const { log } = bench;
  const watched: Log = {
    ...log,
    ensureTopics: (specs) => log.ensureTopics(specs),
    read: (...args) => log.read(...args),
    consume: (options) => log.consume(options),
    committed: (group) => log.committed(group),
    watermarks: (topic, at) => log.watermarks(topic, at),
    close: () => log.close(),
    append: (topic, at, records) => {
      order.push(`append ${topic}`);
      return log.append(topic, at, records);
    },
    commit: (group, positions) => {
      order.push(...positions.map(({ offset }) => `commit ${offset}`));
      return log.commit(group, positions);
    },
  };
  await bench.read({ log: watched });
  const { high } = await log.watermarks(CHANGES, PARTITION);
  expect(order.slice(0, 3)).toEqual(['commit 0', `append ${FINDINGS}`, `commit ${high}`]);
});

test('counts are not demanded of a log that compaction has been at: it is judged as what is left says', async () => {
  const history = histories[TEST]!;
  const vanished = pod('shop/vanished');
  // Counted by the end of its snapshot, and taken by compaction after it was deleted.
  await bench.publish([
    history.put(vanished),
    ...world(TEST),
    ...history.listEverything(),
    ...history.heartbeats(0),
  ]);
  await bench.publish(history.remove(vanished));
  const log = bench.log as SqliteLog;
  bench.now += 30 * 24 * HOUR;
  while (log.compact(bench.now).more);
  bench.now += 30 * 24 * HOUR;
  while (log.compact(bench.now).more);
  const kept = (await bench.recordsOf(CHANGES)).filter(({ key }) => key.includes('vanished'));
  expect(kept.filter(({ value }) => String(value).includes('"put"'))).toEqual([]);
  const observed = await bench.read();
  expect(withheld(observed, TEST)).toEqual([]);
  expect(observed.openFindings()).toEqual(both(TEST));
});
