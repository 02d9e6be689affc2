/** What the brokers answer about each topic, queried once. A query that fails is not remembered. */
export class AnswersByTopic<T> {
  readonly #query: (topic: string) => Promise<T>;
  readonly #known = new Map<string, Promise<T>>();

  constructor(query: (topic: string) => Promise<T>) {
    this.#query = query;
  }

  /** @throws as the query. */
  of(topic: string): Promise<T> {
    const known = this.#known.get(topic);
    if (known) return known;
    const answer = this.#query(topic);
    this.#known.set(topic, answer);
    answer.catch(() => {
      if (this.#known.get(topic) === answer) this.#known.delete(topic);
    });
    return answer;
  }

  /** Called by code that has just seen the answer. */
  learn(topic: string, answer: T): void {
    this.#known.set(topic, Promise.resolve(answer));
  }
}
