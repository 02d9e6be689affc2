import { z } from 'zod';

const REGULAR = /^\/(.+)\/(i?)$/s;

/**
 * A text to match whole, or `/expression/` (also `/expression/i`) to match anywhere, as a regular
 * expression.
 */
export const Pattern = z
  .string()
  .min(1)
  .transform((text, context): RegExp => {
    const [, expression, flags] = REGULAR.exec(text) ?? [];
    if (expression === undefined)
      return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}$`);
    try {
      return new RegExp(expression, flags);
    } catch {
      context.addIssue({
        code: 'custom',
        message:
          'not a regular expression: correct it, or leave out the slashes to match the text itself',
      });
      return z.NEVER;
    }
  });
