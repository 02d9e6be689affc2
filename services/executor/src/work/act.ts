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

/** How long the start waits for what people decided to be read; milliseconds. */
const DECISIONS_WITHIN_MS = 3000;
/** How long pending Events are still written when the work has ended; milliseconds. */
const EVENTS_WITHIN_MS = 5000;

/**
 * Acts on one cluster until the signal fires.
 * @throws Failure `log-partition-lost`, `fenced`, and any other that trying again cannot mend.
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

/**
 * Gives the control topic a moment to be read to its end. Where it is not, the worker starts
 * anyway, and reports with each turn that it waits.
 */
async function waitForDecisions(control: ControlFollower, signal: AbortSignal): Promise<void> {
  for (
    const until = performance.now() + DECISIONS_WITHIN_MS;
    control.state() === undefined && performance.now() < until && !signal.aborted;
  )
    await pause(10, signal);
}

/** Starts to follow what people decide, and reports each change. */
const followDecisions = (
  { log, cluster, partition, onEvent }: ActOptions,
  heard: HeardPublisher | undefined,
  signal: AbortSignal,
): ControlFollower =>
  followControl({
    log,
    cluster,
    partition,
    signal,
    onState: (state) => {
      heard?.publish(state);
      onEvent({ type: 'decided', state });
    },
    onTrouble: (what) => onEvent({ type: 'trouble', what, unread: true }),
    onRefused: (reason) => onEvent({ type: 'refused', topic: CONTROL, reason }),
  });

/** Makes the ledger what the log says. */
async function catchUp(
  { cluster, partition, log, ledger, clock, onEvent }: ActOptions,
  signal: AbortSignal,
): Promise<void> {
  const caughtUp = await catchUpLedger({
    log,
    ledger,
    partition,
    clock,
    signal,
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
  const recorder = eventRecorder(options.systems.kubernetes, ended.signal);
  const heard = heardPublisher(options, running);
  const control = followDecisions(options, heard, running);
  try {
    const worker = assembleWorker(options, { control, recorder });
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
