import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Checkpoint, Analyzer, type Picture } from '@ovn-steward/analyzer';
import { collectIntoLog, memoryMirror, type Source } from '@ovn-steward/collector';
import { type Change, changeKey, type Heartbeat } from '@ovn-steward/contracts/changes/change';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { pod } from '@ovn-steward/judgement/testing/builders';
import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { poisonedStreams } from './poisoned-streams';

export const CLUSTER = 'healed';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const STREAM = 'kubernetes/Pod';
const POD = `${CLUSTER}/kubernetes/Pod/living`;

/** Two pods, read in full and then followed until it ends. */
const pods = (uids: readonly string[]): Source => ({
  id: 'pods',
  source: 'kubernetes',
  streams: [STREAM],
  async *observe() {
    const of = { stream: STREAM, kinds: ['Pod'] };
    yield [
      { type: 'begin', ...of },
      ...uids.map((uid) => ({
        ...pod(`shop/${uid}`, { uid }),
        type: 'object' as const,
        stream: STREAM,
      })),
      { type: 'complete', ...of, cursor: '' },
      { type: 'progress', stream: STREAM, cursor: '', through: new Date().toISOString() },
    ];
  },
});
const never = new AbortController().signal;
/** A collector that starts, learns what was published, and publishes what there is. */
const collect = (log: Log, uids: readonly string[]): Promise<void> =>
  collectIntoLog(
    {
      cluster: CLUSTER,
      log,
      mirror: memoryMirror(),
      sources: [pods(uids)],
      clock: () => new Date(),
    },
    never,
  );

async function recordsOf(log: Log): Promise<LogRecord[]> {
  const { high } = await log.watermarks(CHANGES, PARTITION);
  const records: LogRecord[] = [];
  for (let from = 0n; from < high;) {
    const batch = await log.read(CHANGES, PARTITION, from, 1000);
    records.push(...batch.records);
    from = batch.next;
  }
  return records;
}

/** What an analyzer that knows nothing yet makes of the log. */
async function stateOf(log: Log): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'heal-'));
  const stop = new AbortController();
  const { high } = await log.watermarks(CHANGES, PARTITION);
  const grace = NO_GRACE;
  const analyzer = new Analyzer({
    log,
    grace,
    version: '1.2.3',
    only: CLUSTER,
    clock: () => new Date(),
    openCheckpoint: (partition) => new Checkpoint(join(folder, `${partition}.db`), partition),
  });
  const running = analyzer.run(stop.signal);
  try {
    while ((analyzer.position(PARTITION) ?? 0n) < high) await sleep(5);
    const { world } = analyzer.picture(CLUSTER) as Picture;
    return [world.completeness('Pod').state, [...world.entities('Pod')].map((it) => it.uid).sort()];
  } finally {
    stop.abort();
    await running;
    rmSync(folder, { recursive: true });
  }
}

/**
 * A stream that was poisoned before anybody refused such records is healed. `log` has all topics
 * and nothing in them. `heal` runs the command with these options for the cluster, and gives what
 * it prints and its exit code.
 */
export async function poisonAndHeal(
  useLog: <T>(use: (log: Log) => Promise<T>) => Promise<T>,
  heal: (
    ...options: string[]
  ) => Promise<{ readonly code: number | null; readonly stdout: string }>,
): Promise<void> {
  const before = await useLog(async (log) => {
    await collect(log, ['living', 'going']);
    const records = await recordsOf(log);
    const last = (type: string): Change =>
      records
        .map((it) => decodeChange(it))
        .flatMap((it) => ('change' in it ? [it.change] : []))
        .findLast((it) => it.type === type)!;
    const forged = { epoch: Number.MAX_SAFE_INTEGER };
    const heartbeat: Heartbeat = {
      ...(last('heartbeat') as Heartbeat),
      observedThrough: '9999-12-31T23:59:59Z',
    };
    await log.append(
      CHANGES,
      PARTITION,
      [
        { key: changeKey(heartbeat), value: JSON.stringify({ ...heartbeat, ...forged }) },
        { key: POD, value: JSON.stringify({ ...last('delete'), ...last('put'), ...forged }) },
        { key: `${CLUSTER}x/kubernetes/Pod/of-another-cluster`, value: '?' },
      ].map((it) => ({ ...it, timestamp: Date.now() })),
    );
    expect(await stateOf(log)).toEqual(['unavailable', ['going', 'living']]);
    return recordsOf(log);
  });

  const dry = await heal();
  expect([dry.code, dry.stdout]).toEqual([
    2,
    expect.stringMatching(
      /^kubernetes\/Pod: would be published as unavailable, in epoch 2\n[^]*_heartbeat\/kubernetes\/Pod: would be buried[^]*its epoch 9007199254740991 is greater[^]*Pod\/living: would be buried[^]*Nothing was written/,
    ),
  ]);
  expect(await useLog(recordsOf)).toEqual(before);
  expect((await heal('--stream', 'ovn-nb')).stdout).toMatch(/^Nothing to heal/);

  const done = await heal('--yes');
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/was buried by a tombstone/)]);
  const written = (await useLog(recordsOf)).slice(before.length);
  expect(written.map((it) => [it.key, it.value === null ? null : 'published', it.headers])).toEqual(
    [
      [`${CLUSTER}/kubernetes/_unavailable/${STREAM}`, 'published', {}],
      [`${CLUSTER}/kubernetes/_heartbeat/${STREAM}`, null, {}],
      [POD, null, {}],
    ],
  );
  await useLog(async (log) => {
    // Until the collector has published it again nothing is taken for deleted.
    expect(await stateOf(log)).toEqual(['unavailable', ['going', 'living']]);
    expect(await poisonedStreams(log, CLUSTER)).toEqual([]);
    await collect(log, ['living']);
    expect(await stateOf(log)).toEqual(['complete', ['living']]);
  });
  expect((await heal()).stdout).toMatch(/^Nothing to heal/);
}
