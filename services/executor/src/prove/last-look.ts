import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { messageOf } from '@ovn-steward/shared/errors';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { LiveObjects } from './live-objects';

/** What of Kubernetes a proof rests on. The database's part of it is guarded within the transaction that changes it. */
export interface Foundations {
  /** No object has this key. */
  readonly absences: readonly { readonly kind: string; readonly key: string }[];
  /** This very object has this key; and where `hash` is told, this content. */
  readonly witnesses: readonly { readonly kind: string; readonly key: string; readonly uid: string; readonly hash: string | undefined }[];
  /** The relation finds nothing under this key. */
  readonly vacancies: readonly { readonly relation: string; readonly key: string }[];
}

/** Why a proof may not be acted on now. `changed`: it does not hold any more. `unknown`: whether it does could not be asked, which may pass. */
export interface Doubt {
  readonly is: 'changed' | 'unknown';
  readonly reason: string;
}

const RELATION = new Map(RELATIONS.map((it) => [it.id, it]));

/**
 * Asks anew for all of it. Lists first, since they take longest, so that the single objects, which tell most, are the freshest.
 * @param listAgeMs how old a list may be: those of a whole kind cost what the kind costs.
 * @returns the first thing that is not as it was, else the first of which nobody can say; undefined when all is.
 */
export async function whatAppeared({ absences, witnesses, vacancies }: Foundations, objects: LiveObjects, listAgeMs: number, signal: AbortSignal): Promise<Doubt | undefined> {
  const doubtful = (what: string) => (error: unknown): Doubt => ({ is: 'unknown', reason: `whether ${what} cannot be known: ${messageOf(error)}` });

  const inLists = vacancies.flatMap(({ relation: id, key }) => {
    const relation = RELATION.get(id)!;
    const kinds = relation.kinds === 'ovn-nb' ? [] : relation.kinds.filter((it) => kubernetesKind(it));
    return kinds.map(async (kind) => {
      const [first] = await objects.related(kind, relation, key, signal, listAgeMs);
      return first && changed(`${kind} ${first.namespace === undefined ? '' : `${first.namespace}/`}${first.name} is there now (${id} ${key})`);
    }).map((it) => it.catch(doubtful(`there is nothing of ${id} ${key}`)));
  });
  const listed = gravest(await Promise.all(inLists));
  if (listed !== undefined) return listed;

  const absent = absences.map(async ({ kind, key }) => ((await objects.get(kind, key, signal)) ? changed(`${kind} ${key} is there now`) : undefined));
  const present = witnesses.map(async ({ kind, key, uid, hash }) => {
    const now = await objects.get(kind, key, signal);
    if (now?.uid !== uid) return changed(`${kind} ${key} is not the one it was`);
    return hash === undefined || now.hash === hash ? undefined : changed(`${kind} ${key} says something else than a moment ago`);
  });
  const doubts = [...absent, ...present].map((it, index) => {
    const { kind, key } = [...absences, ...witnesses][index]!;
    return it.catch(doubtful(`${kind} ${key} exists`));
  });
  return gravest(await Promise.all(doubts));
}

const changed = (reason: string): Doubt => ({ is: 'changed', reason });

const gravest = (doubts: readonly (Doubt | undefined)[]): Doubt | undefined => doubts.find((it) => it?.is === 'changed') ?? doubts.find((it) => it !== undefined);
