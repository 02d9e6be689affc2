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

/** How old a list may be: those of a whole kind cost what the kind costs. */
const LIST_AGE_MS = 1000;

const RELATION = new Map(RELATIONS.map((it) => [it.id, it]));

/**
 * Asks anew for all of it. Lists first, since they take longest, so that the single objects, which tell most, are the freshest.
 * @returns a sentence for the first thing that is not as it was, or of which nobody can say; undefined when all is.
 */
export async function whatAppeared({ absences, witnesses, vacancies }: Foundations, objects: LiveObjects, signal: AbortSignal): Promise<string | undefined> {
  const doubtful = (what: string) => (error: unknown): string => `whether ${what} cannot be known: ${messageOf(error)}`;

  const inLists = vacancies.flatMap(({ relation: id, key }) => {
    const relation = RELATION.get(id)!;
    const kinds = relation.kinds === 'ovn-nb' ? [] : relation.kinds.filter((it) => kubernetesKind(it));
    return kinds.map(async (kind) => {
      const [first] = await objects.related(kind, relation, key, signal, LIST_AGE_MS);
      return first && `${kind} ${first.namespace === undefined ? '' : `${first.namespace}/`}${first.name} is there now (${id} ${key})`;
    }).map((it) => it.catch(doubtful(`there is nothing of ${id} ${key}`)));
  });
  const listed = firstOf(await Promise.all(inLists));
  if (listed !== undefined) return listed;

  const absent = absences.map(async ({ kind, key }) => ((await objects.get(kind, key, signal)) ? `${kind} ${key} is there now` : undefined));
  const present = witnesses.map(async ({ kind, key, uid, hash }) => {
    const now = await objects.get(kind, key, signal);
    if (now?.uid !== uid) return `${kind} ${key} is not the one it was`;
    return hash === undefined || now.hash === hash ? undefined : `${kind} ${key} says something else than a moment ago`;
  });
  const sentences = [...absent, ...present].map((it, index) => {
    const { kind, key } = [...absences, ...witnesses][index]!;
    return it.catch(doubtful(`${kind} ${key} exists`));
  });
  return firstOf(await Promise.all(sentences));
}

const firstOf = (sentences: readonly (string | undefined)[]): string | undefined => sentences.find((it) => it !== undefined);
