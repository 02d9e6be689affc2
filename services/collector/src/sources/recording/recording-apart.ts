import { Failure, type FailureCode } from '@ovn-steward/shared/errors';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Observation, Source } from '../../source-kit/source';
import { kubernetesRecording } from './kubernetes-recording';

export type RecordingOptions = Parameters<typeof kubernetesRecording>[0];

export type FromThread =
  | { readonly type: 'batch'; readonly json: string }
  | { readonly type: 'end' }
  | { readonly type: 'failure'; readonly code: FailureCode; readonly message: string };

/** Smaller recordings are read before a thread has started. */
const WORTH_A_THREAD = 16 * 2 ** 20;

/** Beside a command line that is bundled with it; elsewhere there is none. */
const THREAD = join(__dirname, 'recording-thread.mjs');

/**
 * Bytes of a file, or of the files in a folder; 0 where that cannot be known, so that the reading
 * says why.
 */
function bytesOf(path: string): number {
  try {
    return statSync(path).isDirectory()
      ? readdirSync(path).reduce((sum, it) => sum + statSync(join(path, it)).size, 0)
      : statSync(path).size;
  } catch {
    return 0;
  }
}

/**
 * The same source as `kubernetesRecording`. A large one is read, parsed and trimmed in a thread of
 * its own while what came before it is folded, if there is a processor for it. Its batches, their
 * order and its failures are the same.
 */
export function recordingApart(options: RecordingOptions): Source {
  const here = kubernetesRecording(options);
  const isApart =
    availableParallelism() > 1 && bytesOf(options.path) >= WORTH_A_THREAD && existsSync(THREAD);
  return isApart ? { ...here, observe: (signal) => observeApart(options, signal) } : here;
}

async function* observeApart(
  options: RecordingOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly Observation[]> {
  const thread = new Worker(THREAD, { workerData: options });
  const waiting: FromThread[] = [];
  let broken: Error | undefined;
  let hasEnded = false;
  let wake = (): void => undefined;
  const notify = (): void => wake();
  thread.on('message', (message: FromThread) => {
    waiting.push(message);
    wake();
  });
  thread.on('error', (error: Error) => {
    broken = error;
    wake();
  });
  thread.on('exit', () => {
    hasEnded = true;
    wake();
  });
  signal.addEventListener('abort', notify);
  try {
    while (!signal.aborted) {
      const message = waiting.shift();
      if (message?.type === 'end') return;
      if (message?.type === 'failure') throw new Failure(message.code, message.message);
      if (message?.type === 'batch') {
        thread.postMessage('taken');
        yield JSON.parse(message.json) as Observation[];
      } else if (broken !== undefined) throw broken;
      else if (hasEnded) throw new Error(`the thread that read ${options.path} ended early`);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    signal.removeEventListener('abort', notify);
    if (!hasEnded) await Promise.all([once(thread, 'exit'), thread.terminate()]);
  }
}
