/** Draws that are the same for the same seed, on every machine. */
export interface Random {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  chance(share: number): boolean;
  /** @throws RangeError for an empty list. */
  pick<T>(from: readonly T[]): T;
  maybe<T>(from: readonly T[]): T | undefined;
  /** A version 4 uuid. */
  uuid(): string;
}

/**
 * Mulberry32: 32 bits of state, good enough to draw histories and fast enough for millions of them.
 */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const hex = (): string => next().toString(16).padStart(8, '0');
  const int = (below: number): number => Math.floor((next() / 2 ** 32) * below);
  return {
    int,
    chance: (share) => next() / 2 ** 32 < share,
    pick: (from) => {
      if (from.length === 0) throw new RangeError('there is nothing to pick from');
      return from[int(from.length)]!;
    },
    maybe: (from) => (from.length === 0 ? undefined : from[int(from.length)]),
    uuid: () => {
      const a = hex();
      const b = hex();
      const c = hex();
      const d = hex();
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  };
}
