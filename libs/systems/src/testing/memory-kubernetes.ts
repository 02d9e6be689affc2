import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import { Failure } from '@ovn-steward/shared/errors';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { apiVersionOf } from '@ovn-steward/shared/kinds';
import type {
  Kubernetes,
  FollowEvent,
  KubernetesObject,
  ObjectEvent,
  ObjectVersion,
  RefusedWrite,
  Sample,
} from '../kubernetes/kubernetes';
import { kindOf } from '../kubernetes/places';
import { type GivenObject, type MemoryObjects, memoryObjects, refused } from './memory-objects';

/** One call of the port. */
export interface KubernetesCall {
  readonly verb:
    | 'identity'
    | 'serves'
    | 'servedAs'
    | 'get'
    | 'list'
    | 'count'
    | 'samples'
    | 'follow'
    | 'delete'
    | 'evict'
    | 'patch'
    | 'create'
    | 'writeEvent';
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * `lose-request`: it does not arrive. `lose-reply`: it takes effect and nobody hears of it. A
 * Failure: a read that fails.
 */
export type KubernetesFault = 'lose-request' | 'lose-reply' | Failure;

/** An API server in memory, with all that can go wrong on the way to it. */
export interface MemoryKubernetes extends Kubernetes {
  /**
   * As somebody else: creates or replaces, assigns uid (unless given) and resourceVersion.
   * Namespaces it needs appear.
   */
  put(object: GivenObject): KubernetesObject;
  /** As somebody else: takes it away at once. */
  remove(kind: string, namespace: string | undefined, name: string): void;
  objects(kind: string): KubernetesObject[];
  /** What was reported of objects lately: a server keeps events for an hour. */
  readonly events: readonly ObjectEvent[];
  /** Kinds that are neither served nor defined. */
  readonly notInstalled: Set<string>;
  /** What this account may not do, as `<verb> <kind>`: `get Pod`, `delete IP`. */
  readonly forbidden: Set<string>;
  /** Whether a budget allows the pod to be evicted now. */
  budget: (pod: KubernetesObject) => boolean;
  fault: ((call: KubernetesCall) => KubernetesFault | undefined) | undefined;
  /**
   * Awaited before a call takes effect and again before its answer is given: where others may come
   * in between.
   */
  between: ((call: KubernetesCall, moment: 'before' | 'after') => Promise<void> | void) | undefined;
  /** What it counts of itself. */
  readonly counted: Map<string, readonly Sample[]>;
  /**
   * The same cluster as another client sees it, with the same budget, and no fault or prohibition
   * of its own yet.
   */
  peer(): MemoryKubernetes;
}

/** Events. */
const REMEMBERED = 10_000;

const WHERE = 'a cluster in memory';

/** An API server in memory that keeps the contract of {@link Kubernetes}. */
export function memoryKubernetes(
  objects: MemoryObjects = memoryObjects(),
  notInstalled: Set<string> = new Set(),
  reported = new Map<string, ObjectEvent>(),
): MemoryKubernetes {
  const forbidden = new Set<string>();

  /** One call: `effect` happens at once, and may be hit by a fault on its way there or back. */
  const call = async <T>(
    what: KubernetesCall,
    signal: AbortSignal,
    effect: () => T,
  ): Promise<T> => {
    signal.throwIfAborted();
    await memory.between?.(what, 'before');
    const fault = memory.fault?.(what);
    if (fault instanceof Failure) throw fault;
    if (fault === 'lose-request') throw lost(what);
    const answer = effect();
    await memory.between?.(what, 'after');
    if (fault === 'lose-reply') throw lost(what);
    return answer;
  };
  const read = <T>(what: KubernetesCall, signal: AbortSignal, effect: () => T): Promise<T> =>
    call(what, signal, () => {
      if (forbidden.has(`${what.verb} ${what.kind}`))
        throw new Failure('source-forbidden', `We may not ${what.verb} ${what.kind} in ${WHERE}.`);
      if (notInstalled.has(what.kind) && !['serves', 'servedAs'].includes(what.verb))
        throw new Failure('source-not-served', `${WHERE} does not serve ${what.kind}.`);
      return effect();
    });
  const within = (kind: string, namespace: string | undefined): KubernetesObject[] =>
    [...objects.all(kind)].filter(
      (it) => namespace === undefined || it.metadata.namespace === namespace,
    );
  const write = <T>(
    verb: KubernetesCall['verb'],
    version: Omit<ObjectVersion, 'uid' | 'resourceVersion'>,
    signal: AbortSignal,
    effect: () => T | RefusedWrite,
  ): Promise<T | RefusedWrite> => {
    const { kind, namespace, name } = version;
    return call({ verb, kind, namespace, name }, signal, () => {
      if (forbidden.has(`${verb} ${kind}`))
        return refused('forbidden', `we may not ${verb} ${kind}`);
      if (notInstalled.has(kind))
        throw new Failure('source-not-served', `${WHERE} does not serve ${kind}.`);
      return effect();
    });
  };
  const removal = (
    verb: 'delete' | 'evict',
    version: ObjectVersion,
    signal: AbortSignal,
  ): ReturnType<Kubernetes['delete']> =>
    write(verb, version, signal, () => {
      const current = objects.get(version.kind, version.namespace, version.name);
      if (verb === 'evict' && current && !memory.budget(current))
        return refused('blocked', 'a budget does not allow it now');
      const outcome = objects.delete(version);
      return typeof outcome === 'string' ? { is: outcome } : outcome;
    });

  const memory: MemoryKubernetes = {
    where: WHERE,
    get events() {
      return [...reported.values()];
    },
    counted: new Map(),
    notInstalled,
    forbidden,
    budget: () => true,
    fault: undefined,
    between: undefined,
    put: (object) => objects.put(object),
    remove: (kind, namespace, name) => objects.remove(kind, namespace, name),
    objects: (kind) => [...objects.all(kind)],
    peer: () =>
      Object.assign(memoryKubernetes(objects, notInstalled, reported), { budget: memory.budget }),
    identity: (signal) =>
      read(
        { verb: 'identity', kind: 'Namespace', name: 'kube-system' },
        signal,
        () => objects.get('Namespace', undefined, 'kube-system')!.metadata.uid,
      ),
    serves: (kind, signal) =>
      read({ verb: 'serves', kind }, signal, () =>
        notInstalled.has(kind) ? 'not-installed' : 'served',
      ),
    servedAs: (kind, signal) =>
      read({ verb: 'servedAs', kind }, signal, () =>
        notInstalled.has(kind) ? undefined : apiVersionOf(kindOf(kind)),
      ),
    get: (kind, namespace, name, signal) =>
      read({ verb: 'get', kind, namespace, name }, signal, () =>
        objects.get(kind, namespace, name),
      ),
    list: (kind, namespace, signal, only) =>
      read({ verb: 'list', kind, namespace }, signal, () =>
        within(kind, namespace).filter((it) => only === undefined || isUnscheduled(it)),
      ),
    listUpTo: (kind, namespace, most, signal) =>
      read({ verb: 'list', kind, namespace }, signal, () => {
        const all = within(kind, namespace);
        return all.length > most ? undefined : all;
      }),
    samples: <M extends string>(metrics: readonly M[], signal: AbortSignal) =>
      read(
        { verb: 'samples', kind: '/metrics' },
        signal,
        () =>
          Object.fromEntries(
            metrics.map((it) => [it, memory.counted.get(it) ?? []]),
          ) as unknown as Record<M, readonly Sample[]>,
      ),
    async *follow(kind, signal, only) {
      const news: FollowEvent[][] = [];
      let wake = (): void => undefined;
      const stop = objects.watch(kind, (event) => {
        news.push([event]);
        wake();
      });
      const onAbort = (): void => wake();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        yield [
          await read({ verb: 'follow', kind }, signal, () => {
            news.length = 0;
            return {
              is: 'all',
              objects: [...objects.all(kind)].filter(
                (it) => only === undefined || isUnscheduled(it),
              ),
            } as const;
          }),
        ];
        while (!signal.aborted) {
          const next = news.shift();
          if (next) yield next;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        stop();
      }
    },
    count: (kind, signal) => read({ verb: 'count', kind }, signal, () => objects.count(kind)),
    delete: (version, signal) => removal('delete', version, signal),
    evict: (version, signal) => removal('evict', version, signal),
    patch: (version, patch, signal) =>
      write('patch', version, signal, () => {
        const outcome = objects.patch(version, patch);
        return isRefused(outcome) ? outcome : { is: 'patched', object: outcome };
      }),
    create(kind, manifest, signal) {
      const { namespace, name } = manifest['metadata'] as {
        readonly namespace?: string;
        readonly name: string;
      };
      return write(
        'create',
        { kind, name, ...(namespace !== undefined && { namespace }) },
        signal,
        () => {
          const outcome = objects.create(kind, manifest);
          return isRefused(outcome) ? outcome : { is: 'created', object: outcome };
        },
      );
    },
    async writeEvent(event, signal) {
      const { kind, namespace, name } = event.regarding;
      try {
        return await call({ verb: 'writeEvent', kind, namespace, name }, signal, () => {
          if (forbidden.has('writeEvent Event')) return false;
          reported.set(canonicalJson(event), event);
          if (reported.size > REMEMBERED) reported.delete(reported.keys().next().value!);
          return true;
        });
      } catch {
        return false;
      }
    },
    close: () => Promise.resolve(),
  };
  return memory;
}

const isUnscheduled = ({ spec }: KubernetesObject): boolean =>
  ((spec ?? {}) as { readonly nodeName?: string }).nodeName === undefined;

const isRefused = (outcome: KubernetesObject | RefusedWrite): outcome is RefusedWrite =>
  (outcome as RefusedWrite).is === 'refused';

const READS: ReadonlySet<KubernetesCall['verb']> = new Set<KubernetesCall['verb']>([
  'identity',
  'serves',
  'servedAs',
  'get',
  'list',
  'count',
  'samples',
  'follow',
]);

function lost({ verb, kind, namespace, name = '' }: KubernetesCall): Failure {
  const what = `${verb} ${kind} ${objectKey(namespace, name)}`;
  return READS.has(verb)
    ? new Failure('source-unreachable', `${WHERE} did not answer ${what}.`)
    : new Failure(
        'outcome-unknown',
        `${WHERE} did not answer ${what}: it is done or it is not. Read it before the request is repeated.`,
      );
}
