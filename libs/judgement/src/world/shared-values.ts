const PLACES = 16_384;
/** Longer ones are lists and configurations, of which hardly two are equal. */
const LONGEST = 64;
/** The same is true of lists and objects with more members. */
const MOST_MEMBERS = 8;
/** The hash of what is not shared. */
const NONE = -1;

/** Of 31 bits, so that none is `NONE`. */
const mixed = (hash: number, part: number): number =>
  hash === NONE || part === NONE ? NONE : Math.imul(hash ^ part, 0x01000193) & 0x7fffffff;

const placeOf = (hash: number): number => (hash ^ (hash >>> 15)) & (PLACES - 1);

/** FNV-1a over the UTF-16 units, all of them: names of pods and ports may differ anywhere. */
function hashOf(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & 0x7fffffff;
}

/** A list, or an object, of JSON. */
type Part = unknown[] | Record<string, unknown>;

/** The same members in the same order, each of them the very one. */
function isSame(one: Part, other: Part): boolean {
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && isSameList(one, other);
  const names = Object.keys(one);
  return isSameList(names, Object.keys(other)) && names.every((name) => one[name] === other[name]);
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((it, at) => it === other[at]);

/**
 * One string for all equal ones that came lately, and one list or object for all equal ones of a
 * few strings. JSON has one of its own wherever a name of a switch, a group, a kind or a time
 * stands, which are two thirds of all strings of a world; so are the holder of a port, the
 * finalizers of an address and the labels of a ReplicaSet's pods.
 *
 * The last of each place is remembered, and no other: one that comes again and again soon has its
 * place back.
 */
export class SharedValues {
  readonly #strings = new Array<string>(PLACES).fill('');
  readonly #parts = new Array<Part | undefined>(PLACES).fill(undefined);
  /** Of what `of` or `#shared` returned last. */
  #hash = NONE;

  of(text: string): string {
    if (text === '' || text.length > LONGEST) {
      this.#hash = text.length;
      return text;
    }
    this.#hash = hashOf(text);
    const place = placeOf(this.#hash);
    const last = this.#strings[place]!;
    return last === text ? last : (this.#strings[place] = text);
  }

  /**
   * Replaces what is in a value of JSON, in place; the value itself stays. So does what is frozen.
   */
  in<T>(value: T): T {
    if (typeof value === 'string') return this.of(value) as T;
    if (typeof value === 'object' && value !== null) this.#replaceIn(value as Part);
    return value;
  }

  #shared(value: unknown): unknown {
    if (typeof value === 'string') return this.of(value);
    this.#hash = 0;
    if (typeof value !== 'object' || value === null) return value;
    const part = value as Part;
    const hash = (this.#hash = this.#replaceIn(part));
    if (hash === NONE) return part;
    const place = placeOf(hash);
    const last = this.#parts[place];
    return last && isSame(part, last) ? last : (this.#parts[place] = part);
  }

  /** @returns its hash. */
  #replaceIn(part: Part): number {
    if (Object.isFrozen(part)) return NONE;
    return Array.isArray(part) ? this.#inList(part) : this.#inObject(part);
  }

  #inList(list: unknown[]): number {
    let hash = list.length > MOST_MEMBERS ? NONE : list.length;
    for (let at = 0; at < list.length; at++) {
      list[at] = this.#shared(list[at]);
      hash = mixed(hash, this.#hash);
    }
    return hash;
  }

  /** An object with others in it is not shared: it is metadata and the like, which differ. */
  #inObject(members: Record<string, unknown>): number {
    let hash = 0;
    let count = 0;
    for (const name in members) {
      const member = members[name];
      members[name] = this.#shared(member);
      if (typeof member === 'object' || ++count > MOST_MEMBERS) hash = NONE;
      hash = mixed(hash, this.#hash);
    }
    return hash;
  }
}

/** Of all worlds of the process: its tables are larger than a small world. */
export const SHARED = new SharedValues();
