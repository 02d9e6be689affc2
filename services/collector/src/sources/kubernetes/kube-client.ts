import * as http from 'node:http';
import * as https from 'node:https';
import { statusFailure, KubeFailure, transportFailure } from './kube-failure';

/** Where the API server is and who we are to it. */
export interface KubeAccess {
  /** May carry a path, as behind a proxy that serves several clusters. */
  readonly server: URL;
  /** Adds credentials, certificates and the agent to a request. */
  authenticate(options: https.RequestOptions): Promise<void>;
  /** The server refused what `authenticate` gave: forget it and read it anew. */
  renew(): void;
}

interface KubeClientLimits {
  /** How long a TCP connection may take to be made; milliseconds. */
  readonly connectMs: number;
  /** How long the server may send nothing while we wait for bytes; milliseconds. */
  readonly idleMs: number;
}

/** A 200 answer. */
export interface Answer {
  /** Taking them is the back-pressure: while nobody takes, the socket fills and the server stops. Ending the loop closes the connection. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Closes the connection; for an answer whose bytes are not wanted. */
  close(): void;
}

export interface KubeClient {
  /** For messages. */
  readonly server: string;
  /**
   * GET of a path below the server's. Resolves when the server said 200. Anything else is a KubeFailure: 401 and 403
   * `source-refused` and `source-forbidden`, 404 `source-not-served`, 410 `source-expired`, 429, 5xx and silence `source-unreachable`.
   */
  get(path: string, signal: AbortSignal): Promise<Answer>;
}

/** What a bookmark each minute leaves room for, and half of what load balancers commonly cut. */
const CLIENT_LIMITS: KubeClientLimits = { connectMs: 10_000, idleMs: 90_000 };

/** A refusal is told by a Status of a few hundred bytes; more is not read. */
const STATUS_BYTES = 64 * 1024;

/** A client for reading, and for nothing else: it has no other verb. */
export function createKubeClient(access: KubeAccess, limits: KubeClientLimits = CLIENT_LIMITS): KubeClient {
  const server = `${access.server.protocol}//${access.server.host}${access.server.pathname.replace(/\/$/, '')}`;
  const once = async (path: string, signal: AbortSignal): Promise<Answer> => {
    const response = await send(access, server, path, limits, signal);
    if (response.statusCode === 200) return { bytes: bytesOf(response, server, limits.idleMs), close: () => response.destroy() };
    const body = await firstBytes(bytesOf(response, server, limits.idleMs), STATUS_BYTES);
    throw statusFailure(`GET ${path.split('?')[0]}`, response.statusCode ?? 0, body, retryAfterOf(response.headers['retry-after']));
  };
  const get = async (path: string, signal: AbortSignal): Promise<Answer> => {
    try {
      return await once(path, signal);
    } catch (error) {
      if (!(error instanceof KubeFailure) || error.code !== 'source-refused') throw error;
      access.renew(); // a token that was rotated is refused once
      return once(path, signal);
    }
  };
  return { server, get };
}

async function send(access: KubeAccess, server: string, path: string, limits: KubeClientLimits, signal: AbortSignal): Promise<http.IncomingMessage> {
  const options: https.RequestOptions = { method: 'GET', headers: { accept: 'application/json', 'user-agent': 'ovn-steward' }, signal };
  await access.authenticate(options);
  signal.throwIfAborted();
  const { request } = access.server.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${path}`, options, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    const late = (what: string) => () => sent.destroy(new KubeFailure('source-unreachable', `${server} ${what}: check the address, and any firewall or proxy on the way.`));
    let timer = setTimeout(late(`could not be connected to within ${limits.connectMs / 1000} s`), limits.connectMs);
    sent.on('socket', (socket) => {
      socket.setKeepAlive(true, 30_000);
      const connected = (): void => {
        clearTimeout(timer);
        timer = setTimeout(late(`did not answer within ${limits.idleMs / 1000} s`), limits.idleMs);
      };
      if (socket.connecting) socket.once('connect', connected);
      else connected(); // one of the agent's, used before
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(transportFailure(server, error));
    });
    sent.end();
  });
}

/** The body as it comes; the idle time runs only while we wait for the server, not while nobody takes what it sent. */
async function* bytesOf(response: http.IncomingMessage, server: string, idleMs: number): AsyncGenerator<Buffer> {
  const body = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new KubeFailure('source-unreachable', `${server} sent nothing for ${idleMs / 1000} s on an open connection; it is opened anew.`)), idleMs);
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

async function firstBytes(bytes: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

/** RFC 9110 §10.2.3: seconds or a date. Milliseconds from now, at most ten minutes; undefined when absent or unreadable. */
export function retryAfterOf(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 600_000);
}
