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
import { readTogether } from './read-together';

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
export interface LiveObjects {
  /**
   * The object of that key, by a read that begins after the call; none of a kind that is not
   * installed.
   */
  get(kind: string, key: string, signal: AbortSignal): Promise<Entity | undefined>;
  /** True when the kind can be read, or is not installed. */
  known(kind: string, signal: AbortSignal): Promise<boolean>;
  /** All of the kind, or of it in one namespace, from a list that is at most so old. */
  list(
    kind: string,
    namespace: string | undefined,
    signal: AbortSignal,
    ageMs?: number,
  ): Promise<readonly Entity[]>;
  /** What a relation over the kind finds under the key, by lists that are at most so old. */
  related(
    kind: string,
    relation: Relation,
    key: string,
    signal: AbortSignal,
    ageMs?: number,
  ): Promise<readonly Entity[]>;
}

export function liveObjects(kubernetes: Kubernetes, cache: BulkCache): LiveObjects {
  const inTurn = createLane(AT_ONCE).run;
  const read = readTogether(kubernetes, inTurn);
  const indexes = new WeakMap<
    readonly Entity[],
    Map<string, ReadonlyMap<string, readonly Entity[]>>
  >();

  // Reads one object of the kind: that a kind is served does not mean that we may read it.
  const readable = (kind: string, signal: AbortSignal): Promise<'served' | 'not-installed'> =>
    cache.share(`readable ${kind}`, async () => {
      try {
        await inTurn(() => kubernetes.count(kind, signal));
        return 'served';
      } catch (error) {
        return absentKind(kind, error, signal);
      }
    });
  /** A kind that is not served has no objects only where it is not installed. */
  const absentKind = async (
    kind: string,
    error: unknown,
    signal: AbortSignal,
  ): Promise<'not-installed'> => {
    if (!(error instanceof Failure) || error.code !== 'source-not-served') throw error;
    if ((await inTurn(() => kubernetes.serves(kind, signal))) !== 'not-installed') throw error;
    return 'not-installed';
  };
  // A list that must be new is read once for all who want it in one turn.
  const listNow = gatherCalls<string, readonly Entity[]>((_, signal) => async (place) => {
    const [kind, namespace] = JSON.parse(place) as [string, string | null];
    const all = await inTurn(() => kubernetes.list(kind, namespace ?? undefined, signal));
    return all.map((it) => entityOf(kind, it));
  });
  const list = (
    kind: string,
    namespace: string | undefined,
    signal: AbortSignal,
    ageMs?: number,
  ): Promise<readonly Entity[]> =>
    cache.share(
      JSON.stringify(['list', kind, namespace ?? null]),
      () => listNow(JSON.stringify([kind, namespace]), signal),
      ageMs,
    );

  /** Kept as long as the list itself. */
  const indexOf = (
    all: readonly Entity[],
    relation: Relation,
  ): ReadonlyMap<string, readonly Entity[]> => {
    let ofList = indexes.get(all);
    if (!ofList) indexes.set(all, (ofList = new Map()));
    let index = ofList.get(relation.id);
    if (!index) ofList.set(relation.id, (index = byKeys(all, relation)));
    return index;
  };

  return {
    list,
    async get(kind, key, signal) {
      const named = nameOf(kind, key);
      if (named === undefined) return undefined;
      try {
        const object = await read(kind, named.namespace, named.name, signal);
        return object && entityOf(kind, object);
      } catch (error) {
        await absentKind(kind, error, signal);
        return undefined;
      }
    },
    async known(kind, signal) {
      await readable(kind, signal);
      return true;
    },
    async related(kind, relation, key, signal, ageMs) {
      const within = WITHIN_NAMESPACE.has(relation.id);
      const namespace = within ? key.slice(0, Math.max(0, key.indexOf('/'))) : undefined;
      if (namespace === '' || (namespace !== undefined && !isName(namespace))) return [];
      if ((await readable(kind, signal)) === 'not-installed') return [];
      return indexOf(await list(kind, namespace, signal, ageMs), relation).get(key) ?? [];
    },
  };
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
  const [namespace, name] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
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
