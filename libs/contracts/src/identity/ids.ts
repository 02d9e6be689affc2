import { hash } from 'node:crypto';
import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import type { Reference } from './reference';

/**
 * In one call: half the time of a Hash object for texts as short as ours, and a quarter million
 * objects are hashed at a start.
 */
const sha256 = (text: string): string => hash('sha256', text);

/**
 * Joins with a separator that cannot occur inside a part once parts are JSON-quoted, so ("a","b/c")
 * and ("a/b","c") differ.
 */
const digestOf = (...parts: readonly (string | number)[]): string => sha256(JSON.stringify(parts));

/** A finding's identity: the rule and the subject's incarnation, never its name. */
export const findingId = (cluster: string, rule: string, subject: Reference): string =>
  digestOf(
    cluster,
    rule,
    subject.source,
    subject.kind,
    subject.uid,
    subject.part?.column ?? '',
    subject.part?.key ?? '',
  );

/**
 * The idempotency key of what is done about one revision of a finding. Deciding it again, after a
 * crash or elsewhere, gives the same key.
 */
export const actionKey = (
  cluster: string,
  subject: Reference,
  action: string,
  finding: string,
  revision: number,
): string =>
  digestOf(
    cluster,
    subject.source,
    subject.kind,
    subject.uid,
    subject.part?.column ?? '',
    subject.part?.key ?? '',
    action,
    finding,
    revision,
  );

/** A change's identity; the same observation published twice has the same id. */
export const changeId = (
  cluster: string,
  stream: string,
  epoch: number,
  seq: number,
  key: string,
): string => digestOf(cluster, stream, epoch, seq, key).slice(0, 32);

const DIGITS = Buffer.alloc(16);

/**
 * Written out and read back: a slice would hold on to the whole text it was cut from, a quarter
 * million times.
 */
function firstDigits(hex: string): string {
  DIGITS.write(hex, 'latin1');
  return DIGITS.toString('latin1');
}

/**
 * The content hash of a trimmed object: equal content gives equal hashes whatever the key order. 16
 * hex digits.
 */
export const contentHash = (object: unknown): string => contentHashOf(canonicalJson(object));

/** The same, of an object's `canonicalJson`. */
export const contentHashOf = (json: string): string => firstDigits(sha256(json));

const HALF = 2 ** 32;

/**
 * An order-free digest of a set of hashed objects that one change moves in constant time: their sum
 * modulo 2^64, in two halves.
 */
export class SetDigest {
  #high = 0;
  #low = 0;
  #count = 0;

  add(hash: string): void {
    this.#move(hash, 1);
  }

  remove(hash: string): void {
    this.#move(hash, -1);
  }

  get count(): number {
    return this.#count;
  }

  toString(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, '0')).join('');
  }

  #move(hash: string, by: 1 | -1): void {
    const low = this.#low + by * parseInt(hash.slice(8), 16);
    const carry = low < 0 ? -1 : low >= HALF ? 1 : 0;
    this.#low = low - carry * HALF;
    this.#high = (this.#high + by * parseInt(hash.slice(0, 8), 16) + carry + HALF) % HALF;
    this.#count += by;
  }
}
