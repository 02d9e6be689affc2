import crypto, { type KeyObject, verify } from 'node:crypto';

/** Signatures that were held against what they are of, by the key and both. */
const MOST = 20_000;

/**
 * Whoever reads the log verifies each record, and a history reads its log again and again. So each
 * signature is verified once: by the real function, of the very bytes and key. Who asks, and of
 * what, stays the product's.
 * @returns a function that gives the real one back.
 */
export function verifyOnce(): () => void {
  const real = verify;
  const known = new Map<string, boolean>();
  const ids = new WeakMap<object, number>();
  let made = 0;
  const idOf = (key: object): number => {
    const id = ids.get(key) ?? (made += 1);
    ids.set(key, id);
    return id;
  };
  const once = (
    algorithm: string | null | undefined,
    data: NodeJS.ArrayBufferView,
    key: KeyObject,
    signature: NodeJS.ArrayBufferView,
  ): boolean => {
    const text = `${idOf(key)} ${textOf(signature)} ${textOf(data)}`;
    const before = known.get(text);
    if (before !== undefined) return before;
    const is = real(algorithm, data, key, signature);
    if (known.size >= MOST) known.clear();
    known.set(text, is);
    return is;
  };
  crypto.verify = once as typeof verify;
  return () => void (crypto.verify = real);
}

const textOf = ({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): string =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('latin1');
