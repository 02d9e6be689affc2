import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { type Access, READ_VERB } from '@ovn-steward/shared/access';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { problem } from '../http/problem';
import { accessProblem } from './access-problem';
import { bearerToken } from './bearer-token';
import { rememberCaller } from './caller';
import { filtersByCluster, routeAccessOf } from '../http/route-access';

/** The client waits for the answer. */
const WITHIN_MS = 15_000;

/**
 * Lets a request through to its route only when its sender is proven, and may read where the route
 * does. Whatever cannot be found out is refused.
 */
export class AccessGuard implements CanActivate {
  constructor(
    private readonly access: Access,
    /** Called on each refusal: of which status, and why. Must not throw. */
    private readonly onRefused: (status: number, why: string) => void,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const controller = context.getClass();
    const wanted = routeAccessOf(handler, controller);
    if (wanted === 'open') return true;
    const request = context
      .switchToHttp()
      .getRequest<IncomingMessage & { readonly query: Readonly<Record<string, unknown>> }>();
    const named = filtersByCluster(handler) ? request.query['cluster'] : undefined;
    try {
      await this.admit(
        request,
        wanted,
        typeof named === 'string' && named !== '' ? named : undefined,
      );
      return true;
    } catch (error) {
      const refusal = accessProblem(error);
      const status = refusal.getStatus();
      if (status === 401)
        context
          .switchToHttp()
          .getResponse<ServerResponse>()
          .setHeader('WWW-Authenticate', 'Bearer realm="ovn-steward"');
      this.onRefused(status, refusal.message);
      throw refusal;
    }
  }

  private async admit(
    request: IncomingMessage,
    wanted: 'read' | 'decide',
    cluster: string | undefined,
  ): Promise<void> {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined)
      throw problem(401, 'Say who you are: send the header Authorization: Bearer <token>.');
    const signal = timeLimit(WITHIN_MS);
    const caller = await this.access.authenticate(token, signal);
    if (wanted === 'read') await this.access.authorize(caller, READ_VERB, cluster, signal);
    rememberCaller(request, caller);
  }
}
