/** So many different strings are remembered at least, and twice as many at most. */
const REMEMBERED = 16_384;
/** Longer ones are lists and configurations, of which hardly two are equal. */
const LONGEST = 64;

/**
 * One string for all equal ones that came lately. JSON has a string of its own wherever a name of a
 * switch, a group, a kind or a time stands, which are two thirds of all strings of a world.
 */
export class SharedStrings {
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  of(text: string): string {
    if (text.length > LONGEST) return text;
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const shared = this.#old.get(text) ?? text;
    if (this.#young.size >= REMEMBERED) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(shared, shared);
    return shared;
  }

  /** Replaces the strings in a value of JSON, in place. What is frozen stays as it is. */
  in<T>(value: T): T {
    if (typeof value === 'string') return this.of(value) as T;
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const member = members[key];
      if (typeof member === 'string') members[key] = this.of(member);
      else if (typeof member === 'object') this.in(member);
    }
    return value;
  }
}
