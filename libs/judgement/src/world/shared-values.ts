const PLACES = 16_384;
/** Longer ones are lists and configurations, of which hardly two are equal. */
const LONGEST = 64;

/** Equal for equal strings, and of few steps: most strings differ in the last of these. */
function placeOf(text: string): number {
  const end = text.length - 1;
  let hash = end;
  hash = Math.imul(hash ^ text.charCodeAt(end), 0x01000193);
  hash = Math.imul(hash ^ text.charCodeAt(end - 1), 0x01000193);
  hash = Math.imul(hash ^ text.charCodeAt(end - 2), 0x01000193);
  hash = Math.imul(hash ^ text.charCodeAt(end >> 1), 0x01000193);
  hash = Math.imul(hash ^ text.charCodeAt(0), 0x01000193);
  return (hash ^ (hash >>> 15)) & (PLACES - 1);
}

/**
 * One string for all equal ones that came lately. JSON has a string of its own wherever a name of a
 * switch, a group, a kind or a time stands, which are two thirds of all strings of a world.
 *
 * The last string of each place is remembered, and no other: one that comes again and again soon
 * has its place back.
 */
export class SharedStrings {
  readonly #last = new Array<string>(PLACES).fill('');

  of(text: string): string {
    if (text.length > LONGEST || text === '') return text;
    const place = placeOf(text);
    const last = this.#last[place]!;
    return last === text ? last : (this.#last[place] = text);
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
