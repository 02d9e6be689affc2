import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_MAP,
  OPEN_LIST,
  OPEN_MAP,
  QUOTE,
  isSpace,
} from './element-splitter';

const ITEMS = Buffer.from('items');
const COLON = 0x3a;

/** Where an object was followed to: the bracket that opens its items, or the brace that ends it. */
export interface Landmark {
  readonly is: 'items' | 'end';
  readonly at: number;
}

/**
 * Follows JSON objects that stand one after the other, byte for byte, only as far as is needed to
 * know where each ends and where its list `items` begins. The items are not followed: somebody else
 * reads them, up to and with the bracket that closes them.
 */
export class TopLevelObject {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** How much of `items` the current key has matched; -1 when it is another. */
  #matched = -1;
  /** 1: the last thing seen at depth 1 was the key `items`; 2: and its colon. */
  #candidate = 0;

  /** Whether an object has begun that has not ended. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** @returns undefined when the chunk ends before either. */
  follow(chunk: Buffer, from: number): Landmark | undefined {
    for (let i = from; i < chunk.length; i++) {
      if (this.#inString) i = this.#string(chunk, i);
      else if (this.#structure(chunk[i] as number)) return { is: 'items', at: i };
      else if (this.#depth === 0) return { is: 'end', at: i };
    }
    return undefined;
  }

  /** To be called when the items were read. */
  itemsEnded(): void {
    this.#candidate = 0;
  }

  /** A byte inside a string; gives the index of the last byte it dealt with. */
  #string(chunk: Buffer, from: number): number {
    let i = from;
    if (this.#escaped) {
      this.#escaped = false;
      this.#matched = -1;
      return i;
    }
    if (this.#depth > 1)
      while (i < chunk.length - 1 && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i++;
    const byte = chunk[i] as number;
    if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      this.#candidate = this.#depth === 1 && this.#matched === ITEMS.length ? 1 : 0;
    } else if (this.#matched >= 0)
      this.#matched = byte === ITEMS[this.#matched] ? this.#matched + 1 : -1;
    return i;
  }

  /** A byte outside strings. True when the items of a list begin. */
  #structure(byte: number): boolean {
    if (byte === QUOTE) {
      this.#inString = true;
      this.#matched = this.#depth === 1 ? 0 : -1;
    } else if (byte === OPEN_MAP || byte === OPEN_LIST) {
      if (this.#depth === 1 && this.#candidate === 2 && byte === OPEN_LIST) return true;
      this.#depth++;
    } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) this.#depth--;
    if (this.#depth === 1 && !isSpace(byte))
      this.#candidate = byte === COLON && this.#candidate === 1 ? 2 : 0;
    return false;
  }
}
