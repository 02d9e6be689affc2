import { z } from 'zod';

/** How much the executor may do about the findings of a rule. */
export const Mode = z.enum(['observe', 'propose', 'enforce']);
export type Mode = z.infer<typeof Mode>;
