import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { healText } from '../output/heal-text';
import { healStreams } from './heal-streams';
import { poisonedStreams } from './poisoned-streams';

const RENAMED = JSON.parse(
  readFileSync(
    join(__dirname, '../../../../contracts/later-versions/change.v1.renamed.json'),
    'utf8',
  ),
) as Change & { uid: string };
const CLUSTER = RENAMED.cluster;
const LATER = `${CLUSTER}/kubernetes/Pod/${RENAMED.uid}`;
const POISON = `${CLUSTER}/kubernetes/Pod/x`;
const PARTITION = partitionOf(CLUSTER, PARTITIONS);

let log: Log;
beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
});
afterEach(() => log.close());

async function heal(...values: [key: string, value: string][]): Promise<[string, string[]]> {
  const timestamp = Date.parse(RENAMED.observedAt);
  await log.append(
    CHANGES,
    PARTITION,
    values.map(([key, value]) => ({ key, value, timestamp })),
  );
  const { high } = await log.watermarks(CHANGES, PARTITION);
  const streams = await poisonedStreams(log, CLUSTER);
  await healStreams(log, CLUSTER, streams, new Date());
  const { records } = await log.read(CHANGES, PARTITION, high, 100);
  return [healText(CLUSTER, streams, true), records.map((it) => it.key)];
}

test('what a later version wrote is not buried, and it is said to upgrade', async () => {
  const [text, written] = await heal([LATER, JSON.stringify(RENAMED)]);
  expect(written).toEqual([]);
  expect(text).toMatch(
    /^kubernetes\/Pod[^]*: stays, since a later version wrote it\n +its type renamed is of a later version\nNothing to heal\.\nWhat a later version wrote stays.* upgrade /,
  );
});

test('what no version can read beside it is', async () => {
  const [text, written] = await heal([LATER, JSON.stringify(RENAMED)], [POISON, '?']);
  expect(written).toEqual([POISON]);
  expect(text).toMatch(/stays, since[^]*Pod\/x: was buried by a tombstone[^]* upgrade /);
});
