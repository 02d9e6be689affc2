import { CommanderError } from 'commander';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { safeText } from '@ovn-steward/shared/safe-text';

/**
 * One sentence for a person. Expected failures speak for themselves; anything else is our fault and
 * says so.
 */
export function failureText(error: unknown): string {
  if (error instanceof Failure) return safeText(error.message, 1000);
  if (error instanceof CommanderError)
    return safeText(error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '), 1000);
  return (
    safeText(
      `unexpected error: ${messageOf(error)}. Please report it; DEBUG=steward prints where it happened.`,
      1000,
    ) + (process.env['DEBUG'] === 'steward' && error instanceof Error ? `\n${error.stack}` : '')
  );
}
