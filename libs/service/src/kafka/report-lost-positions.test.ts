import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import { type LostPosition, reportLostPositions } from './report-lost-positions';

let lost: LostPosition[];
let log: Log;
beforeEach(async () => {
  lost = [];
  log = reportLostPositions(openSqliteLog({ file: ':memory:' }), (it) => lost.push(it));
  await log.ensureTopics(TOPICS);
  await log.append(CHANGES, 0, [{ key: 'k', value: 'v', timestamp: 1 }]);
});
afterEach(() => log.close());

const consumeFrom = (position: bigint) => {
  const ending = new AbortController();
  return log.consume({
    group: 'g',
    topics: [CHANGES],
    resumeAt: () => position,
    onBatch: () => Promise.resolve(ending.abort()),
    signal: ending.signal,
  });
};

test('a position that the log no longer holds is reported, and thrown as before', async () => {
  await expect(log.read(CHANGES, 0, 7n, 10)).rejects.toMatchObject({ code: 'log-position-lost' });
  await expect(consumeFrom(9n)).rejects.toMatchObject({ code: 'log-position-lost' });
  expect(lost).toEqual([
    { topic: CHANGES, detail: expect.stringContaining('Position 7 ') },
    { topic: CHANGES, detail: expect.stringContaining('Position 9 ') },
  ]);
});

test('nothing is reported of what can be read, of another failure, or of a dead letter', async () => {
  expect((await log.read(CHANGES, 0, 0n, 10)).records).toHaveLength(1);
  await consumeFrom(0n);
  await expect(log.read('unknown', 0, 0n, 10)).rejects.toMatchObject({ code: 'log-topic-unknown' });
  await expect(log.read(DEAD_LETTER, 0, 7n, 10)).rejects.toMatchObject({
    code: 'log-position-lost',
  });
  expect(lost).toEqual([]);
});
