import { setTimeout as sleep } from 'node:timers/promises';
import { createKubeClient } from '@ovn-steward/reading/kubernetes/kube-client';
import type { KubeAccess } from '@ovn-steward/reading/kubernetes/kube-request';
import { messageOf, retryOf } from '@ovn-steward/shared/errors';
import { SUBNET_LABEL } from './gate-words';
import type { GateEvent, HeldPod, PodGates } from './pod-gates';

/** The server ends a watch after so long, well within the time in which it may say nothing; seconds. */
const WATCH_SECONDS = 60;

/** What changes when a gate may be lifted, and when one comes. Only that something changed is taken from here: each round reads what is so. */
const WATCHED = [
  `/api/v1/pods?fieldSelector=${encodeURIComponent('spec.nodeName=')}`,
  `/api/v1/namespaces?labelSelector=${encodeURIComponent(SUBNET_LABEL)}`,
  '/apis/kubeovn.io/v1/subnets?',
  '/apis/kubeovn.io/v1/vpcs?',
].map((it) => `${it}&watch=1&timeoutSeconds=${WATCH_SECONDS}`);

/** So many changes come at once as a rollout makes; milliseconds. */
const GAP_MS = 50;

export interface FollowGatesOptions {
  readonly access: KubeAccess;
  readonly gates: PodGates;
  /** How long at most between two rounds, and how long after a failure; milliseconds. */
  readonly everyMs?: number;
  readonly onRound?: (held: readonly HeldPod[]) => void;
  readonly onEvent: (event: GateEvent) => void;
}

/** Does a round whenever something changed, and every few seconds anyway, until the signal fires. @throws what trying again cannot help. */
export async function followGates({ access, gates, everyMs = 10_000, onRound, onEvent }: FollowGatesOptions, signal: AbortSignal): Promise<void> {
  const bell = ringing();
  const ended = new AbortController();
  const running = AbortSignal.any([signal, ended.signal]);
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: running }).catch(() => undefined);
  const watches = WATCHED.map((it) => watch(access, it, bell.ring, everyMs, running));
  try {
    while (!signal.aborted) {
      const heard = bell.next(); // before the round: what changes while it reads is not missed
      try {
        onRound?.(await gates.round(running));
      } catch (error) {
        if (signal.aborted) return;
        if (retryOf(error, 'never') === 'never') throw error;
        onEvent({ type: 'trouble', reason: messageOf(error) });
        await pause(Math.min(everyMs, 1000));
        continue;
      }
      await Promise.race([heard, pause(everyMs)]);
      await pause(GAP_MS);
    }
  } finally {
    ended.abort();
    await Promise.all(watches);
  }
}

/** Rings whenever bytes of a watch come. A kind that may not be watched is looked at every so often all the same. */
async function watch(access: KubeAccess, path: string, ring: () => void, everyMs: number, signal: AbortSignal): Promise<void> {
  const client = createKubeClient(access);
  while (!signal.aborted) {
    try {
      for await (const _ of (await client.get(path, signal)).bytes) ring();
    } catch {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Whoever asked for the next ring hears one; rings that nobody waits for are not kept, since a round reads what is so by then. */
function ringing(): { ring(): void; next(): Promise<void> } {
  let wake: () => void = () => undefined;
  return { ring: () => wake(), next: () => new Promise((resolve) => { wake = resolve; }) };
}
