import { HttpException } from '@nestjs/common';
import { safeText } from '@ovn-steward/shared/safe-text';
import { z } from 'zod';

/** The body of every refused request. */
export const Problem = z.object({
  statusCode: z.number().int(),
  error: z.string().optional(),
  message: z.string(),
});
export type Problem = z.infer<typeof Problem>;

const NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  415: 'Unsupported Media Type',
  503: 'Service Unavailable',
} as const;

/** A refusal. Its message is made safe to print and cut at 300 characters. */
export function problem(status: keyof typeof NAMES, message: string): HttpException {
  const body: Problem = {
    statusCode: status,
    error: NAMES[status],
    message: safeText(message, 300),
  };
  return new HttpException(body, status);
}
