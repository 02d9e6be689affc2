import { randomUUID } from 'node:crypto';

/**
 * 16 digits in a row are the least an integer beyond ±2^53 can have. Most texts have none, and then
 * JSON.parse does it all.
 */
const MAYBE_BIG = /\d{16}/;
const QUOTE_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d{16,}$/;
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * Marks a string that stands for an integer. Random, so that no input can contain it on purpose.
 */
const MARK = `${randomUUID()}:`;

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/**
 * True for an integer a double cannot hold and OVSDB can. Beyond 64 bits OVSDB itself reads a real
 * number.
 */
function isBig(literal: string): boolean {
  if (!INTEGER.test(literal) || Number.isSafeInteger(Number(literal))) return false;
  const exact = BigInt(literal);
  return exact >= INT64.min && exact <= INT64.max;
}

function markBigIntegers(text: string): string {
  let marked = '';
  let done = 0;
  QUOTE_OR_NUMBER.lastIndex = 0;
  for (let found = QUOTE_OR_NUMBER.exec(text); found; found = QUOTE_OR_NUMBER.exec(text)) {
    const [token] = found;
    if (token === '"') {
      QUOTE_OR_NUMBER.lastIndex = closingQuote(text, found.index + 1) + 1;
    } else if (isBig(token)) {
      marked += `${text.slice(done, found.index)}"${MARK}${token}"`;
      done = found.index + token.length;
    }
  }
  return done === 0 ? text : marked + text.slice(done);
}

const unmark = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;

/**
 * JSON.parse that keeps the 64-bit integers of OVSDB (RFC 7047 section 3.1) exact: those beyond
 * ±2^53 become `bigint`, all other numbers stay numbers. As fast as JSON.parse on text without such
 * integers.
 *
 * @throws SyntaxError as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  if (!MAYBE_BIG.test(text)) return JSON.parse(text);
  const marked = markBigIntegers(text);
  return marked === text ? JSON.parse(text) : JSON.parse(marked, unmark);
}

/**
 * The counterpart of {@link parseJson}: JSON text in which every `bigint` is written as the integer
 * it is.
 *
 * @throws TypeError as JSON.stringify does (a cycle).
 */
export function stringifyJson(json: unknown): string {
  let big = false;
  const text = JSON.stringify(json, (_key, value: unknown) => {
    if (typeof value !== 'bigint') return value;
    big = true;
    return `${MARK}${value}`;
  });
  return big ? text.replaceAll(new RegExp(`"${MARK}(-?\\d+)"`, 'g'), '$1') : text;
}
