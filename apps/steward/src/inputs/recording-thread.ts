import { kubernetesRecording } from '@ovn-steward/collector';
import { Failure } from '@ovn-steward/shared/errors';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, RecordingOptions } from './recording-apart';

/** Batches that were sent and not taken yet, at most: the reader waits for a slow consumer. */
const AHEAD = 8;

/**
 * A thread of its own that reads a recording for `recordingApart`. What is kept of the objects
 * crosses as text: that costs a fraction of what reading them costs.
 */
async function readAhead(options: RecordingOptions): Promise<void> {
  const port = parentPort!;
  let [sent, taken] = [0, 0];
  let wake = (): void => undefined;
  port.on('message', () => {
    taken += 1;
    wake();
  });
  const post = (message: FromThread): void => port.postMessage(message);
  try {
    for await (const batch of kubernetesRecording(options).observe(new AbortController().signal)) {
      post({ type: 'batch', json: JSON.stringify(batch) });
      sent += 1;
      while (sent - taken >= AHEAD)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    post({ type: 'end' });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    post({ type: 'failure', code: error.code, message: error.message });
  } finally {
    port.close();
  }
}

void readAhead(workerData as RecordingOptions);
