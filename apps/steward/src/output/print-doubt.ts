import { safeText } from '@ovn-steward/shared/safe-text';

/** Why there may be more than was found, as a line. */
export const doubtText = (doubt: string): string => `Not known: ${safeText(doubt, 1000)}\n`;

/** Says on standard error why there may be more than was found. */
export function printDoubt(doubt: string | undefined): void {
  if (doubt !== undefined) process.stderr.write(doubtText(doubt));
}
