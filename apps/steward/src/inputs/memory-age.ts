import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type StreamFreshness, readCheckpoint } from '@ovn-steward/analyzer';
import { decodeChange } from '@ovn-steward/contracts/changes/change-codec';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { CHANGES } from '@ovn-steward/shared/log/topics';
import { FILES } from './state-files';
import type { Channel } from './decisions';
import { openLog } from './log';

/**
 * Older records say nothing about now; milliseconds. A collector publishes every few seconds that
 * it still listens.
 */
const OLD_MS = 3_600_000;
/** Without these nothing is judged. */
const SOURCES = ['ovn-nb', 'kubernetes'];
/** So far back the log is read for a word of each source. */
const LAST_RECORDS = 5000n;
const MAX_RECORDS = 1000;
const NEWEST = `the newest ${LAST_RECORDS} records of its partition of ${CHANGES}`;

type Heard = Omit<StreamFreshness, 'cluster'>;

/**
 * Why what is known of a cluster says nothing about now, as one sentence: nothing was collected
 * yet, a source is still being read, or a source's last record is more than an hour old (which
 * source, and how old). Undefined where all of it is fresh. Where it is doubted, an empty answer is
 * no answer.
 * @param now milliseconds since 1970.
 * @param readAll whether older records would have said something, where there were any.
 */
export function stalenessOf(
  heard: readonly Heard[],
  where: string,
  now: number,
  readAll = true,
): string | undefined {
  const doubts = SOURCES.flatMap((source) => doubtOf(source, heard, now, readAll));
  if (heard.length === 0)
    return readAll
      ? `Nothing has been collected yet for ${where}: start steward run or the collector, or read it now with steward audit.`
      : `Nothing about ${where} is among ${NEWEST}, which other clusters may share: see whether the collector runs, or read it now with steward audit.`;
  return doubts.length === 0
    ? undefined
    : `What is known for ${where} does not say what is there now: ${doubts.join('; ')}. See whether the collector runs, or read it now with steward audit.`;
}

function doubtOf(
  source: string,
  heard: readonly Heard[],
  now: number,
  readAll: boolean,
): readonly string[] {
  const streams = heard.filter((it) => it.source === source);
  const last =
    streams
      .map((it) => it.observedThrough)
      .sort()
      .at(-1) ?? '';
  if (streams.some(({ state }) => state === 'listing')) return [`${source} is still being read`];
  if (last === '')
    return [readAll ? `${source} never reported` : `${source} reported nothing in ${NEWEST}`];
  const ms = now - Date.parse(last);
  return ms <= OLD_MS ? [] : [`${source} last reported ${ageText(ms)} ago, at ${last}`];
}

const ageText = (ms: number): string => {
  const hours = ms / 3_600_000;
  return hours < 48 ? `${hours.toFixed(1)} hours` : `${Math.round(hours / 24)} days`;
};

/** The same of the memory in a folder. @throws Failure as reading its checkpoint does. */
export function doubtAboutFolder(
  stateDir: string,
  cluster: string | undefined,
): string | undefined {
  const file = join(stateDir, FILES.checkpoint);
  const streams = existsSync(file) ? readCheckpoint(file).streams : [];
  return stalenessOf(
    streams.filter((it) => cluster === undefined || it.cluster === cluster),
    stateDir,
    Date.now(),
  );
}

/** The same of a folder, or of the end of the log on Kafka. @throws Failure as reading does. */
export async function doubtAboutMemory(channel: Channel): Promise<string | undefined> {
  const { stateDir, cluster, partition, options } = channel;
  if (stateDir !== undefined) return doubtAboutFolder(stateDir, cluster);
  const log = await openLog(options);
  try {
    const { heard, readAll } = await heardOnLog(log, partition, cluster);
    return stalenessOf(heard, `the cluster ${cluster}`, Date.now(), readAll);
  } finally {
    await log.close();
  }
}

/**
 * What the newest records of a partition say of a cluster's sources, and whether these are all that
 * it has. @throws Failure as reading does.
 */
export async function heardOnLog(
  log: Pick<Log, 'watermarks' | 'read'>,
  partition: number,
  cluster: string,
): Promise<{ readonly heard: readonly Heard[]; readonly readAll: boolean }> {
  const { low, high } = await log.watermarks(CHANGES, partition);
  const readAll = high - LAST_RECORDS <= low;
  const heard: Heard[] = [];
  for (let from = readAll ? low : high - LAST_RECORDS; from < high;) {
    const { records, next } = await log.read(CHANGES, partition, from, MAX_RECORDS);
    if (records.length === 0 && next === from) break;
    heard.push(...records.flatMap((it) => heardIn(it, cluster)));
    from = next;
  }
  return { heard, readAll };
}

/** What a change says of when its source was heard; one that readers refuse says nothing. */
export function heardIn(record: LogRecord, cluster: string): readonly Heard[] {
  const read = decodeChange(record);
  if (!('change' in read) || read.change.cluster !== cluster) return [];
  const { change } = read;
  const at = change.type === 'heartbeat' ? change.observedThrough : change.observedAt;
  return [{ source: change.source, state: 'complete', observedThrough: at }];
}
