/** A clock that moves only when it is moved, in the place of the machine's. */
export interface SteadyClock {
  readonly now: () => number;
  pass(ms: number): void;
  /** Gives the machine's clock back. */
  restore(): void;
}

/**
 * Ages of what was read are counted by `performance.now`: taken over, so that a history is the same
 * however fast the machine is.
 */
export function takeSteadyClock(): SteadyClock {
  let at = 1_000_000;
  const real = performance.now;
  performance.now = () => at;
  return {
    now: () => at,
    pass: (ms) => void (at += ms),
    restore: () => void (performance.now = real),
  };
}
