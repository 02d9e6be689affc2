import { retrying } from '@ovn-steward/shared/retrying';
import { Failure } from '@ovn-steward/shared/errors';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { waitAtLeast } from '@ovn-steward/systems/kubernetes/kube-failure';
import { afterCutShort } from './cut-short';

/** A kind as it last reported. */
export interface FollowedKind {
  /** By name; undefined until all of it was heard once. */
  objects(): ReadonlyMap<string, KubernetesObject> | undefined;
}

export interface FollowingOptions {
  readonly kubernetes: Pick<Kubernetes, 'follow'>;
  readonly kind: string;
  /**
   * Called with each object that changed, as it was and as it is now; after a full list, with each
   * object before and after it. Must not throw.
   */
  readonly onChange: (
    before: KubernetesObject | undefined,
    now: KubernetesObject | undefined,
  ) => void;
  /** Called after a full list. Must not throw. */
  readonly onAll?: () => void;
  /** Must not throw. */
  readonly onFailure: (failure: Failure) => void;
  /** How long to wait before reading again, by how often in a row that failed; milliseconds. */
  readonly backOff: (failures: number) => number;
}

/**
 * Follows a cluster-scoped kind, again whenever that ends, until the signal fires. Rejects only
 * with what is a bug.
 */
export function followed(
  { kubernetes, kind, onChange, onAll, onFailure, backOff }: FollowingOptions,
  signal: AbortSignal,
): FollowedKind & { readonly ended: Promise<void> } {
  let objects: Map<string, KubernetesObject> | undefined;

  const once = async (onAnswer: () => void): Promise<void> => {
    for await (const events of kubernetes.follow(kind, signal)) {
      onAnswer();
      for (const followEvent of events) {
        if (followEvent.is === 'all') {
          const before = objects ?? new Map<string, KubernetesObject>();
          objects = new Map(followEvent.objects.map((object) => [object.metadata.name, object]));
          for (const name of new Set([...before.keys(), ...objects.keys()]))
            onChange(before.get(name), objects.get(name));
          onAll?.();
          continue;
        }
        const { name } = followEvent.object.metadata;
        const before = objects?.get(name);
        if (followEvent.is === 'now') objects?.set(name, followEvent.object);
        else objects?.delete(name);
        onChange(before, followEvent.is === 'now' ? followEvent.object : undefined);
      }
    }
  };
  const ended = retrying(
    async (onProgress) => {
      while (!signal.aborted) {
        const began = performance.now();
        await once(onProgress);
        await afterCutShort(began, signal);
      }
    },
    {
      isFinal: (error) => !signal.aborted && !(error instanceof Failure),
      backOff: (attempt, error) => waitAtLeast(backOff(attempt), error),
      onRetry: (error) => onFailure(error as Failure),
    },
    signal,
  );
  return { objects: () => objects, ended };
}
