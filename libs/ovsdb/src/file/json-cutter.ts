import { constants } from 'node:buffer';

/**
 * Where a value stands: the names of the object members and the numbers of the array elements that
 * lead to it.
 */
export type JsonPath = readonly (string | number)[];

/**
 * What to do with a value: walk into the members of an object or the elements of an array (anything
 * else than that is then handed over), hand it over whole, or pass over it.
 */
export type JsonCut = 'members' | 'elements' | 'take' | 'skip';

type Expects = 'value' | 'first-element' | 'first-key' | 'key' | 'colon' | 'comma' | 'end';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const OPENS: Partial<Record<JsonCut, number>> = { members: OPEN_OBJECT, elements: OPEN_ARRAY };

const isSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB;
const isOpening = (byte: number): boolean => byte === OPEN_OBJECT || byte === OPEN_ARRAY;

/** A value being passed over byte by byte. */
interface Passing {
  readonly cut: JsonCut | 'key';
  /** A number or a word: it ends where something else begins. */
  readonly bare: boolean;
  depth: number;
  inString: boolean;
  escaped: boolean;
  parts: Buffer[];
  size: number;
}

/**
 * Cuts one JSON text into the values its reader requests, as the bytes arrive, in one pass. It
 * holds no more than the current value: a transaction of a gigabyte is one line, longer than the
 * longest string. The surrounding structure is checked here; the inside of a value is left to
 * JSON.parse.
 */
export class JsonCutter {
  private readonly path: (string | number)[] = [];
  private readonly entered: number[] = [];
  private expects: Expects = 'value';
  private passing: Passing | undefined;
  private seen = 0;

  /** @param visit is given a path that the cutter goes on to change, and bytes of its own. */
  constructor(
    private readonly choose: (path: JsonPath) => JsonCut,
    private readonly visit: (path: JsonPath, json: Buffer) => void,
  ) {}

  /**
   * @throws SyntaxError where the bytes are not JSON; RangeError for a value longer than a string
   *   can be.
   */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.passing) at = this.pass(chunk, at, this.passing);
      else if (isSpace(chunk[at] ?? 0)) at++;
      else at = this.step(chunk[at] ?? 0, at);
    }
    this.seen += chunk.length;
  }

  /** @throws SyntaxError when the text is not complete. */
  end(): void {
    if (this.expects !== 'end') this.fail(0);
  }

  /** @returns where to go on: at the byte itself when it begins a value, otherwise after it. */
  private step(byte: number, at: number): number {
    const closes = byte === (this.entered.at(-1) === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
    switch (this.expects) {
      case 'value':
        return this.begin(byte, at);
      case 'first-element':
        return closes ? this.leave(at) : this.begin(byte, at);
      case 'first-key':
        return closes ? this.leave(at) : this.beginKey(byte, at);
      case 'key':
        return this.beginKey(byte, at);
      case 'colon':
        if (byte !== COLON) this.fail(at);
        this.expects = 'value';
        return at + 1;
      case 'comma':
        return closes ? this.leave(at) : this.next(byte, at);
      case 'end':
        return this.fail(at);
    }
  }

  private beginKey(byte: number, at: number): number {
    if (byte !== QUOTE) this.fail(at);
    this.passing = passing('key', byte);
    return at;
  }

  private begin(byte: number, at: number): number {
    const cut = this.choose(this.path);
    if (byte !== OPENS[cut]) {
      if (byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)
        this.fail(at);
      this.passing = passing(cut, byte);
      return at;
    }
    this.entered.push(byte);
    this.path.push(byte === OPEN_OBJECT ? '' : 0);
    this.expects = byte === OPEN_OBJECT ? 'first-key' : 'first-element';
    return at + 1;
  }

  private next(byte: number, at: number): number {
    if (byte !== COMMA) this.fail(at);
    const last = this.path.at(-1);
    if (typeof last === 'number') this.path[this.path.length - 1] = last + 1;
    this.expects = typeof last === 'number' ? 'value' : 'key';
    return at + 1;
  }

  private leave(at: number): number {
    this.entered.pop();
    this.path.pop();
    this.expects = this.entered.length === 0 ? 'end' : 'comma';
    return at + 1;
  }

  private pass(chunk: Buffer, from: number, value: Passing): number {
    const end = value.bare ? passBare(chunk, from) : passNested(chunk, from, value);
    const complete = value.bare ? end < chunk.length : !value.inString && value.depth === 0;
    if (value.cut !== 'skip') this.keep(value, chunk.subarray(from, end));
    if (complete) this.complete(value);
    return end;
  }

  private keep(value: Passing, part: Buffer): void {
    value.parts.push(part);
    value.size += part.length;
    if (value.size > constants.MAX_STRING_LENGTH)
      throw new RangeError(`a single value is longer than ${constants.MAX_STRING_LENGTH} bytes`);
  }

  private complete(value: Passing): void {
    this.passing = undefined;
    const [first] = value.parts;
    const bytes = value.parts.length === 1 && first ? first : Buffer.concat(value.parts);
    if (value.cut === 'key') {
      this.path[this.path.length - 1] = JSON.parse(bytes.toString()) as string;
      this.expects = 'colon';
      return;
    }
    this.expects = this.entered.length === 0 ? 'end' : 'comma';
    if (value.cut !== 'skip') this.visit(this.path, bytes);
  }

  private fail(at: number): never {
    throw new SyntaxError(`not JSON at byte ${this.seen + at}: expected ${this.expects}`);
  }
}

const passing = (cut: Passing['cut'], first: number): Passing => ({
  cut,
  bare: first !== QUOTE && !isOpening(first),
  depth: 0,
  inString: false,
  escaped: false,
  parts: [],
  size: 0,
});

function passBare(chunk: Buffer, from: number): number {
  let at = from;
  for (; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isSpace(byte)) break;
  }
  return at;
}

/**
 * Goes to the end of a string, object or array, or of the chunk. The hot loop: every byte of a
 * large file passes here.
 */
function passNested(chunk: Buffer, from: number, value: Passing): number {
  let { depth, inString, escaped } = value;
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at++];
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        inString = false;
        if (depth === 0) break;
      }
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) break;
  }
  value.depth = depth;
  value.inString = inString;
  value.escaped = escaped;
  return at;
}
