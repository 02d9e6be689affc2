import { HttpException } from '@nestjs/common';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { problem } from '../http/problem';

/**
 * The answer when verifying a client's identity, or reviewing its rights, failed: 401, 403, and 503
 * where it could not be found out.
 */
export function accessProblem(error: unknown): HttpException {
  if (error instanceof HttpException) return error;
  const code = error instanceof Failure ? error.code : undefined;
  if (code === 'access-unauthenticated') return problem(401, messageOf(error));
  if (code === 'access-forbidden') return problem(403, messageOf(error));
  return problem(503, `Who may do this cannot be found out: ${messageOf(error)}`);
}
