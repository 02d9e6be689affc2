import { type SendsRepeatable, sendsRepeatable } from './kept-connections';
import {
  bytesOf,
  type KubeAccess,
  type RequestLimits,
  sendRequest,
  serverOf,
} from './kube-request';

/** A 200 answer. */
export interface KubeResponse {
  /**
   * Taking them is the back-pressure: while the reader takes none, the socket fills and the server
   * stops. Ending the loop closes the connection.
   */
  readonly bytes: AsyncIterable<Buffer>;
  /** Closes the connection; for an answer whose bytes are not wanted. */
  close(): void;
}

export interface KubeClient {
  /** For messages. */
  readonly server: string;
  /**
   * GET of a path below the server's. Resolves when the server said 200. Anything else is a
   * KubeFailure: 401 and 403 `source-refused` and `source-forbidden`, 404 `source-not-served`, 410
   * `source-expired`, 429, 5xx and silence `source-unreachable`.
   */
  get(path: string, signal: AbortSignal): Promise<KubeResponse>;
}

/**
 * What a bookmark each minute leaves room for, and half of what load balancers commonly cut.
 * Servers whose etcd reports no progress send no bookmarks for a kind in which nothing happens:
 * there a cut after this time is usual.
 */
const CLIENT_LIMITS: RequestLimits = { connectMs: 10_000, idleMs: 90_000 };

/**
 * A client for reading, and for nothing else: it has no other verb.
 * @param repeatable whose connections it shares.
 */
export function createKubeClient(
  access: KubeAccess,
  limits: RequestLimits = CLIENT_LIMITS,
  repeatable: SendsRepeatable = sendsRepeatable(access),
): KubeClient {
  const server = serverOf(access);
  return {
    server,
    async get(path, signal) {
      const response = await repeatable((over) =>
        sendRequest(over, { method: 'GET', path }, [200], limits, signal),
      );
      return { bytes: bytesOf(response, server, limits.idleMs), close: () => response.destroy() };
    },
  };
}
