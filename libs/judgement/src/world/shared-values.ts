const PLACES = 16_384;
/** Longer ones are lists and configurations, of which hardly two are equal. */
const LONGEST = 64;
/** The same is true of lists and objects with more members. */
const MOST_MEMBERS = 8;

const mixed = (hash: number, part: number): number => Math.imul(hash ^ part, 0x01000193);

const placeOf = (hash: number): number => (hash ^ (hash >>> 15)) & (PLACES - 1);

/** Equal for equal strings, and of few steps: most strings differ in the last of these. */
function hashOf(text: string): number {
  const end = text.length - 1;
  let hash = mixed(end, text.charCodeAt(end));
  hash = mixed(hash, text.charCodeAt(end - 1));
  hash = mixed(hash, text.charCodeAt(end - 2));
  hash = mixed(hash, text.charCodeAt(end >> 1));
  return mixed(hash, text.charCodeAt(0));
}

/** A list, or an object, of JSON. */
type Members = Record<string, unknown>;

/** The same members in the same order, each of them the very one. */
function isSame(one: Members, keys: readonly string[], other: Members): boolean {
  const others = Object.keys(other);
  if (others.length !== keys.length || Array.isArray(one) !== Array.isArray(other)) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (others[at] !== key || other[key] !== one[key]) return false;
  }
  return true;
}

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
  readonly #parts = new Array<Members | undefined>(PLACES).fill(undefined);
  /** Of what was replaced last; undefined where it has more in it than a few strings. */
  #hash: number | undefined;

  of(text: string): string {
    return text.length > LONGEST || text === '' ? text : this.#text(text, hashOf(text));
  }

  /**
   * Replaces what is in a value of JSON, in place; the value itself stays. So does what is frozen.
   */
  in<T>(value: T): T {
    if (typeof value === 'string') return this.of(value) as T;
    if (typeof value === 'object' && value !== null) this.#replaceIn(value as Members);
    return value;
  }

  #text(text: string, hash: number): string {
    const place = placeOf(hash);
    const last = this.#strings[place]!;
    return last === text ? last : (this.#strings[place] = text);
  }

  #part(value: Members): Members {
    const keys = this.#replaceIn(value);
    if (this.#hash === undefined) return value;
    const place = placeOf(this.#hash);
    const last = this.#parts[place];
    return last && isSame(value, keys, last) ? last : (this.#parts[place] = value);
  }

  /** @returns its keys. */
  #replaceIn(members: Members): readonly string[] {
    const keys = Object.keys(members);
    this.#hash = undefined;
    if (Object.isFrozen(members)) return keys;
    let hash = keys.length > MOST_MEMBERS ? undefined : keys.length;
    for (const key of keys) {
      const own = this.#replace(members, key, keys.length === 1);
      hash = hash === undefined || own === undefined ? undefined : mixed(hash, own);
    }
    this.#hash = hash;
    return keys;
  }

  /**
   * @param isAlone whether it is the only member. A list of one object is shared as that is; what
   *   has several in it differs, as metadata does.
   * @returns its hash; undefined where what it is in is not shared.
   */
  #replace(members: Members, key: string, isAlone: boolean): number | undefined {
    const member = members[key];
    if (typeof member === 'string') {
      if (member === '' || member.length > LONGEST) return member.length;
      const hash = hashOf(member);
      members[key] = this.#text(member, hash);
      return hash;
    }
    if (typeof member !== 'object' || member === null) return 0;
    members[key] = this.#part(member as Members);
    return isAlone ? this.#hash : undefined;
  }
}
