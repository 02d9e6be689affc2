import type { Log } from './log';
import { openSqliteLog } from './sqlite-log';
import { CHANGES, FINDINGS, TOPICS } from './topics';
import { prefixed, prefixRefusal, withTopicPrefix } from './topic-prefix';

describe('two prefixes on one log', () => {
  let log: Log;
  beforeEach(() => (log = openSqliteLog({ file: ':memory:' })));
  afterEach(() => log.close());
  const record = (key: string) => ({ key, value: 'v', timestamp: 1 });
  const keysIn = async (of: Log, topic: string): Promise<string[]> => {
    const { topic: named, records } = await of.read(topic, 0, 0n, 9);
    return [named, ...records.map((it) => it.key)];
  };

  it('have topics of their own, under our names', async () => {
    const east = withTopicPrefix(log, 'east.');
    const west = withTopicPrefix(log, 'steward.');
    for (const it of [east, west]) await it.ensureTopics(TOPICS);
    await east.append(CHANGES, 0, [record('e')]);
    await west.append(CHANGES, 0, [record('w')]);
    expect(await keysIn(east, CHANGES)).toEqual([CHANGES, 'e']);
    expect(await keysIn(west, CHANGES)).toEqual([CHANGES, 'w']);
    expect(await keysIn(log, 'east.changes.v1')).toEqual(['east.changes.v1', 'e']);
    await west.append(CHANGES, 0, [record('w2')]);
    expect((await west.watermarks(CHANGES, 0)).high).toBe(2n);
    expect((await east.watermarks(CHANGES, 0)).high).toBe(1n);
  });

  it('have groups of their own, and report our names while they are read', async () => {
    const east = withTopicPrefix(log, 'east.');
    const west = withTopicPrefix(log, 'steward.');
    for (const it of [east, west]) await it.ensureTopics(TOPICS);
    await east.append(FINDINGS, 3, [record('e')]);
    const done = new AbortController();
    const heard: string[] = [];
    await east.consume({
      group: 'steward-executor',
      topics: [FINDINGS],
      signal: done.signal,
      resumeAt: (topic) => {
        heard.push(`resume ${topic}`);
        return 0n;
      },
      onRevoked: (topic) => void heard.push(`revoked ${topic}`),
      onBatch: async ({ topic, partition, next, records }) => {
        heard.push(`${topic}/${partition} ${records[0]?.key}`);
        await east.commit('steward-executor', [{ topic, partition, offset: next }]);
        done.abort();
      },
    });
    expect([...new Set(heard)]).toEqual([
      `resume ${FINDINGS}`,
      `${FINDINGS}/3 e`,
      `revoked ${FINDINGS}`,
    ]);
    const position = { partition: 3, offset: 1n };
    expect(await east.committed('steward-executor')).toEqual([{ topic: FINDINGS, ...position }]);
    expect(await log.committed('east.steward-executor')).toEqual([
      { topic: 'east.findings.v1', ...position },
    ]);
    expect(await west.committed('steward-executor')).toEqual([]);
  });
});

it('leaves names as they are under our own prefix', () => {
  expect([prefixed('steward.', 'g'), prefixed('east.', 'g')]).toEqual(['g', 'east.g']);
});

it.each(['steward.', 'east.', 'a-', 'Team_1_', 'eu-west.prod.steward.'])('takes %s', (prefix) => {
  expect(prefixRefusal(prefix)).toBeUndefined();
});

it.each(['', '.', 'steward', 'a b.', '-a.', 'ä.', 'a/b.', '__.', `${'x'.repeat(128)}.`])(
  'refuses %j',
  (prefix) => {
    expect(prefixRefusal(prefix)).toMatch(/not a prefix|longer than 128/);
  },
);
