import type { Entity } from '@ovn-steward/judgement/world/entity';

/** A query of a rule to the world. */
export type Question =
  | { readonly ask: 'key'; readonly kind: string; readonly key: string }
  | { readonly ask: 'uid'; readonly kind: string; readonly uid: string }
  | { readonly ask: 'relation'; readonly relation: string; readonly key: string }
  | { readonly ask: 'known'; readonly kind: string };

/** What the living systems said to it. `failed`: they did not, and why. */
export type Answer =
  | { readonly is: 'found'; readonly entities: readonly Entity[] }
  | { readonly is: 'known'; readonly known: boolean }
  | { readonly is: 'failed'; readonly says: string };

export const found = (entities: readonly Entity[]): Answer => ({ is: 'found', entities });

/** The same question is the same text. */
export const questionKey = (question: Question): string => JSON.stringify(Object.values(question));

export const distinct = (questions: readonly Question[]): readonly Question[] => [
  ...new Map(questions.map((it) => [questionKey(it), it])).values(),
];
