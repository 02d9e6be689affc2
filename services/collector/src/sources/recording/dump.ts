import { stat } from 'node:fs/promises';
import { Failure } from '@ovn-steward/shared/errors';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Observation } from '../../source-kit/source';
import { DumpReader } from './dump-reader';
import { readEntries } from './entries';
import type { DumpFile, RecordingLayout } from './layout';
import { readListed, type Listed } from './listed';
import { verdictsOf } from './verdict';

/**
 * Observations handed on at once; large enough that the hand-over costs nothing, small enough that
 * memory does not notice.
 */
const BATCH = 500;

async function* objectsOf(
  file: DumpFile,
  reader: DumpReader,
  signal: AbortSignal,
): AsyncIterable<readonly Observation[]> {
  let batch: Observation[] = [];
  let any = false;
  for await (const entries of readEntries(file.path)) {
    if (signal.aborted) return;
    for (const entry of entries) {
      any = true;
      const observation = reader.take(file, entry);
      if (observation !== undefined) batch.push(observation);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (!any && file.kind === undefined)
    throw new Failure(
      'input-truncated',
      `${file.path} is empty: the command that wrote it failed. Record it again.`,
    );
  if (batch.length > 0) yield batch;
}

/**
 * The time up to which the recording knows the cluster, RFC 3339: what listed.json says, else the
 * newest time in the objects (creation, or a managed field's), else, when it holds no object, the
 * newest file's mtime. A time inside the dump is never later than the dump itself, so ages come out
 * too short rather than too long; the mtime is when the file was copied.
 */
async function throughOf(
  files: readonly DumpFile[],
  reader: DumpReader,
  listed: Listed | undefined,
  atLeast: number,
): Promise<string> {
  const inside = listed?.asOf === undefined ? reader.newest() : Date.parse(listed.asOf);
  const known = Math.max(inside, atLeast);
  if (known > 0) return new Date(known).toISOString();
  const times = await Promise.all(files.map(async (it) => (await stat(it.path)).mtime.getTime()));
  return new Date(Math.max(...times)).toISOString();
}

/**
 * One full read of a dump: `begin` of every kind, the objects in the order of the files, then of
 * every kind `complete` or `unavailable`, and the time up to which it is known. `atLeast`: a time
 * (ms) up to which the world is known from elsewhere.
 *
 * @throws Failure as {@link readEntries} and `readListed` do.
 */
export async function* readDump(
  layout: RecordingLayout,
  signal: AbortSignal,
  atLeast = 0,
): AsyncIterable<readonly Observation[]> {
  // What the reading took is given back before its end is published: all rules are judged then,
  // which takes memory as well.
  yield yield* read(layout, signal, atLeast);
}

/** Gives everything up to the verdicts, and returns these. */
async function* read(
  layout: RecordingLayout,
  signal: AbortSignal,
  atLeast: number,
): AsyncGenerator<readonly Observation[], readonly Observation[]> {
  const listed = await readListed(layout.folder);
  const reader = new DumpReader();
  yield KUBERNETES_KINDS.map(({ kind }) => ({
    type: 'begin',
    stream: kubernetesStream(kind),
    kinds: [kind],
  }));
  for (const file of layout.files) yield* objectsOf(file, reader, signal);
  if (signal.aborted) return [];
  const through = await throughOf(layout.files, reader, listed, atLeast);
  const verdicts = verdictsOf({
    files: layout.files,
    listed,
    reads: reader.reads,
    cursor: reader.cursor(),
  });
  return [...verdicts].flatMap(([kind, verdict]): Observation[] => {
    const position = { stream: kubernetesStream(kind), kinds: [kind] };
    return verdict.complete
      ? [
          { type: 'complete', ...position, cursor: verdict.cursor },
          { type: 'progress', stream: position.stream, cursor: verdict.cursor, through },
        ]
      : [{ type: 'unavailable', ...position, reason: verdict.reason, detail: verdict.detail }];
  });
}
