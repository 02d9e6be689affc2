import 'reflect-metadata';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Address } from './address';
import { MethodFilter } from './method-filter';
import { keepPlaces } from './places';
import { renewCertificate, type ServedCertificate } from './served-certificate';

/** Answers under way get this long to be finished when the server closes, in milliseconds. */
const DRAIN_MS = 2000;

/** No decision is longer. */
const LONGEST_BODY = '64kb';

export interface HttpAppOptions {
  /** Reads the certificate to serve HTTPS with; plain HTTP without. */
  readonly certificate?: (() => ServedCertificate) | undefined;
}

/** An application that may listen. */
export interface HttpApp {
  readonly nest: NestExpressApplication;
  /** @returns the port it got. @throws what listening fails with. */
  listen(address: Address): Promise<number>;
  /**
   * Runs the hooks of the module, then takes no more connections; what is being answered gets two
   * seconds. May be called twice.
   */
  close(): Promise<void>;
}

/**
 * The application of a module, with all its providers made and nothing started. `onError` gets the
 * messages of answers that failed by our fault; Nest has one logger in a process, so it also gets
 * those of applications made before.
 * @throws what a provider fails with.
 */
export async function createHttpApp(
  module: DynamicModule | Type,
  onError: (message: string) => void,
  { certificate }: HttpAppOptions = {},
): Promise<HttpApp> {
  let listening = false; // what making it or listening fails with is thrown; logging it as well would be twice
  const error = (message: unknown): void => {
    if (listening) onError(String(message));
  };
  const nest = await NestFactory.create<NestExpressApplication>(module, {
    abortOnError: false,
    bodyParser: false,
    ...(certificate && { httpsOptions: certificate() }),
    logger: { log: () => undefined, warn: () => undefined, error },
  });
  nest.disable('x-powered-by');
  nest.disable('etag');
  nest.set('query parser', 'simple');
  nest.use((_: IncomingMessage, response: ServerResponse, next: () => void) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  nest.useGlobalFilters(new MethodFilter(nest.getHttpAdapter()));
  nest.useBodyParser('json', { limit: LONGEST_BODY, type: 'application/json' });
  const server = nest.getHttpServer() as Server;
  keepPlaces(server);
  if (certificate) renewCertificate(server as unknown as TlsServer, certificate);
  return {
    nest,
    async listen({ port, host }) {
      await nest.listen(port, host);
      listening = true;
      return (server.address() as AddressInfo).port;
    },
    close: once(() => closed(nest, server)),
  };
}

async function closed(app: NestExpressApplication, server: Server): Promise<void> {
  let impatient: NodeJS.Timeout | undefined;
  const closing = server.close.bind(server);
  // Nest runs the module's hooks first: patience is for the answers, and begins when those are
  // left.
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
