import type { Server, ServerSpec, Site } from './server';
import { waitFor } from './wait';

export interface Readiness {
  /** What is waited for, for the error: "etcd to answer". */
  readonly what: string;
  readonly timeoutMs: number;
  /** Ready as soon as it gives anything but false; an error counts as "not yet". */
  check(): Promise<unknown>;
}

/** Starts a server and waits until it is ready; ends it when it does not become so in time. */
export async function startReady(
  site: Site,
  spec: ServerSpec,
  { what, timeoutMs, check }: Readiness,
): Promise<Server> {
  const server = await site.start(spec);
  try {
    await waitFor(async () => (await check()) !== false, { what, timeoutMs, servers: [server] });
    return server;
  } catch (error) {
    await server.kill();
    throw error;
  }
}
