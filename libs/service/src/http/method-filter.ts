import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type HttpServer, NotFoundException } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { problem } from './problem';

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/**
 * Nest answers 404 to a method that a path does not take. RFC 9110 §15.5.6 wants 405, with the
 * methods that it takes: who reads 404 looks for a wrong path.
 */
@Catch(NotFoundException)
export class MethodFilter extends BaseExceptionFilter {
  readonly #server: HttpServer;

  constructor(server: HttpServer) {
    super(server);
    this.#server = server;
  }

  override catch(error: NotFoundException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { method = '', url = '' } = http.getRequest<IncomingMessage>();
    const path = url.split('?')[0]!;
    const allowed = this.#methodsOf(path);
    if (allowed.length === 0) return super.catch(error, host);
    const methods = allowed.join(', ');
    http.getResponse<ServerResponse>().setHeader('Allow', methods);
    super.catch(problem(405, `${path} does not answer ${method}: use ${methods}`), host);
  }

  /** Which methods the path takes; none where there is no such path. */
  #methodsOf(path: string): readonly string[] {
    const { router } = this.#server.getInstance() as { router: { stack: readonly Layer[] } };
    const methods = new Set<string>();
    for (const layer of router.stack)
      if (layer.route !== undefined && layer.match(path))
        for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods];
  }
}
