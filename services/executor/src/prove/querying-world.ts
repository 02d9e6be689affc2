import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { ReadableWorld } from '@ovn-steward/judgement/world/readable';
import { type Answer, type Question, questionKey } from './question';

/** One question of a run, with its answer. */
export interface AnsweredQuery {
  readonly question: Question;
  readonly answer: Answer;
  /** Whether its content was queried, and not only its existence. */
  readonly contents: boolean;
}

const NONE: readonly Entity[] = Object.freeze([]);

/**
 * A world of what was just read, and of nothing else. What was not read yet is recorded and
 * answered as if there were nothing and nothing were known; such a run decides nothing: the queries
 * are sent to the living systems, and the run is repeated, until one makes no new query.
 */
export class QueryingWorld implements ReadableWorld {
  readonly #answers = new Map<string, Answer>();
  #asked = new Map<string, { question: Question; contents: boolean }>();
  #figures = new Set<string>();

  /** Forgets what the last run queried, not the answers. */
  begin(): void {
    this.#asked = new Map();
    this.#figures = new Set();
  }

  /** The queries of this run without an answer. */
  open(): readonly Question[] {
    return [...this.#asked].flatMap(([text, { question }]) =>
      this.#answers.has(text) ? [] : [question],
    );
  }

  isAnswered(question: Question): boolean {
    return this.#answers.has(questionKey(question));
  }

  answer(question: Question, answer: Answer): void {
    this.#answers.set(questionKey(question), answer);
  }

  /** The queries of this run that were answered. */
  answered(): readonly AnsweredQuery[] {
    return [...this.#asked].flatMap(([text, answered]) => {
      const answer = this.#answers.get(text);
      return answer ? [{ ...answered, answer }] : [];
    });
  }

  readonly recorded = false;

  /** Living systems are each as they are now. */
  apart(): undefined {
    return undefined;
  }

  /** Why this run is worth nothing: the first of its questions that could not be answered. */
  doubt(): string | undefined {
    for (const { answer } of this.answered()) if (answer.is === 'failed') return answer.reason;
    for (const figure of this.#figures)
      return `it rests on the running figure ${figure}, which is not counted again`;
    return undefined;
  }

  byKey(kind: string, key: string): readonly Entity[] {
    return this.#found({ ask: 'key', kind, key }, true);
  }

  /**
   * As `byKey`, for what a proof does not rest on: that is there, and as this incarnation, and not
   * what else it says.
   */
  glance(kind: string, key: string): readonly Entity[] {
    return this.#found({ ask: 'key', kind, key }, false);
  }

  hasKey(kind: string, key: string): boolean {
    return this.#found({ ask: 'key', kind, key }, false).length > 0;
  }

  entity(kind: string, uid: string): Entity | undefined {
    return this.#found({ ask: 'uid', kind, uid }, true)[0];
  }

  related(relation: string, key: string, limit?: number): readonly Entity[] {
    const all = this.#found({ ask: 'relation', relation, key }, true);
    return limit === undefined ? all : all.slice(0, limit);
  }

  hasRelated(relation: string, key: string): boolean {
    return this.#found({ ask: 'relation', relation, key }, false).length > 0;
  }

  tallied(tally: string): undefined {
    this.#figures.add(tally);
    return undefined;
  }

  knows(kind: string): boolean {
    const answer = this.#ask({ ask: 'known', kind }, false);
    return answer?.is === 'known' && answer.known;
  }

  #found(question: Question, contents: boolean): readonly Entity[] {
    const answer = this.#ask(question, contents);
    return answer?.is === 'found' ? answer.entities : NONE;
  }

  #ask(question: Question, contents: boolean): Answer | undefined {
    const text = questionKey(question);
    const before = this.#asked.get(text);
    if (!before) this.#asked.set(text, { question, contents });
    else if (contents) before.contents = true;
    return this.#answers.get(text);
  }
}
