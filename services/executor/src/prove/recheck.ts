import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Foundations } from '@ovn-steward/contracts/actions/foundations';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { fetchAnswers, type ProofSources } from './fetch-answers';
import type { LiveObjects } from './live-objects';

/**
 * Why a proof may not be acted on now. `changed`: it does not hold any more. `unknown`: this could
 * not be checked, which may pass. `mispaired`: the two systems are not shown to be one cluster.
 */
export interface ProofDoubt {
  readonly is: 'changed' | 'unknown' | 'mispaired';
  readonly reason: string;
}

const RELATION = new Map(RELATIONS.map((it) => [it.id, it]));

/**
 * Reads all of it again. Lists first, since they take longest, so that the single objects, which
 * say most, are the freshest.
 * @param listAgeMs how old a list may be: those of a whole kind cost what the kind costs.
 * @returns the first thing that is not as it was, else the first that cannot be read; undefined
 * when all is.
 */
export async function whatAppeared(
  { absences, witnesses, vacancies, rows }: Foundations,
  objects: LiveObjects,
  from: () => Promise<ProofSources>,
  listAgeMs: number,
  signal: AbortSignal,
): Promise<ProofDoubt | undefined> {
  const listed = gravest(
    await Promise.all([
      ...vacanciesTaken(vacancies, objects, listAgeMs, signal),
      whichRowsMoved(rows, from, signal).catch(doubtful('the rows say what they said')),
    ]),
  );
  if (listed !== undefined) return listed;

  const absent = absences.map(async ({ kind, key }) =>
    (await objects.get(kind, key, signal)) ? changed(`${kind} ${key} is there now`) : undefined,
  );
  const present = witnesses.map(async ({ kind, key, uid, hash }) => {
    const now = await objects.get(kind, key, signal);
    if (now?.uid !== uid) return changed(`${kind} ${key} is not the one it was`);
    return hash === undefined || now.hash === hash
      ? undefined
      : changed(`${kind} ${key} says something else than a moment ago`);
  });
  const doubts = [...absent, ...present].map((question, index) => {
    const { kind, key } = [...absences, ...witnesses][index]!;
    return question.catch(doubtful(`${kind} ${key} exists`));
  });
  return gravest(await Promise.all(doubts));
}

/** What lists say that were empty of what is looked for. */
const vacanciesTaken = (
  vacancies: Foundations['vacancies'],
  objects: LiveObjects,
  listAgeMs: number,
  signal: AbortSignal,
): readonly Promise<ProofDoubt | undefined>[] =>
  vacancies.flatMap(({ relation: id, key }) => {
    const relation = RELATION.get(id)!;
    const kinds =
      relation.kinds === 'ovn-nb' ? [] : relation.kinds.filter((it) => kubernetesKind(it));
    return kinds
      .map(async (kind) => {
        const [first] = await objects.related(kind, relation, key, signal, listAgeMs);
        return (
          first &&
          changed(
            `${kind} ${first.namespace === undefined ? '' : `${first.namespace}/`}${first.name} is there now (${id} ${key})`,
          )
        );
      })
      .map((it) => it.catch(doubtful(`there is nothing of ${id} ${key}`)));
  });

const doubtful =
  (what: string) =>
  (error: unknown): ProofDoubt => ({
    is: 'unknown',
    reason: `whether ${what} cannot be known: ${messageOf(error)}`,
  });

/**
 * Compares only rows that still exist. A deleted row does not contradict a proof: the controller that
 * makes an object's row deletes it with the object.
 */
async function whichRowsMoved(
  rows: Foundations['rows'],
  from: () => Promise<ProofSources>,
  signal: AbortSignal,
): Promise<ProofDoubt | undefined> {
  if (rows.length === 0) return undefined;
  const known = new Map(rows.flatMap((it) => Object.entries(it.known)));
  for (const [, answer] of await fetchAnswers(
    rows.map((it) => it.question),
    await from(),
    signal,
  )) {
    if (answer.is !== 'found')
      return {
        is: 'unknown',
        reason:
          answer.is === 'failed' ? answer.reason : 'it was answered as something else than rows',
      };
    const moved = answer.entities.find(
      (it) => it.source === 'ovn-nb' && known.get(it.uid) !== it.hash,
    );
    if (moved)
      return changed(
        `${moved.kind} ${moved.name || moved.uid} ${known.has(moved.uid) ? 'says something else than a moment ago' : 'is there now'}`,
      );
  }
  return undefined;
}

const changed = (reason: string): ProofDoubt => ({ is: 'changed', reason });

const gravest = (doubts: readonly (ProofDoubt | undefined)[]): ProofDoubt | undefined =>
  doubts.find((it) => it?.is === 'changed') ?? doubts.find((it) => it !== undefined);
