import { hash } from 'node:crypto';
import stringify from 'safe-stable-stringify';
import type { Reference } from './events/reference';

/** In one call: half the time of a Hash object for texts as short as ours, and a quarter million objects are hashed at a start. */
const sha256 = (text: string): string => hash('sha256', text);

/** Joins with a separator that cannot occur inside a part once parts are JSON-quoted, so ("a","b/c") and ("a/b","c") differ. */
const digestOf = (...parts: readonly (string | number)[]): string => sha256(JSON.stringify(parts));

/** A finding's identity: the rule and the subject's incarnation, never its name. */
export const findingId = (cluster: string, rule: string, subject: Reference): string =>
  digestOf(cluster, rule, subject.source, subject.kind, subject.uid, subject.part?.column ?? '', subject.part?.key ?? '');

/** A change's identity; the same observation told twice has the same id. */
export const changeId = (cluster: string, stream: string, epoch: number, seq: number, key: string): string =>
  digestOf(cluster, stream, epoch, seq, key).slice(0, 32);

/** The content hash of a trimmed object: equal content gives equal hashes whatever the key order. 16 hex digits. */
export const contentHash = (object: unknown): string => sha256(stringify(object) ?? 'null').slice(0, 16);

const MODULUS = 1n << 64n;

/** An order-free digest of a set of hashed objects that one change moves in constant time. */
export class SetDigest {
  #sum = 0n;
  #count = 0;

  add(hash: string): void {
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % MODULUS;
    this.#count += 1;
  }

  remove(hash: string): void {
    this.#sum = (this.#sum - BigInt(`0x${hash}`) + MODULUS) % MODULUS;
    this.#count -= 1;
  }

  get count(): number {
    return this.#count;
  }

  toString(): string {
    return this.#sum.toString(16).padStart(16, '0');
  }
}
