import { safeText } from '@ovn-steward/shared/safe-text';

/** Says on standard error why there may be more than was found. */
export function printDoubt(doubt: string | undefined): void {
  if (doubt !== undefined) process.stderr.write(`Not known: ${safeText(doubt, 1000)}\n`);
}
