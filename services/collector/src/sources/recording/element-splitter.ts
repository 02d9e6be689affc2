/** Cuts the elements of one JSON array out of a byte stream. */
export interface ElementSplitter {
  /**
   * Reads on from the index; the first time it is that of the byte after `[`. `take` is given each
   * object that ends, whole.
   * @returns the index after `]`, or -1 when the array goes on in the next chunk.
   * @throws UnexpectedByte where an object, a comma or the end should be and is not.
   */
  push(chunk: Buffer, from: number, take: (json: Buffer) => void): number;
  /** Bytes of the unfinished object held now. */
  pending(): number;
}

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
 * The elements must be objects, as Kubernetes' lists hold. Only nesting is checked; `JSON.parse`
 * judges the rest.
 */
export function elementSplitter(): ElementSplitter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let expects: 'first' | 'element' | 'comma' = 'first';
  let parts: Buffer[] = [];

  /** The index after the object that is being read, or -1 when the chunk ends before it. */
  function objectEnd(chunk: Buffer, from: number): number {
    let i = from;
    if (escaped && i < chunk.length) {
      escaped = false;
      i++;
    }
    while (i < chunk.length) {
      if (inString) {
        let byte = chunk[i] as number;
        while (byte !== QUOTE && byte !== BACKSLASH && ++i < chunk.length)
          byte = chunk[i] as number;
        if (i >= chunk.length) return -1;
        i++;
        if (byte === QUOTE) inString = false;
        else if (i < chunk.length) i++;
        else escaped = true;
        continue;
      }
      const byte = chunk[i++] as number;
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_MAP || byte === OPEN_LIST) depth++;
      else if ((byte === CLOSE_MAP || byte === CLOSE_LIST) && --depth === 0) return i;
    }
    return -1;
  }

  /** Deals with a byte between elements; true at the end of the array. */
  function between(byte: number, index: number): boolean {
    if (byte === CLOSE_LIST && expects !== 'element') return true;
    if (byte === COMMA && expects === 'comma') expects = 'element';
    else if (byte === OPEN_MAP && expects !== 'comma') depth = 1;
    else if (!isSpace(byte))
      throw new UnexpectedByte(
        index,
        expects === 'comma' ? 'a comma or the end of the list' : 'an object',
      );
    return false;
  }

  return {
    push(chunk, from, take) {
      let start = from;
      let i = from;
      while (i < chunk.length) {
        if (depth === 0) {
          start = i;
          if (between(chunk[i] as number, i)) return i + 1;
          i++;
          continue;
        }
        const end = objectEnd(chunk, i);
        if (end === -1) break;
        parts.push(chunk.subarray(start, end));
        const [first] = parts;
        take(parts.length === 1 && first !== undefined ? first : Buffer.concat(parts));
        parts = [];
        expects = 'comma';
        i = end;
      }
      if (depth > 0) parts.push(chunk.subarray(start));
      return -1;
    },
    pending: () => parts.reduce((sum, it) => sum + it.length, 0),
  };
}
