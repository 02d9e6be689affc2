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
  | { readonly is: 'failed'; readonly reason: string };

export const found = (entities: readonly Entity[]): Answer => ({ is: 'found', entities });

/** The same question is the same text; another is another, whatever its parts contain. */
export function questionKey(question: Question): string {
  switch (question.ask) {
    case 'key':
      return textKey('key', question.kind, question.key);
    case 'uid':
      return textKey('uid', question.kind, question.uid);
    case 'relation':
      return textKey('relation', question.relation, question.key);
    case 'known':
      return textKey('known', question.kind, '');
    default:
      return JSON.stringify(question satisfies never); // of a later version
  }
}

/** Made of each question in every round: as JSON it took a twentieth of what a removal costs. */
const textKey = (ask: Question['ask'], name: string, of: string): string =>
  `${ask} ${name.length} ${name} ${of}`;

export const distinct = (questions: readonly Question[]): readonly Question[] => [
  ...new Map(questions.map((it) => [questionKey(it), it])).values(),
];
