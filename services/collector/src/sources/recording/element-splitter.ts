/** Something else stands where the structure of the text demands an object, a comma or an end. */
export class UnexpectedByte extends Error {
  constructor(
    readonly index: number,
    expected: string,
  ) {
    super(`${expected} should be here`);
  }
}

export const QUOTE = 0x22;
const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_MAP = 0x7b;
export const CLOSE_MAP = 0x7d;

export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Cuts the elements of one JSON array out of a byte stream. They must be objects, as Kubernetes'
 * lists hold. Only nesting is checked; `JSON.parse` judges the rest.
 */
export class ElementSplitter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #expects: 'first' | 'element' | 'comma' = 'first';
  /** Of the object that is being read: what earlier chunks had of it. */
  #parts: Buffer[] = [];

  /**
   * Reads on from the index; the first time it is that of the byte after `[`. `take` is given each
   * object that ends, whole.
   * @returns the index after `]`, or -1 when the array goes on in the next chunk.
   * @throws UnexpectedByte where an object, a comma or the end should be and is not.
   */
  push(chunk: Buffer, from: number, take: (json: Buffer) => void): number {
    let start = from;
    let i = from;
    while (i < chunk.length) {
      if (this.#depth === 0) {
        start = i;
        if (this.#between(chunk[i] as number, i)) return i + 1;
        i++;
        continue;
      }
      const end = this.#objectEnd(chunk, i);
      if (end === -1) break;
      take(this.#whole(chunk.subarray(start, end)));
      this.#expects = 'comma';
      i = end;
    }
    if (this.#depth > 0) this.#parts.push(chunk.subarray(start));
    return -1;
  }

  /** Bytes of the unfinished object held now. */
  pending(): number {
    return this.#parts.reduce((sum, it) => sum + it.length, 0);
  }

  /** The object of which this is the last part. */
  #whole(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    const json = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return json;
  }

  /** Deals with a byte between elements; true at the end of the array. */
  #between(byte: number, index: number): boolean {
    if (byte === CLOSE_LIST && this.#expects !== 'element') return true;
    if (byte === COMMA && this.#expects === 'comma') this.#expects = 'element';
    else if (byte === OPEN_MAP && this.#expects !== 'comma') this.#depth = 1;
    else if (!isSpace(byte))
      throw new UnexpectedByte(
        index,
        this.#expects === 'comma' ? 'a comma or the end of the list' : 'an object',
      );
    return false;
  }

  /** The index after the object that is being read, or -1 when the chunk ends before it. */
  #objectEnd(chunk: Buffer, from: number): number {
    let i = from;
    while (i < chunk.length) {
      if (this.#inString) {
        i = this.#afterString(chunk, i);
        continue;
      }
      const byte = chunk[i++] as number;
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_MAP || byte === OPEN_LIST) this.#depth++;
      else if ((byte === CLOSE_MAP || byte === CLOSE_LIST) && --this.#depth === 0) return i;
    }
    return -1;
  }

  /** The index after the string that is being read, or the chunk's end. */
  #afterString(chunk: Buffer, from: number): number {
    let i = from;
    let escaped = this.#escaped;
    for (; i < chunk.length && this.#inString; i++) {
      const byte = chunk[i] as number;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) this.#inString = false;
    }
    this.#escaped = escaped;
    return i;
  }
}
