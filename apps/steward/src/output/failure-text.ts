import { CommanderError } from 'commander';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { safeText } from './safe-text';

/** One sentence for a person. Expected failures speak for themselves; anything else is our fault and says so. */
export function failureText(error: unknown): string {
  if (error instanceof Failure) return safeText(error.message, 1000);
  if (error instanceof CommanderError) return safeText(error.message.replace(/^error: /, ''), 1000);
  return safeText(`unexpected error: ${messageOf(error)}. Please report it; STEWARD_DEBUG=1 prints where it happened.`, 1000) + (process.env['STEWARD_DEBUG'] && error instanceof Error ? `\n${error.stack}` : '');
}
