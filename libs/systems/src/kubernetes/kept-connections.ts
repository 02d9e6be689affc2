import * as http from 'node:http';
import * as https from 'node:https';
import { UnansweredFailure } from './kube-failure';
import type { KubeAccess } from './kube-request';

/**
 * How long a connection may lie idle and still be used; milliseconds. Far less than servers and
 * load balancers close theirs after.
 */
const IDLE_MS = 5000;
/** Idle connections that are kept. */
const MOST_KEPT = 8;

/** Sends what may be sent twice. */
export type SendsRepeatable = <T>(send: (over: KubeAccess) => Promise<T>) => Promise<T>;

/**
 * Sends over connections that are kept for the next request. What failed since the kept one had
 * died is sent once more, over a new one: for reads, and for writes that may be done twice.
 */
export function sendsRepeatable(access: KubeAccess): SendsRepeatable {
  const kept = keptConnections(access);
  const fresh = freshConnections(access);
  return (send) =>
    send(kept).catch((error: unknown) => {
      if (error instanceof UnansweredFailure && error.wasKept) return send(fresh);
      throw error;
    });
}

/**
 * The same access, its connections kept for the next request. For what may be sent twice only: one
 * that has died meanwhile is found out by a request that fails.
 */
export function keptConnections(access: KubeAccess): KubeAccess {
  // Each agent that holds credentials has one that keeps; new credentials come with a new agent,
  // and so with new connections.
  const keeping = new WeakMap<http.Agent, http.Agent>();
  const plain = new http.Agent(KEPT);
  return {
    server: access.server,
    async authenticate(options) {
      await access.authenticate(options);
      options.agent =
        keepAliveOf(options.agent, keeping) ??
        (access.server.protocol === 'http:' && !options.agent ? plain : options.agent);
    },
    renew: () => access.renew(),
  };
}

/**
 * The same access, a connection of its own for each request: Node's common agent would keep them.
 * For other writes: it must be certain that no dying connection carried them.
 */
export const freshConnections = (access: KubeAccess): KubeAccess => ({
  server: access.server,
  async authenticate(options) {
    await access.authenticate(options);
    options.agent ??= false;
  },
  renew: () => access.renew(),
});

const KEPT: http.AgentOptions = {
  keepAlive: true,
  maxFreeSockets: MOST_KEPT,
  scheduling: 'lifo',
  timeout: IDLE_MS,
};

/** undefined for agents that lead through a proxy, which stay as they are. */
function keepAliveOf(
  given: http.Agent | boolean | undefined,
  keeping: WeakMap<http.Agent, http.Agent>,
): http.Agent | undefined {
  if (
    typeof given !== 'object' ||
    (given.constructor !== https.Agent && given.constructor !== http.Agent)
  )
    return undefined;
  let keepAlive = keeping.get(given);
  if (!keepAlive) {
    const own =
      given instanceof https.Agent
        ? new https.Agent({ ...given.options, ...KEPT })
        : new http.Agent({ ...(given as { options?: http.AgentOptions }).options, ...KEPT });
    keeping.set(given, (keepAlive = own));
  }
  return keepAlive;
}
