import { isAscii, isUtf8 } from 'node:buffer';
import { Failure } from '@ovn-steward/shared/errors';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_MAP,
  OPEN_LIST,
  OPEN_MAP,
  QUOTE,
  UnexpectedByte,
  elementSplitter,
  isSpace,
  type ElementSplitter,
} from './element-splitter';

/**
 * `items`: a list begins; `head` is the list without its items as far as it was read. `item`: one
 * element of it. `value`: a whole top-level object; of a list it is what stands around the items,
 * which are left out.
 */
export type ListCut =
  | { readonly cut: 'items'; readonly head: string }
  | { readonly cut: 'item'; readonly json: string }
  | { readonly cut: 'value'; readonly json: string };

interface ListCutter {
  /**
   * Takes the next bytes, which must not be overwritten afterwards, and gives what they complete,
   * in order.
   */
  push(chunk: Buffer): ListCut[];
  /** @throws Failure `input-truncated` when the bytes ended inside an object. */
  end(): void;
}

/** Kubernetes objects are at most some 1.5 MiB (etcd's limit); what is larger is something else. */
const LARGEST_VALUE = 64 * 1024 * 1024;

const ITEMS = Buffer.from('items');
const COLON = 0x3a;

/**
 * Cuts JSON objects that stand one after the other (one list, several, or one object a line) out of
 * a byte stream, lists element by element, so that memory holds one chunk and one object however
 * large the list is. Only nesting is checked; `JSON.parse` judges the rest.
 */
export function listCutter(file: string): ListCutter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** How much of `items` the current key has matched; -1 when it is another. */
  let matched = -1;
  /** 1: the last thing seen at depth 1 was the key `items`; 2: and its colon. */
  let candidate = 0;
  let parts: Buffer[] = [];
  let held = 0;
  let items: ElementSplitter | undefined;
  let offset = 0;

  const unreadable = (at: number, what: string): Failure =>
    new Failure(
      'input-unreadable',
      `${file} is not readable as JSON at byte ${offset + at}: ${what}. Record it again, or fix it there.`,
    );

  const checkSize = (bytes: number): void => {
    if (bytes > LARGEST_VALUE)
      throw new Failure(
        'input-not-a-dump',
        `${file} holds a JSON object larger than ${LARGEST_VALUE} bytes, which no Kubernetes object is; give the output of kubectl get -o json.`,
      );
  };

  const keep = (part: Buffer): void => {
    held += part.length;
    checkSize(held);
    parts.push(part);
  };

  function textOf(bytes: Buffer, at: number): string {
    // What is nearly always so, and read at a fraction of the cost.
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (!isUtf8(bytes)) throw unreadable(at, 'the object that ends here is not valid UTF-8');
    return bytes.toString('utf8');
  }

  const heldText = (at: number): string => textOf(Buffer.concat(parts, held), at);

  /** A byte inside a string; gives the index of the last byte it dealt with. */
  function string(chunk: Buffer, from: number): number {
    let i = from;
    if (escaped) {
      escaped = false;
      matched = -1;
      return i;
    }
    if (depth > 1) while (i < chunk.length - 1 && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i++;
    const byte = chunk[i] as number;
    if (byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) {
      inString = false;
      candidate = depth === 1 && matched === ITEMS.length ? 1 : 0;
    } else if (matched >= 0) matched = byte === ITEMS[matched] ? matched + 1 : -1;
    return i;
  }

  /** A byte outside strings, at depth 1 or deeper. True when the items of a list begin. */
  function structure(byte: number): boolean {
    if (byte === QUOTE) {
      inString = true;
      matched = depth === 1 ? 0 : -1;
    } else if (byte === OPEN_MAP || byte === OPEN_LIST) {
      if (depth === 1 && candidate === 2 && byte === OPEN_LIST) return true;
      depth++;
    } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) depth--;
    if (depth === 1 && !isSpace(byte)) candidate = byte === COLON && candidate === 1 ? 2 : 0;
    return false;
  }

  /** Reads on in the elements of a list; gives the index after them, or the chunk's end. */
  function elements(
    splitter: ElementSplitter,
    chunk: Buffer,
    from: number,
    cuts: ListCut[],
  ): number {
    try {
      const end = splitter.push(chunk, from, (json) =>
        cuts.push({ cut: 'item', json: textOf(json, from) }),
      );
      checkSize(splitter.pending());
      if (end === -1) return chunk.length;
      items = undefined;
      candidate = 0;
      keep(Buffer.from('[]'));
      return end;
    } catch (error) {
      throw error instanceof UnexpectedByte ? unreadable(error.index, error.message) : error;
    }
  }

  /**
   * Reads on in a top-level object; gives the index where it ended, where its items begin, or the
   * chunk's end.
   */
  function object(chunk: Buffer, from: number, cuts: ListCut[]): number {
    for (let i = from; i < chunk.length; i++) {
      if (inString) {
        i = string(chunk, i);
      } else if (structure(chunk[i] as number)) {
        keep(chunk.subarray(from, i));
        cuts.push({ cut: 'items', head: `${heldText(i)}[]}` });
        items = elementSplitter();
        return i + 1;
      } else if (depth === 0) {
        keep(chunk.subarray(from, i + 1));
        cuts.push({ cut: 'value', json: heldText(i) });
        parts = [];
        held = 0;
        return i + 1;
      }
    }
    keep(chunk.subarray(from));
    return chunk.length;
  }

  /** From between objects to the first byte of the next one, or to the chunk's end. */
  function seek(chunk: Buffer, from: number): number {
    let i = from;
    while (i < chunk.length && isSpace(chunk[i] as number)) i++;
    if (i < chunk.length && chunk[i] !== OPEN_MAP)
      throw unreadable(i, 'an object should begin here');
    return i;
  }

  return {
    push(chunk) {
      const cuts: ListCut[] = [];
      let i = 0;
      while (i < chunk.length) {
        if (items !== undefined) i = elements(items, chunk, i, cuts);
        else if (depth > 0) i = object(chunk, i, cuts);
        else if ((i = seek(chunk, i)) < chunk.length) i = object(chunk, i, cuts);
      }
      offset += chunk.length;
      return cuts;
    },
    end() {
      if (depth > 0)
        throw new Failure(
          'input-truncated',
          `${file} ends in the middle of an object, after ${offset} bytes: the dump is not whole. Record it again.`,
        );
    },
  };
}
