import type { Entity } from '@ovn-steward/judgement/world/entity';
import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { streamNameOf } from '@ovn-steward/judgement/world/stream-name';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { relatedRows, rowsNamed } from './find-rows';
import type { LiveObjects } from './live-objects';
import type { LiveRows } from './live-rows';
import { type Answer, found, type Question } from './question';
import type { BulkCache } from './bulk-cache';

/**
 * What one proof reads from: rows of one, objects of the other, and what was read in bulk just now.
 */
export interface ProofSources {
  readonly rows: LiveRows;
  readonly objects: LiveObjects;
  readonly cache: BulkCache;
}

const RELATION = new Map(RELATIONS.map((it) => [it.id, it]));

/**
 * Puts the questions to the living systems, all at once. A question that cannot be answered is
 * answered by why not.
 */
export const fetchAnswers = (
  questions: readonly Question[],
  from: ProofSources,
  signal: AbortSignal,
): Promise<readonly (readonly [Question, Answer])[]> =>
  Promise.all(
    questions.map(
      async (question) =>
        [
          question,
          await fetched(question, from, signal).catch((error: unknown): Answer => ({
            is: 'failed',
            reason: messageOf(error),
          })),
        ] as const,
    ),
  );

async function fetched(
  question: Question,
  from: ProofSources,
  signal: AbortSignal,
): Promise<Answer> {
  switch (question.ask) {
    case 'known':
      return {
        is: 'known',
        known: isObject(question.kind)
          ? await from.objects.known(question.kind, signal)
          : isRow(question.kind),
      };
    case 'key':
      return found(
        isObject(question.kind)
          ? some(await from.objects.get(question.kind, question.key, signal))
          : await rowsNamed(checked(question.kind), question.key, from.rows),
      );
    case 'uid':
      return found(
        (await from.rows.byUuid(question.uid, checked(question.kind)))
          .filter((it) => it.table === question.kind)
          .map((it) => it.entity),
      );
    case 'relation':
      return found(await related(question.relation, question.key, from, signal));
    default:
      throw new Failure(
        'source-broken',
        `only a later version can ask ${JSON.stringify(question satisfies never)}`,
      );
  }
}

/** What a relation finds under a key: rows by its finder, objects by lists of its kinds. */
async function related(
  id: string,
  key: string,
  { rows, objects, cache }: ProofSources,
  signal: AbortSignal,
): Promise<readonly Entity[]> {
  const relation = RELATION.get(id);
  if (!relation) throw new Failure('source-broken', `relation ${id} is none of this version's`);
  const kinds = relation.kinds === 'ovn-nb' ? [] : relation.kinds.filter(isObject);
  const ofRows = relation.kinds === 'ovn-nb' || kinds.length < relation.kinds.length;
  const each = await Promise.all([
    ...kinds.map((kind) => objects.related(kind, relation, key, signal)),
    ...(ofRows ? [relatedRows(relation, key, rows, cache)] : []),
  ]);
  return each.flat();
}

const isObject = (kind: string): boolean => kubernetesKind(kind) !== undefined;
const isRow = (kind: string): boolean => streamNameOf(kind) === 'ovn-nb';
const some = (entity: Entity | undefined): readonly Entity[] => (entity ? [entity] : []);

/** A table of the Northbound database. */
function checked(kind: string): string {
  if (!isRow(kind))
    throw new Failure(
      'source-broken',
      `${kind} is not read this way: only rows of the Northbound database are found by uid or name`,
    );
  return kind;
}
