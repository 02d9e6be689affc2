import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Relation } from '@ovn-steward/judgement/world/relation';
import { Failure } from '@ovn-steward/shared/errors';
import { contentHash } from '@ovn-steward/contracts/identity/ids';
import { kubernetesKind, kubernetesStream } from '@ovn-steward/shared/kinds';
import { gatherCalls } from '@ovn-steward/shared/gather-calls';
import { createLane } from '@ovn-steward/shared/lane';
import { project } from '@ovn-steward/systems/projections/project';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { BulkCache } from './bulk-cache';
import { readObjectsTogether } from './read-objects-together';

/** Requests to one API server at a time. */
const AT_ONCE = 8;

/**
 * Relations whose keys all begin with the namespace of what they find: only that namespace is
 * listed.
 */
const WITHIN_NAMESPACE: ReadonlySet<string> = new Set(['pods-by-machine']);

/**
 * Objects read from the living cluster, as the collector would publish them. All throw a Failure
 * for anything that is not an answer.
 */
export class LiveObjects {
  readonly #kubernetes: Kubernetes;
  readonly #cache: BulkCache;
  readonly #inTurn = createLane(AT_ONCE).run;
  readonly #read: Kubernetes['get'];
  /** By relation, as long as the list itself is kept. */
  readonly #indexes = new WeakMap<
    readonly Entity[],
    Map<string, ReadonlyMap<string, readonly Entity[]>>
  >();
  /** A list that must be new is read once for all who want it in one turn. */
  readonly #listNow = gatherCalls<string, readonly Entity[]>((_, signal) => async (place) => {
    const [kind, namespace] = JSON.parse(place) as [string, string | null];
    const all = await this.#inTurn(() =>
      this.#kubernetes.list(kind, namespace ?? undefined, signal),
    );
    return all.map((it) => entityOf(kind, it));
  });

  constructor(kubernetes: Kubernetes, cache: BulkCache) {
    this.#kubernetes = kubernetes;
    this.#cache = cache;
    this.#read = readObjectsTogether(kubernetes, this.#inTurn);
  }

  /**
   * The object of that key, by a read that begins after the call; none of a kind that is not
   * installed.
   */
  async get(kind: string, key: string, signal: AbortSignal): Promise<Entity | undefined> {
    const named = nameOf(kind, key);
    if (named === undefined) return undefined;
    try {
      const object = await this.#read(kind, named.namespace, named.name, signal);
      return object && entityOf(kind, object);
    } catch (error) {
      await this.#absentKind(kind, error, signal);
      return undefined;
    }
  }

  /** True when the kind can be read, or is not installed. */
  async known(kind: string, signal: AbortSignal): Promise<boolean> {
    await this.#readable(kind, signal);
    return true;
  }

  /** All of the kind, or of it in one namespace, from a list that is at most so old. */
  list(
    kind: string,
    namespace: string | undefined,
    signal: AbortSignal,
    ageMs?: number,
  ): Promise<readonly Entity[]> {
    return this.#cache.share(
      JSON.stringify(['list', kind, namespace ?? null]),
      () => this.#listNow(JSON.stringify([kind, namespace]), signal),
      ageMs,
    );
  }

  /** What a relation over the kind finds under the key, by lists that are at most so old. */
  async related(
    kind: string,
    relation: Relation,
    key: string,
    signal: AbortSignal,
    ageMs?: number,
  ): Promise<readonly Entity[]> {
    const within = WITHIN_NAMESPACE.has(relation.id);
    const namespace = within ? key.slice(0, Math.max(0, key.indexOf('/'))) : undefined;
    if (namespace === '' || (namespace !== undefined && !isName(namespace))) return [];
    // That it is served may be old, since the list is new; that it is not may not.
    if (
      (await this.#readable(kind, signal)) === 'not-installed' &&
      (await this.#readable(kind, signal, ageMs)) === 'not-installed'
    )
      return [];
    return this.#indexOf(await this.list(kind, namespace, signal, ageMs), relation).get(key) ?? [];
  }

  /** Reads one object of the kind: that a kind is served does not mean that we may read it. */
  #readable(
    kind: string,
    signal: AbortSignal,
    ageMs?: number,
  ): Promise<'served' | 'not-installed'> {
    const read = async (): Promise<'served' | 'not-installed'> => {
      try {
        await this.#inTurn(() => this.#kubernetes.count(kind, signal));
        return 'served';
      } catch (error) {
        return this.#absentKind(kind, error, signal);
      }
    };
    return this.#cache.share(`readable ${kind}`, read, ageMs);
  }

  /** A kind that is not served has no objects only where it is not installed. */
  async #absentKind(kind: string, error: unknown, signal: AbortSignal): Promise<'not-installed'> {
    if (!(error instanceof Failure) || error.code !== 'source-not-served') throw error;
    if ((await this.#inTurn(() => this.#kubernetes.serves(kind, signal))) !== 'not-installed')
      throw error;
    return 'not-installed';
  }

  #indexOf(all: readonly Entity[], relation: Relation): ReadonlyMap<string, readonly Entity[]> {
    const ofList = this.#indexes.get(all) ?? new Map<string, ReturnType<typeof byKeys>>();
    this.#indexes.set(all, ofList);
    const index = ofList.get(relation.id) ?? byKeys(all, relation);
    ofList.set(relation.id, index);
    return index;
  }
}

function byKeys(
  all: readonly Entity[],
  relation: Relation,
): ReadonlyMap<string, readonly Entity[]> {
  const index = new Map<string, Entity[]>();
  for (const entity of all) {
    for (const key of new Set(relation.keys(entity))) {
      const found = index.get(key);
      if (found) found.push(entity);
      else index.set(key, [entity]);
    }
  }
  return index;
}

/**
 * What cannot be a part of a path cannot be a name (apimachinery, IsValidPathSegmentName): no
 * object has it, and no request is sent.
 */
const isName = (text: string): boolean =>
  text !== '' && text !== '.' && text !== '..' && !/[/%]/.test(text);

/** The namespace and name a key stands for; undefined when no object of the kind can have it. */
function nameOf(
  kind: string,
  key: string,
): { readonly namespace: string | undefined; readonly name: string } | undefined {
  const entry = kubernetesKind(kind);
  if (!entry) throw new Failure('source-not-served', `${kind} is not a kind this version reads`);
  const slash = key.indexOf('/');
  if (!entry.namespaced) return isName(key) ? { namespace: undefined, name: key } : undefined;
  const namespace = key.slice(0, Math.max(0, slash));
  const name = key.slice(slash + 1);
  return isName(namespace) && isName(name) ? { namespace, name } : undefined;
}

function entityOf(kind: string, raw: unknown): Entity {
  const { uid, name, namespace, object } = project(kind, raw);
  return {
    source: 'kubernetes',
    stream: kubernetesStream(kind),
    kind,
    uid,
    name,
    object,
    hash: contentHash(object),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
