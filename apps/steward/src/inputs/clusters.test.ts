import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { clustersOn } from './clusters';

test('the clusters in a log are known by what was published last', async () => {
  const log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  try {
    expect(await clustersOn(log)).toEqual([]);
    const record = (key: string) => ({ key, value: '{}', timestamp: 1 });
    await log.append(CHANGES, 3, [record('paris-1/ovn-nb/_heartbeat/ovn-nb'), record('nobody')]);
    await log.append(
      CHANGES,
      5,
      Array.from({ length: 700 }, (_, index) => record(`berlin-1/kubernetes/Pod/${index}`)),
    );
    await log.append(CONTROL, 5, [record('rome-1/hold/["*","*","*"]')]);
    expect(await clustersOn(log)).toEqual(['berlin-1', 'paris-1', 'rome-1']);
  } finally {
    await log.close();
  }
});
