import 'reflect-metadata';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Address } from './address';
import type { Route } from './route';
import { keepPlaces } from './places';
import { controllerOf } from './routes.controller';

/** Answers under way get this long to be finished when the server closes. */
const DRAIN_MS = 2000;

@Module({})
class HttpModule {}

/** Routes and nothing else. */
export const httpModule = (routes: readonly Route[]): DynamicModule => ({
  module: HttpModule,
  controllers: [controllerOf(routes)],
});

export interface HttpServer {
  /** The port it got. */
  readonly port: number;
  /** Runs the hooks of the module, then takes no more connections; what is being answered gets two seconds. */
  close(): Promise<void>;
}

/** A module's routes, listening. Throws what listening fails with. `onError` hears of answers that failed by our fault. */
export async function startHttp(
  module: DynamicModule,
  address: Address,
  onError: (message: string) => void,
): Promise<HttpServer> {
  let listening = false; // what listening fails with is thrown; saying it as well would be twice
  const error = (message: unknown): void => {
    if (listening) onError(String(message));
  };
  const app = await NestFactory.create<NestExpressApplication>(module, {
    abortOnError: false,
    bodyParser: false,
    logger: { log: () => undefined, warn: () => undefined, error },
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((_: IncomingMessage, response: ServerResponse, next: () => void) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  const server = app.getHttpServer() as Server;
  keepPlaces(server);
  await app.listen(address.port, address.host);
  listening = true;
  return { port: (server.address() as AddressInfo).port, close: once(() => closed(app, server)) };
}

async function closed(app: NestExpressApplication, server: Server): Promise<void> {
  let impatient: NodeJS.Timeout | undefined;
  const closing = server.close.bind(server);
  // Nest runs the module's hooks first: patience is for the answers, and begins when those are left.
  server.close = (then) => {
    impatient = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    return closing(then);
  };
  try {
    await app.close();
  } finally {
    clearTimeout(impatient);
  }
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}
