import { z } from 'zod';
import { DURATION, durationMs } from '../duration-ms';

/**
 * A setting written as `15m` or `1h30m` (ms, s, m, h, d), read as ms. The pattern is for readers of
 * the schema as JSON Schema, which has no transforms; our own message says more than a pattern
 * would.
 */
export const Duration = z
  .string()
  .meta({ pattern: DURATION.source })
  .transform((text, context) => {
    const ms = durationMs(text);
    if (ms === undefined) {
      context.addIssue({
        code: 'custom',
        message: 'not a duration: write a number with a unit, such as 30s, 15m, 1h30m or 7d',
      });
      return z.NEVER;
    }
    return ms;
  });
