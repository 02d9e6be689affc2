import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import type { Systems } from '@ovn-steward/systems/systems';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Cluster } from './cluster';
import type { Offence } from './tally';

/** Where what must not be is recorded. */
type Offend = (kind: Offence['kind'], what: string) => void;

/**
 * Which of its two systems a process reaches in another cluster, as with a wrong kubeconfig, or an
 * address that leads elsewhere since a moment ago.
 */
export type Astray = 'kubernetes' | 'northbound' | 'both';

/** Where the requests of one process go. */
export interface Way {
  readonly astray: Astray | undefined;
  /** Grows with every turn: the same number is the same way all along. */
  readonly turns: number;
  /** Since when, in milliseconds of the steady clock. */
  readonly since: number;
}

export interface Compass {
  way(): Way;
  turn(to: Astray | undefined): void;
}

export function createCompass(): Compass {
  let way: Way = { astray: undefined, turns: 0, since: performance.now() };
  return {
    way: () => way,
    turn(astray) {
      if (astray !== way.astray) way = { astray, turns: way.turns + 1, since: performance.now() };
    },
  };
}

/** Systems of which each request goes where the compass shows at its moment. */
export function systemsBy(home: Systems, abroad: Systems, compass: Compass): Systems {
  const isAbroad = (what: Astray): boolean => {
    const { astray } = compass.way();
    return astray === what || astray === 'both';
  };
  const northbound = either(home.northbound, abroad.northbound, () => isAbroad('northbound'));
  return {
    kubernetes: either<Kubernetes>(home.kubernetes, abroad.kubernetes, () =>
      isAbroad('kubernetes'),
    ),
    // Another server is another connection, which every client notices.
    northbound: Object.assign(Object.create(northbound) as Northbound, {
      connections: () => northbound.connections() + 1000 * compass.way().turns,
    }),
  };
}

/** One of two of a kind, chosen again for each call. */
const either = <T extends object>(home: T, abroad: T, isAbroad: () => boolean): T =>
  new Proxy(home, {
    get(_, key) {
      const systems = isAbroad() ? abroad : home;
      const value: unknown = Reflect.get(systems, key);
      return typeof value === 'function' ? (value.bind(systems) as unknown) : value;
    },
  });

/** Whatever an executor changes in a cluster that is not its own is wrong. */
export function forbidAbroad({ northbound: { database } }: Cluster, offend: Offend): void {
  const transact = database.transact.bind(database);
  database.transact = (operations, owns) => {
    const result = transact(operations, owns);
    const isWrite =
      operations[0]?.op === 'assert' &&
      operations.some(({ op }) => op === 'insert' || op === 'mutate' || op === 'delete');
    if (isWrite && result.ok)
      offend(
        'wrongDeletions',
        `a write into the database of another cluster: ${JSON.stringify(operations).slice(0, 400)}`,
      );
    return result;
  };
}

/** The answer to who answers is good for so long right before a write; milliseconds. */
const REQUEST_MS = 2000;

/**
 * The same of an API server of another cluster. A request that removes is bound to a uid it does
 * not have; one that makes something again is bound to nothing, and may arrive there where the
 * address leads there since who answers was asked last.
 */
export function forbidKubernetesAbroad(
  kubernetes: MemoryKubernetes,
  compass: Compass,
  { offend, strayed }: { readonly offend: Offend; strayed(made: KubernetesObject): void },
): Parameters<typeof import('./gates').gateKubernetes>[2] {
  const find = (
    kind: string,
    namespace: string | undefined,
    name: string | undefined,
  ): KubernetesObject | undefined =>
    kubernetes
      .objects(kind)
      .find((it) => it.metadata.name === name && it.metadata.namespace === namespace);
  const before = new Map<object, KubernetesObject | undefined>();
  const sentAt = new WeakMap<object, number>();
  return {
    sends: (call) => void sentAt.set(call, performance.now()),
    before(call) {
      if (['delete', 'evict', 'patch', 'create'].includes(call.verb))
        before.set(call, find(call.kind, call.namespace, call.name));
    },
    after(call) {
      if (!before.has(call)) return;
      const was = before.get(call);
      before.delete(call);
      const now = find(call.kind, call.namespace, call.name);
      if (was === now) return;
      const couldNotKnow = sentAt.get(call)! - compass.way().since <= REQUEST_MS;
      if (call.verb === 'create' && now && couldNotKnow) strayed(now);
      else offend('wrongDeletions', `${call.verb} of ${call.kind} ${call.name} in another cluster`);
    },
  };
}
