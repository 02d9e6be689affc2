import type { Source } from '@ovn-steward/collector';
import { keepHeapClose } from '@ovn-steward/shared/heap-growth';
import { movesOf, type Movable } from '../pipeline/moves';
import { type OneProcess, startOneProcess } from './one-process';

/** As many as a living source gathers while a step is on its way. */
const BATCH = 500;

export interface ScaleTask extends OneProcess {
  /** How many changes follow on the full read. */
  readonly changes: number;
}

/** What the process prints when it is done, as JSON. */
export interface ScaleResult {
  /** From the start of the process to the last finding of what was read. */
  readonly secondsToFindings: number;
  readonly eventsPerSecond: number;
  /** Of each finding after the full read, as `findingsIn` takes it. */
  readonly findings: readonly {
    readonly rule: string;
    readonly subject: { readonly uid: string; readonly part?: { readonly key: string } };
  }[];
}

async function* batchesOf(
  some: readonly Movable[],
  count: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Movable[]> {
  let batch: Movable[] = [];
  for (const move of movesOf(some, count)) {
    batch.push(move);
    if (batch.length < BATCH) continue;
    if (signal.aborted) return;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

// As `steward run` has it.
keepHeapClose();

async function main(task: ScaleTask): Promise<ScaleResult> {
  const SOURCES = 2;
  const read = new Set<Source>();
  let allRead = (): void => undefined;
  const everythingRead = new Promise<void>((resolve) => (allRead = resolve));
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const running = await startOneProcess(task, {
    async wholeRead(source) {
      if (read.add(source).size === SOURCES) allRead();
      await begun;
    },
    changes: (some, signal) => batchesOf(some, Math.round(task.changes / SOURCES), signal),
  });
  await everythingRead;
  const before = await running.judged();
  const secondsToFindings = performance.now() / 1000;
  const findings = running.findings().map(({ rule, subject: { uid, part } }) => ({
    rule,
    subject: { uid, ...(part && { part: { key: part.key } }) },
  }));
  const from = performance.now();
  begin();
  await running.collected;
  const after = await running.judged();
  const eventsPerSecond = (after - before) / ((performance.now() - from) / 1000);
  await running.stop();
  return { secondsToFindings, eventsPerSecond, findings };
}

main(JSON.parse(process.argv[2] ?? '') as ScaleTask).then(
  (result) => process.stdout.write(JSON.stringify(result)),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
