import { isUtf8 } from 'node:buffer';
import { OvsdbError } from './errors';

export interface SplitOptions {
  /**
   * `stream`: objects and arrays back to back (RFC 7047 section 4). `array`: the elements of one
   * `[a, b, c]`, of any type. Default `stream`.
   */
  layout?: 'stream' | 'array';
  /**
   * Largest value accepted, in bytes (1 to 536,870,888). Default: the largest string the runtime
   * can hold.
   */
  maxBytes?: number;
}

/** V8 cannot hold a longer string (about 512 MiB), so a larger message could never be parsed. */
const LARGEST = 0x1fff_ffe8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Where the scanner stands between two bytes. A `scalar` is a number or a literal: it ends at
 * whitespace, a comma or the closing bracket.
 */
type State = 'between' | 'nested' | 'string' | 'escape' | 'scalar';

/**
 * Cuts a byte stream into complete JSON values without parsing them. Every byte is examined once,
 * however the stream is chunked, and bytes are decoded only when the value is whole, so a character
 * split over two chunks survives.
 *
 * Only the nesting is checked here; `JSON.parse` judges the rest.
 */
export class JsonSplitter {
  readonly #array: boolean;
  readonly #maxBytes: number;
  #state: State = 'between';
  #depth = 0;
  #parts: Buffer[] = [];
  #partBytes = 0;
  /** Array layout: whether `[` was seen, and what may come next. */
  #opened = false;
  #expects: 'value' | 'comma' | 'value-or-end' = 'value-or-end';
  #rest: Buffer | undefined;

  constructor(options: SplitOptions = {}) {
    this.#array = options.layout === 'array';
    this.#maxBytes = Math.min(options.maxBytes ?? LARGEST, LARGEST);
  }

  /** Bytes of the unfinished value held now. */
  get pending(): number {
    return this.#partBytes;
  }

  /** Array layout: the bytes after the closing `]` once it was seen, else undefined. */
  get rest(): Buffer | undefined {
    return this.#rest;
  }

  /**
   * Takes the next bytes, gives the values they complete, in order. The chunk must not be
   * overwritten afterwards.
   * @throws OvsdbError `protocol` when the bytes cannot be JSON in this layout, or a value is
   *   larger than `maxBytes`.
   */
  push(chunk: Buffer): string[] {
    const values: string[] = [];
    if (this.#rest !== undefined) {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      return values;
    }
    let at = 0;
    let start = 0;
    while (at < chunk.length && this.#rest === undefined) {
      if (this.#state === 'between') {
        start = this.#seek(chunk, at);
        at = start === -1 ? chunk.length : start + 1;
        continue;
      }
      const end = this.#state === 'scalar' ? scalarEnd(chunk, at) : this.#nestedEnd(chunk, at);
      if (end === -1) break;
      this.#keep(chunk.subarray(start, end));
      values.push(this.#take());
      at = end;
    }
    if (this.#state !== 'between') this.#keep(chunk.subarray(start));
    return values;
  }

  /**
   * From `between` values: finds and classifies the first byte of the next one; -1 when the chunk
   * has none.
   */
  #seek(chunk: Buffer, from: number): number {
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (isSpace(byte)) continue;
      if (this.#array && this.#punctuation(byte)) {
        if (byte !== CLOSE_LIST) continue;
        this.#rest = chunk.subarray(i + 1);
        return -1;
      }
      this.#begin(byte);
      return i;
    }
    return -1;
  }

  /**
   * Array layout: consumes `[`, commas and `]` between elements; false when the byte begins an
   * element.
   */
  #punctuation(byte: number): boolean {
    if (!this.#opened) {
      if (byte !== OPEN_LIST) throw unexpected(byte, 'the beginning of a JSON array');
      this.#opened = true;
      return true;
    }
    if (byte === COMMA && this.#expects === 'comma') {
      this.#expects = 'value';
      return true;
    }
    if (byte === CLOSE_LIST && this.#expects !== 'value') return true;
    if (byte === COMMA || byte === CLOSE_LIST || this.#expects === 'comma')
      throw unexpected(byte, 'the next element of a JSON array');
    return false;
  }

  #begin(byte: number): void {
    if (byte === OPEN_MAP || byte === OPEN_LIST) {
      this.#state = 'nested';
      this.#depth = 1;
    } else if (!this.#array || byte === CLOSE_MAP) {
      throw unexpected(byte, 'the beginning of a JSON message');
    } else {
      this.#state = byte === QUOTE ? 'string' : 'scalar';
      this.#depth = 0;
    }
  }

  /**
   * Index after the last byte of the current object, array or string; -1 when it goes on in the
   * next chunk.
   */
  #nestedEnd(chunk: Buffer, from: number): number {
    const length = chunk.length;
    let depth = this.#depth;
    let i = from;
    if (this.#state === 'escape') {
      this.#state = 'string';
      i++;
    }
    let inString = this.#state === 'string';
    while (i < length) {
      if (inString) {
        let byte = chunk[i] as number;
        while (byte !== QUOTE && byte !== BACKSLASH && ++i < length) byte = chunk[i] as number;
        if (i >= length) break;
        if (byte === BACKSLASH) {
          i += 2;
          continue;
        }
        inString = false;
        i++;
        if (depth === 0) return i;
      }
      while (i < length) {
        const byte = chunk[i++] as number;
        if (byte === QUOTE) {
          inString = true;
          break;
        }
        if (byte === OPEN_MAP || byte === OPEN_LIST) depth++;
        else if ((byte === CLOSE_MAP || byte === CLOSE_LIST) && --depth === 0) return i;
      }
    }
    this.#depth = depth;
    // The two-byte step over an escape may end one past the chunk: then the escaped byte is the
    // next chunk's first.
    this.#state = inString ? (i > length ? 'escape' : 'string') : 'nested';
    return -1;
  }

  #keep(part: Buffer): void {
    this.#partBytes += part.length;
    if (this.#partBytes > this.#maxBytes)
      throw new OvsdbError(
        'protocol',
        `A JSON value is larger than the ${this.#maxBytes} bytes allowed; raise the message limit if the database really is that large.`,
      );
    if (part.length > 0) this.#parts.push(part);
  }

  #take(): string {
    const [first] = this.#parts;
    const bytes =
      this.#parts.length === 1 && first !== undefined
        ? first
        : Buffer.concat(this.#parts, this.#partBytes);
    this.#parts = [];
    this.#partBytes = 0;
    this.#state = 'between';
    this.#expects = 'comma';
    if (!isUtf8(bytes)) throw new OvsdbError('protocol', 'A JSON value is not valid UTF-8.');
    return bytes.toString('utf8');
  }
}

/** Index of the byte that ends a number or literal, or -1 when it may go on in the next chunk. */
function scalarEnd(chunk: Buffer, from: number): number {
  for (let i = from; i < chunk.length; i++) {
    const byte = chunk[i] as number;
    if (byte === COMMA || byte === CLOSE_LIST || isSpace(byte)) return i;
  }
  return -1;
}

const unexpected = (byte: number, expected: string): OvsdbError =>
  new OvsdbError(
    'protocol',
    `Found byte 0x${byte.toString(16).padStart(2, '0')} where ${expected} should be.`,
  );
