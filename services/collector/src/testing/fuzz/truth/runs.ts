import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';

const MINUTE = 60_000;

/** One run of a container, in milliseconds since 1970. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** How the container of Kube-OVN's controller came to where it is: the truth, which its pod shows in part. */
export interface Runs {
  /** When its pod was made: milliseconds since 1970. */
  readonly born: number;
  /** Each of which ended, the last one last. */
  readonly ended: Run[];
  /** Since when it runs; undefined while its node waits before it starts it again. */
  since: number | undefined;
}

/**
 * What happened before the history begins: some controllers never ended, others did so at every turn.
 * @param now milliseconds since 1970.
 */
export function runsBefore({ chance, int }: Random, now: number): Runs {
  const many = chance(0.6) ? 7 + int(10) : int(3);
  const longest = chance(0.7) ? 55 : 200;
  const lasted = Array.from({ length: many }, () => (1 + int(longest)) * MINUTE);
  const born = now - lasted.reduce((sum, it) => sum + it, 0) - MINUTE;
  let from = born;
  const ended = lasted.map((it) => ({ from, to: (from += it) }));
  return { born, ended, since: undefined };
}
