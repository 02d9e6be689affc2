import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { Failure } from '@ovn-steward/shared/errors';
import { parentPort, workerData } from 'node:worker_threads';
import type { Observation } from '../../source-kit/source';
import { kubernetesRecording } from './kubernetes-recording';
import type { FromThread, RecordingOptions } from './recording-apart';

/** Batches that were sent and not taken yet, at most: the reader waits for a slow consumer. */
const AHEAD = 8;

/**
 * A thread of its own that reads a recording for `recordingApart`, and hashes what it reads. What is
 * kept of the objects crosses as text: that costs a fraction of what reading them costs.
 */
async function readAhead(options: RecordingOptions): Promise<void> {
  const port = parentPort!;
  let sent = 0;
  let taken = 0;
  let wake = (): void => undefined;
  port.on('message', () => {
    taken += 1;
    wake();
  });
  const post = (message: FromThread): void => port.postMessage(message);
  try {
    for await (const batch of kubernetesRecording(options).observe(new AbortController().signal)) {
      post({ type: 'batch', json: JSON.stringify(batch.map(hashed)) });
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

const hashed = (it: Observation): Observation =>
  it.type === 'object' ? { ...it, hash: contentHash(it.object) } : it;

void readAhead(workerData as RecordingOptions);
