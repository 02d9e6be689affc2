import * as http from 'node:http';
import * as https from 'node:https';
import { Failure } from '@ovn-steward/shared/errors';
import {
  KubeFailure,
  SilentFailure,
  statusFailure,
  transportFailure,
  UnansweredFailure,
} from './kube-failure';

/** Where the API server is, and our identity to it. */
export interface KubeAccess {
  /** May carry a path, as behind a proxy that serves several clusters. */
  readonly server: URL;
  /** Adds credentials, certificates and the agent to a request. */
  authenticate(options: https.RequestOptions): Promise<void>;
  /** The server refused what `authenticate` gave: forget it and read it again. */
  renew(): void;
}

export interface RequestLimits {
  /** How long a TCP connection may take to be made; milliseconds. */
  readonly connectMs: number;
  /** How long the server may send nothing while we wait for bytes; milliseconds. */
  readonly idleMs: number;
}

/** A request to the API server. */
export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** What sort of JSON the body is. Default: `application/json`. */
  readonly contentType?: string;
}

/** A refusal is a Status of a few hundred bytes; more is not read. */
const STATUS_BYTES = 64 * 1024;

/** `https://host:port/path`, without a slash at the end. */
export const serverOf = ({ server }: KubeAccess): string =>
  `${server.protocol}//${server.host}${server.pathname.replace(/\/$/, '')}`;

/**
 * Sends a request; resolves with an answer that has one of the statuses. Anything else is a
 * KubeFailure: 401 and 403 `source-refused` and `source-forbidden`, 404 `source-not-served`, 410
 * `source-expired`, 429, 5xx and silence `source-unreachable`; an UnansweredFailure when the server
 * may have had the request and said nothing. Credentials that were refused are read again, once.
 */
export async function sendRequest(
  access: KubeAccess,
  request: KubeRequest,
  statuses: readonly number[],
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const once = async (): Promise<http.IncomingMessage> => {
    const response = await sendOnce(access, request, limits, signal);
    const { statusCode = 0, socket } = response;
    if (statuses.includes(statusCode)) return response;
    const body = await firstBytes(
      bytesOf(response, serverOf(access), limits.idleMs),
      STATUS_BYTES,
    ).catch(() => ''); // the number is enough
    // The next request is to find another server behind the address, if there is one.
    if (statusCode >= 500) socket.destroy();
    throw statusFailure(
      `${request.method} ${request.path.split('?')[0]}`,
      statusCode,
      body,
      retryAfterOf(response.headers['retry-after']),
    );
  };
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof KubeFailure) || error.code !== 'source-refused') throw error;
    access.renew(); // a token that was rotated is refused once
    return once();
  }
}

async function sendOnce(
  access: KubeAccess,
  { method, path, body, contentType = 'application/json' }: KubeRequest,
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const content =
    body === undefined
      ? {}
      : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
  const options: https.RequestOptions = {
    method,
    headers: { accept: 'application/json', 'user-agent': 'ovn-steward', ...content },
    signal,
  };
  await access.authenticate(options);
  signal.throwIfAborted();
  return exchange(access, { path, body }, options, limits, signal);
}

/** Resolves with the head of the answer. */
function exchange(
  access: KubeAccess,
  { path, body }: Pick<KubeRequest, 'path'> & { readonly body: string | undefined },
  options: https.RequestOptions,
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const server = serverOf(access);
  const [{ request }, open] =
    access.server.protocol === 'http:' ? [http, 'connect'] : [https, 'secureConnect'];
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${path}`, options, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    const late = (what: string) => () =>
      sent.destroy(
        new KubeFailure(
          'source-unreachable',
          `${server} ${what}: check the address, and any firewall or proxy on the way.`,
        ),
      );
    let onItsWay = false;
    let timer = setTimeout(
      late(`could not be connected to within ${limits.connectMs / 1000} s`),
      limits.connectMs,
    );
    const onConnected = (): void => {
      clearTimeout(timer);
      timer = setTimeout(late(`did not answer within ${limits.idleMs / 1000} s`), limits.idleMs);
    };
    listenToSocket(sent, open, onConnected, () => (onItsWay = true));
    sent.on('error', (error) => {
      clearTimeout(timer);
      const failure = transportFailure(server, error);
      const wasKept = sent.reusedSocket && !(error instanceof Failure) && !signal.aborted;
      reject(onItsWay ? new UnansweredFailure(failure, wasKept) : failure);
    });
    sent.end(body);
  });
}

/** @param open the event after which what is written leaves this process. */
function listenToSocket(
  sent: http.ClientRequest,
  open: string,
  onConnected: () => void,
  onOpen: () => void,
): void {
  sent.on('socket', (socket) => {
    socket.setKeepAlive(true, 30_000);
    if (socket.connecting) {
      socket.once('connect', onConnected);
      socket.once(open, onOpen);
    } else {
      onOpen();
      onConnected(); // one of the agent's, used before
    }
  });
}

/**
 * The body as it comes, or a SilentFailure; the idle time runs only while we wait for the server,
 * not while the reader takes nothing of what it sent.
 */
export async function* bytesOf(
  response: http.IncomingMessage,
  server: string,
  idleMs: number,
): AsyncGenerator<Buffer> {
  const body = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new SilentFailure(server, idleMs)), idleMs);
      const next: IteratorResult<unknown> = await body.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value as Buffer;
    }
  } catch (error) {
    throw transportFailure(server, error);
  } finally {
    response.destroy();
  }
}

export async function firstBytes(bytes: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

/**
 * RFC 9110 §10.2.3: seconds or a date. Milliseconds from now, at most ten minutes; undefined when
 * absent or unreadable.
 */
export function retryAfterOf(
  header: string | undefined,
  now: number = Date.now(),
): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 600_000);
}
