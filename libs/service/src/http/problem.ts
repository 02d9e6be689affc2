import { safeText } from '@ovn-steward/shared/safe-text';
import { z } from 'zod';
import type { Answer } from './route';

/** What every refused request gets. */
export const Problem = z.object({
  statusCode: z.number().int(),
  error: z.string().optional(),
  message: z.string(),
});
export type Problem = z.infer<typeof Problem>;

const NAMES = { 400: 'Bad Request', 404: 'Not Found', 503: 'Service Unavailable' } as const;

/** A refusal, its message made safe to print and short. */
export function problem(status: keyof typeof NAMES, message: string): Answer {
  const body: Problem = {
    statusCode: status,
    error: NAMES[status],
    message: safeText(message, 300),
  };
  return { status, body };
}
