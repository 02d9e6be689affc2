import { isAscii, isUtf8 } from 'node:buffer';
import { Failure } from '@ovn-steward/shared/errors';
import { ElementSplitter, OPEN_MAP, UnexpectedByte, isSpace } from './element-splitter';
import { TopLevelObject } from './top-level-object';

/**
 * `items`: a list begins; `head` is the list without its items as far as it was read. `item`: one
 * element of it. `value`: a whole top-level object; of a list it is what stands around the items,
 * which are left out.
 */
export type ListCut =
  | { readonly cut: 'items'; readonly head: string }
  | { readonly cut: 'item'; readonly json: string }
  | { readonly cut: 'value'; readonly json: string };

/** Kubernetes objects are at most some 1.5 MiB (etcd's limit); what is larger is something else. */
const LARGEST_VALUE = 64 * 1024 * 1024;

/**
 * Cuts JSON objects that stand one after the other (one list, several, or one object a line) out of
 * a byte stream, lists element by element, so that memory holds one chunk and one object however
 * large the list is. Only nesting is checked; `JSON.parse` judges the rest.
 */
export class ListCutter {
  readonly #file: string;
  readonly #object = new TopLevelObject();
  /** Reads the items of a list while they last. */
  #items: ElementSplitter | undefined;
  /** What was read of the current object, without its items. */
  #parts: Buffer[] = [];
  #held = 0;
  /** Of the current chunk in the file. */
  #offset = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Takes the next bytes, which must not be overwritten afterwards, and gives what they complete,
   * in order.
   */
  push(chunk: Buffer): ListCut[] {
    const cuts: ListCut[] = [];
    let i = 0;
    while (i < chunk.length) {
      if (this.#items !== undefined) i = this.#takeItems(this.#items, chunk, i, cuts);
      else if (this.#object.isOpen) i = this.#takeObject(chunk, i, cuts);
      else if ((i = this.#seek(chunk, i)) < chunk.length) i = this.#takeObject(chunk, i, cuts);
    }
    this.#offset += chunk.length;
    return cuts;
  }

  /** @throws Failure `input-truncated` when the bytes ended inside an object. */
  end(): void {
    if (this.#object.isOpen)
      throw new Failure(
        'input-truncated',
        `${this.#file} ends in the middle of an object, after ${this.#offset} bytes: the dump is not whole. Record it again.`,
      );
  }

  /** From between objects to the first byte of the next one, or to the chunk's end. */
  #seek(chunk: Buffer, from: number): number {
    let i = from;
    while (i < chunk.length && isSpace(chunk[i] as number)) i++;
    if (i < chunk.length && chunk[i] !== OPEN_MAP)
      throw this.#unreadable(i, 'an object should begin here');
    return i;
  }

  /**
   * Reads on in a top-level object; gives the index after its end, that of its first item, or the
   * chunk's end.
   */
  #takeObject(chunk: Buffer, from: number, cuts: ListCut[]): number {
    const landmark = this.#object.follow(chunk, from);
    if (landmark === undefined) {
      this.#keep(chunk.subarray(from));
      return chunk.length;
    }
    const { is, at } = landmark;
    if (is === 'items') {
      this.#keep(chunk.subarray(from, at));
      cuts.push({ cut: 'items', head: `${this.#heldText(at)}[]}` });
      this.#items = new ElementSplitter();
    } else {
      this.#keep(chunk.subarray(from, at + 1));
      cuts.push({ cut: 'value', json: this.#heldText(at) });
      this.#parts = [];
      this.#held = 0;
    }
    return at + 1;
  }

  /** Reads on in the items of a list; gives the index after them, or the chunk's end. */
  #takeItems(items: ElementSplitter, chunk: Buffer, from: number, cuts: ListCut[]): number {
    try {
      const end = items.push(chunk, from, (json) =>
        cuts.push({ cut: 'item', json: this.#textOf(json, from) }),
      );
      this.#checkSize(items.pending());
      if (end === -1) return chunk.length;
      this.#items = undefined;
      this.#object.itemsEnded();
      this.#keep(Buffer.from('[]'));
      return end;
    } catch (error) {
      throw error instanceof UnexpectedByte ? this.#unreadable(error.index, error.message) : error;
    }
  }

  #keep(part: Buffer): void {
    this.#held += part.length;
    this.#checkSize(this.#held);
    this.#parts.push(part);
  }

  #heldText(at: number): string {
    return this.#textOf(Buffer.concat(this.#parts, this.#held), at);
  }

  #textOf(bytes: Buffer, at: number): string {
    // What is nearly always so, and read at a fraction of the cost.
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (!isUtf8(bytes)) throw this.#unreadable(at, 'the object that ends here is not valid UTF-8');
    return bytes.toString('utf8');
  }

  #checkSize(bytes: number): void {
    if (bytes > LARGEST_VALUE)
      throw new Failure(
        'input-not-a-dump',
        `${this.#file} holds a JSON object larger than ${LARGEST_VALUE} bytes, which no Kubernetes object is; give the output of kubectl get -o json.`,
      );
  }

  #unreadable(at: number, what: string): Failure {
    return new Failure(
      'input-unreadable',
      `${this.#file} is not readable as JSON at byte ${this.#offset + at}: ${what}. Record it again, or fix it there.`,
    );
  }
}
