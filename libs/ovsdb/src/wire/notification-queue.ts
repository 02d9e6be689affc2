export interface NotificationQueueOptions {
  /** As many as may wait before `onFull` is called. */
  limit: number;
  onFull: () => void;
  /** All was taken, after `onFull`. */
  onEmpty: () => void;
}

/**
 * A first-in, first-out queue between a producer that pushes and a consumer that pulls. It never
 * drops; it says when to stop sending.
 */
export class NotificationQueue<T> {
  #items: T[] = [];
  #head = 0;
  #full = false;
  #waiting: ((item: T) => void) | undefined;

  constructor(private readonly options: NotificationQueueOptions) {}

  push(item: T): void {
    if (this.#waiting !== undefined) {
      const resolve = this.#waiting;
      this.#waiting = undefined;
      resolve(item);
      return;
    }
    this.#items.push(item);
    if (!this.#full && this.#items.length - this.#head >= this.options.limit) {
      this.#full = true;
      this.options.onFull();
    }
  }

  /** What was pushed last, if it still waits. */
  get last(): T | undefined {
    return this.#items.at(-1);
  }

  /** The next one, when it comes. One caller may wait at a time. */
  async next(): Promise<T> {
    if (this.#head < this.#items.length) return this.#take();
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  #take(): T {
    const item = this.#items[this.#head++] as T;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
      if (this.#full) {
        this.#full = false;
        this.options.onEmpty();
      }
    }
    return item;
  }
}
