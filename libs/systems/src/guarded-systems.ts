import type { Kubernetes } from './kubernetes/kubernetes';
import type { Systems } from './systems';

/** Of each guarded client the one that it sends with. */
const SENDERS = new WeakMap<object, object>();

/** The client itself, without what guards its changes: by it is kept what was learned of its server. */
export const unguarded = (kubernetes: Pick<Kubernetes, 'get'>): object =>
  SENDERS.get(kubernetes) ?? kubernetes;

/**
 * The same systems, where a check precedes every change: it runs right before each send, for every
 * caller and every reason. Events on objects are written without: they are a courtesy, and change
 * nothing.
 * @param check throws where nothing may be sent; then nothing is.
 */
export function guardedSystems(
  { northbound, kubernetes }: Systems,
  check: (signal: AbortSignal) => Promise<void>,
): Systems {
  return {
    northbound: over(northbound, {
      write: async (operations, signal) => {
        await check(signal);
        return northbound.write(operations, signal);
      },
    }),
    kubernetes: over(kubernetes, {
      delete: async (object, signal) => {
        await check(signal);
        return kubernetes.delete(object, signal);
      },
      evict: async (object, signal) => {
        await check(signal);
        return kubernetes.evict(object, signal);
      },
      patch: async (object, patch, signal) => {
        await check(signal);
        return kubernetes.patch(object, patch, signal);
      },
      create: async (kind, manifest, signal) => {
        await check(signal);
        return kubernetes.create(kind, manifest, signal);
      },
    }),
  };
}

/** The same but for these. */
function over<T extends object>(base: T, own: Partial<T>): T {
  const guarded = Object.assign(Object.create(base) as T, own);
  SENDERS.set(guarded, SENDERS.get(base) ?? base);
  return guarded;
}
