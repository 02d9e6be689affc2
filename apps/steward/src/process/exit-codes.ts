import { isOpen } from '@ovn-steward/client';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';

/**
 * What a script can rely on. An error wins over findings, findings over what could not be known.
 */
export const EXIT = { nothingFound: 0, error: 1, findings: 2, couldNotKnow: 3 } as const;

export function exitCodeOf(findings: readonly Finding[], unknowns: readonly Unknown[]): number {
  if (findings.some(isOpen)) return EXIT.findings;
  return unknowns.length > 0 ? EXIT.couldNotKnow : EXIT.nothingFound;
}
