import { setMaxListeners } from 'node:events';
import {
  crdNameOf,
  KUBERNETES_KINDS,
  kubernetesStream,
  type KubernetesKind,
} from '@ovn-steward/shared/kinds';
import type { Observation, Source } from '../../source-kit/source';
import type { KubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import { mergeIterables } from './merge';
import { Reflector } from './reflector';
import { createLane } from '@ovn-steward/shared/lane';
import { REFLECTOR_TIMING, type Timing } from './timing';

export interface KubernetesSourceOptions {
  readonly client: KubeClient;
  /** Default: all we know. */
  readonly kinds?: readonly KubernetesKind[];
  readonly timing?: Partial<Timing>;
  /** Called on every interruption with one sentence, once while it repeats; for the log. */
  readonly report?: (stream: string, message: string) => void;
}

/** List requests at a time, over all kinds: a start must not be a load test of the API server. */
const CONCURRENT_LISTS = 4;

type Batches = AsyncIterable<readonly Observation[]>;

/**
 * A cluster's objects, one stream a kind. Each kind has one connection for its watch; lists share a
 * few permits. `gone` is published while following only; what vanished while we were away is for
 * the sweep at `complete`.
 */
export function createKubernetesSource(options: KubernetesSourceOptions): Source {
  const { kinds = KUBERNETES_KINDS } = options;
  return {
    id: 'kubernetes',
    source: 'kubernetes',
    streams: kinds.map(({ kind }) => kubernetesStream(kind)),
    observe: (signal) => observe({ ...options, kinds }, signal),
  };
}

async function* observe(
  options: KubernetesSourceOptions & Required<Pick<KubernetesSourceOptions, 'kinds'>>,
  signal: AbortSignal,
): AsyncGenerator<readonly Observation[]> {
  const { client, kinds, timing, report = () => {} } = options;
  const shared = {
    client,
    report,
    permits: createLane(CONCURRENT_LISTS),
    timing: { ...REFLECTOR_TIMING, ...timing },
  };
  const reflectors = kinds.map((kind) => [kind, new Reflector(kind, shared)] as const);

  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every request listens to it
  const relay = (): void => stop.abort();
  signal.addEventListener('abort', relay);
  if (signal.aborted) relay();
  try {
    const wake = wakerOf(reflectors);
    yield* mergeIterables(
      reflectors.map(([kind, reflector]) => {
        const batches = reflector.run(stop.signal);
        return kind.kind === 'CustomResourceDefinition' ? tapped(batches, wake) : batches;
      }),
    );
  } finally {
    stop.abort();
    signal.removeEventListener('abort', relay);
  }
}

/** A kind that is not served is tried again soon when its definition appears or changes. */
function wakerOf(
  reflectors: readonly (readonly [KubernetesKind, Reflector])[],
): (observation: Observation) => void {
  const byDefinition = new Map(reflectors.map(([kind, reflector]) => [crdNameOf(kind), reflector]));
  return (observation) => {
    if (observation.type === 'object') byDefinition.get(observation.name)?.wake();
  };
}

async function* tapped(
  batches: Batches,
  tap: (observation: Observation) => void,
): AsyncGenerator<readonly Observation[]> {
  for await (const batch of batches) {
    batch.forEach(tap);
    yield batch;
  }
}
