import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { encodeChange } from '@ovn-steward/contracts/changes/change-codec';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CHANGES, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Channel } from './decisions';
import { changesAbout } from './seen-changes';
import { FILES } from './state-files';

let stateDir: string;
beforeEach(() => (stateDir = mkdtempSync(join(tmpdir(), 'seen-changes-'))));
afterEach(() => rmSync(stateDir, { recursive: true }));

const CLUSTER = 'test';
const POD = { kind: 'Pod', uid: 'u', namespace: 'shop', name: 'web' };
const FINDING = { subject: POD, concerns: [], proof: [], remedy: null } as unknown as Finding;
const put = (epoch: number, seq: number): Change => ({
  type: 'put',
  version: 1,
  id: 'i',
  cluster: CLUSTER,
  source: 'kubernetes',
  stream: 'kubernetes/Pod',
  epoch,
  seq,
  cursor: '',
  hash: 'h',
  ...POD,
  observedAt: '2026-01-01T00:00:00.000Z',
  object: { status: { phase: `${epoch}/${seq}` } },
});

async function seenOf(...changes: readonly Change[]): Promise<string[]> {
  const log = openSqliteLog({ file: join(stateDir, FILES.log) });
  await log.ensureTopics(TOPICS);
  const records = changes.flatMap((it) => encodeChange(it));
  await log.append(CHANGES, partitionOf(CLUSTER, PARTITIONS), records);
  await log.close();
  const seen = await changesAbout(FINDING, { stateDir, cluster: CLUSTER } as Channel);
  return seen.map(({ change }) => `${change.epoch}/${change.seq}`);
}

test('what was set aside and sent again is not the newest state of its object', async () => {
  expect(await seenOf(put(1, 2), put(1, 7), put(2, 1), put(1, 2))).toEqual(['1/2', '1/7', '2/1']);
});

test('it is where nothing newer is there', async () => {
  expect(await seenOf(put(1, 2), put(1, 3))).toEqual(['1/2', '1/3']);
});
