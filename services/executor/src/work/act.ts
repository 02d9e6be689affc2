import { pause } from '@ovn-steward/shared/pause';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTIONS, CONTROL } from '@ovn-steward/shared/log/topics';
import { type ControlFollower, followControl } from '../control/follow-control';
import { HeardPublisher } from '../control/publish-heard';
import { catchUpLedger } from '../ledger/catch-up';
import type { ActOptions } from './act-options';
import { assembleWorker } from './assemble-worker';
import { eventRecorder } from './event-recorder';
import type { Worker } from './worker';

const DECISIONS_WITHIN_MS = 3000;
/** How long pending Events are still written when the work has ended; milliseconds. */
const EVENTS_WITHIN_MS = 5000;

/**
 * Acts on one cluster until the signal fires.
 * @throws Failure that is not to be mended here: `log-partition-lost`, `fenced`, and what trying
 *   again cannot help.
 */
export async function act(options: ActOptions, signal: AbortSignal): Promise<void> {
  await withWorker(options, signal, (worker, running) => worker.run(running));
}

const heardPublisher = (
  { log, cluster, partition, heardAs, clock, onEvent }: ActOptions,
  signal: AbortSignal,
): HeardPublisher | undefined =>
  heardAs === undefined
    ? undefined
    : new HeardPublisher({
        log,
        cluster,
        partition,
        name: heardAs,
        clock,
        signal,
        onTrouble: (what) => onEvent({ type: 'trouble', what }),
      });

/** What people decided is read in a moment; where it is not, the worker waits and says so. */
async function waitForDecisions(control: ControlFollower, signal: AbortSignal): Promise<void> {
  for (
    const until = performance.now() + DECISIONS_WITHIN_MS;
    control.state() === undefined && performance.now() < until && !signal.aborted;
  )
    await pause(10, signal);
}

/** What people decided is followed from here on. */
const controlOf = (
  { log, cluster, partition, onEvent }: ActOptions,
  heard: HeardPublisher | undefined,
  signal: AbortSignal,
): ControlFollower =>
  followControl({
    ...{ log, cluster, partition, signal },
    onState: (state) => {
      heard?.publish(state);
      onEvent({ type: 'decided', state });
    },
    onTrouble: (what) => onEvent({ type: 'trouble', what }),
    onRefused: (reason) => onEvent({ type: 'refused', topic: CONTROL, reason }),
  });

/** Makes the ledger what the log says. */
async function catchUp(
  { cluster, partition, log, ledger, clock, onEvent }: ActOptions,
  signal: AbortSignal,
): Promise<void> {
  const caughtUp = await catchUpLedger({
    ...{ log, ledger, partition, clock, signal },
    onRefused: (reason) => onEvent({ type: 'refused', topic: ACTIONS, reason }),
  });
  onEvent({ type: 'caught-up', partition, ledger: caughtUp, open: ledger.open(cluster).length });
}

/**
 * A worker whose ledger is what the log says, and who hears what people decide, for as long as
 * `use` takes.
 */
export async function withWorker<T>(
  options: ActOptions,
  signal: AbortSignal,
  use: (worker: Worker, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const running = AbortSignal.any([signal, ended.signal]);
  await catchUp(options, signal);
  const recorder = eventRecorder(options.systems.kubernetes, running);
  const heard = heardPublisher(options, running);
  const control = controlOf(options, heard, running);
  const worker = assembleWorker(options, { control, recorder });
  try {
    await waitForDecisions(control, running);
    return await use(worker, running);
  } finally {
    // Best effort: Events that a slow API server has not taken by then are dropped.
    await Promise.race([recorder.idle(), sleep(EVENTS_WITHIN_MS, undefined, { ref: false })]);
    ended.abort();
    await control.ended.catch(() => undefined);
    options.onEvent({ type: 'decided', state: undefined });
    await heard?.end();
  }
}
