export interface MailboxOptions {
  /** As many letters as may wait before `onFull` is called. */
  limit: number;
  onFull: () => void;
  /** All was taken, after `onFull`. */
  onEmpty: () => void;
}

/**
 * A first-in, first-out queue between a producer that pushes and a consumer that pulls. It never
 * drops; it says when to stop sending.
 */
export class Mailbox<T> {
  #letters: T[] = [];
  #taken = 0;
  #full = false;
  #waiting: ((letter: T) => void) | undefined;

  constructor(private readonly options: MailboxOptions) {}

  push(letter: T): void {
    if (this.#waiting !== undefined) {
      const resolve = this.#waiting;
      this.#waiting = undefined;
      resolve(letter);
      return;
    }
    this.#letters.push(letter);
    if (!this.#full && this.#letters.length - this.#taken >= this.options.limit) {
      this.#full = true;
      this.options.onFull();
    }
  }

  /** The letter that was pushed last, if it still waits. */
  get last(): T | undefined {
    return this.#letters.at(-1);
  }

  /** The next letter, when it comes. One may wait at a time. */
  async next(): Promise<T> {
    if (this.#taken < this.#letters.length) return this.#take();
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  #take(): T {
    const letter = this.#letters[this.#taken++] as T;
    if (this.#taken === this.#letters.length) {
      this.#letters = [];
      this.#taken = 0;
      if (this.#full) {
        this.#full = false;
        this.options.onEmpty();
      }
    }
    return letter;
  }
}
