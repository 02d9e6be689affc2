import { isDeepStrictEqual } from 'node:util';
import { kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { project } from '@ovn-steward/systems/projections/project';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { Reflector } from '../reflector';
import { createLane } from '@ovn-steward/shared/lane';
import { until as waitUntil } from '@ovn-steward/shared/testing/until';
import { REFLECTOR_TIMING, type Timing } from '../timing';
import { FaultServer } from './fault-server';
import { Mirror } from './mirror';

const pod = kubernetesKind('Pod') as KubernetesKind;

const FAST: Timing = {
  ...REFLECTOR_TIMING,
  pageSize: 3,
  watchSeconds: [60, 60],
  backoff: { base: 5, max: 20 },
  slowRetry: 60,
  unreachableAfter: 60_000,
  stableAfter: 10_000,
};

/** A reflector on a fault server, folded into a mirror. */
export async function reflecting(
  timing: Partial<Timing> = {},
  idleMs = 5_000,
  take?: (mirror: Mirror) => Promise<void>,
) {
  const server = new FaultServer();
  const url = await server.start();
  const access = { server: url, authenticate: async () => {}, renew: () => {} };
  const mirror = new Mirror();
  const reports: string[] = [];
  const stop = new AbortController();
  const reflector = new Reflector(pod, {
    client: createKubeClient(access, { connectMs: 1_000, idleMs }),
    permits: createLane(2),
    timing: { ...FAST, ...timing },
    report: (_stream, message) => reports.push(message),
  });
  const start = () =>
    (async () => {
      for await (const batch of reflector.run(stop.signal)) {
        mirror.take(batch);
        await take?.(mirror);
      }
    })();
  let running: Promise<void> | undefined;
  const same = (): boolean => {
    const truth = server.truth();
    return (
      truth.length === mirror.objects.size &&
      truth.every((it) =>
        isDeepStrictEqual(mirror.objects.get(it.metadata.uid), project('Pod', it).object),
      )
    );
  };
  cleanups.push(async () => {
    stop.abort();
    await server.stop();
    await running;
  });
  return {
    server,
    mirror,
    reports,
    reflector,
    stop,
    same,
    run: () => {
      running = start();
    },
    ended: () => running,
  };
}

const cleanups: (() => Promise<void>)[] = [];
/** Ends what `reflecting` began; after each test. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

export const until = async (
  condition: () => boolean,
  what = condition.toString(),
  timeoutMs?: number,
): Promise<void> =>
  void (await waitUntil(condition, what, {
    pauseMs: 3,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }));

export const names = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `pod-${i}`);
