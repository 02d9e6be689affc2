import { pause } from '@ovn-steward/shared/pause';
import { Failure, messageOf, retryOf } from '@ovn-steward/shared/errors';
import type { Kubernetes, ListOnly } from '@ovn-steward/systems/kubernetes/kubernetes';
import { waitAtLeast } from '@ovn-steward/systems/kubernetes/kube-failure';
import { afterCutShort } from './cut-short';
import type { GateEvent, PodGates } from './pod-gates';

/**
 * What changes when a gate may be lifted, and when one comes. Only that something changed is taken
 * from here: each round reads what is so.
 */
const FOLLOWED: readonly (readonly [kind: string, only?: ListOnly])[] = [
  ['Pod', 'unscheduled'],
  ['Namespace'],
  ['Subnet'],
  ['Vpc'],
];

/** So many changes come at once as a rollout makes; milliseconds. */
const GAP_MS = 50;

export interface FollowGatesOptions {
  readonly kubernetes: Pick<Kubernetes, 'follow'>;
  readonly gates: PodGates;
  /** How long at most between two rounds, and how long after a failure; milliseconds. */
  readonly everyMs?: number;
  readonly onEvent: (event: GateEvent) => void;
}

/**
 * Does a round whenever something changed, and every few seconds anyway, until the signal fires.
 * @throws what trying again cannot help.
 */
export async function followGates(
  { kubernetes, gates, everyMs = 10_000, onEvent }: FollowGatesOptions,
  signal: AbortSignal,
): Promise<void> {
  const bell = ringing();
  const ended = new AbortController();
  const running = AbortSignal.any([signal, ended.signal]);
  const followed = FOLLOWED.map(([kind, only]) =>
    ringOnChanges(kind, only, { kubernetes, bell, everyMs, onEvent }, running),
  );
  try {
    while (!signal.aborted) {
      const changed = bell.next(); // before the round: what changes while it reads is not missed
      try {
        onEvent({ type: 'pods-held', held: await gates.round(running) });
      } catch (error) {
        if (signal.aborted) return;
        if (retryOf(error, 'never') === 'never') throw error;
        onEvent({ type: 'guard-failed', error: messageOf(error) });
        await pause(Math.min(everyMs, 1000), running);
        continue;
      }
      await changedOrAfter(changed, everyMs, running);
      await pause(GAP_MS, running);
    }
  } finally {
    ended.abort();
    await Promise.all(followed);
    onEvent({ type: 'pods-held', held: [] });
  }
}

/** A kind that may not be watched is still read in every round; that is said once. */
async function ringOnChanges(
  kind: string,
  only: ListOnly | undefined,
  {
    kubernetes,
    bell,
    everyMs,
    onEvent,
  }: Required<Pick<FollowGatesOptions, 'kubernetes' | 'everyMs' | 'onEvent'>> & {
    readonly bell: Bell;
  },
  signal: AbortSignal,
): Promise<void> {
  let isReported = false;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      for await (const _ of kubernetes.follow(kind, signal, only)) bell.ring();
      await afterCutShort(began, signal);
    } catch (error) {
      if (error instanceof Failure && error.code === 'source-forbidden' && !isReported) {
        isReported = true;
        const why = `${kind} is not watched, only read again now and then: ${error.message}`;
        onEvent({ type: 'guard-failed', error: why });
      }
      await pause(waitAtLeast(everyMs, error), signal);
    }
  }
}

async function changedOrAfter(
  changed: Promise<void>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const enough = new AbortController();
  await Promise.race([changed, pause(ms, signal, enough.signal)]);
  enough.abort();
}

interface Bell {
  ring(): void;
  next(): Promise<void>;
}

/**
 * `next` resolves at the next `ring` after its call. Earlier rings are not kept, since each round
 * reads the current state.
 */
function ringing(): Bell {
  let wake: () => void = () => undefined;
  return {
    ring: () => wake(),
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
}
