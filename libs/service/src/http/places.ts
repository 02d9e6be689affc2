import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PlacesOptions {
  /** How many connections there are at most. */
  readonly most: number;
  /**
   * Milliseconds a connection has for a whole request, counted from its opening or from the answer
   * before.
   */
  readonly patienceMs: number;
}

export const PLACES: PlacesOptions = { most: 200, patienceMs: 10_000 };

/**
 * Milliseconds without a byte either way after which an answer is not waited for any more: its
 * reader does not read.
 */
const SILENT_MS = 30_000;

/**
 * Gives each connection of a server one of so many places, and takes it away from the slow: a
 * client that sends no whole request in time, and, when all places are taken, the one that has been
 * without one the longest. So connections that are opened and left cannot keep other clients out.
 *
 * Node's own `maxConnections` refuses new connections, and its `headersTimeout` is checked every
 * half a minute only.
 */
export function keepPlaces(server: Server, { most, patienceMs }: PlacesOptions = PLACES): void {
  /** Those without a whole request, then those being answered; the longest so first. */
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const answered = new Set<Socket>();

  const wait = (socket: Socket): void => {
    answered.delete(socket);
    clearTimeout(waiting.get(socket));
    waiting.delete(socket);
    waiting.set(socket, setTimeout(() => socket.destroy(), patienceMs).unref());
  };
  const leave = (socket: Socket): void => {
    clearTimeout(waiting.get(socket));
    waiting.delete(socket);
    answered.delete(socket);
  };
  const slowest = (): Socket | undefined =>
    waiting.keys().next().value ?? answered.values().next().value;

  server.setTimeout(SILENT_MS);
  server.on('connection', (socket: Socket) => {
    if (waiting.size + answered.size >= most) {
      const out = slowest();
      if (out !== undefined) leave(out);
      out?.destroy();
    }
    wait(socket);
    socket.once('close', () => leave(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (socket.destroyed) return;
    clearTimeout(waiting.get(socket));
    waiting.delete(socket);
    answered.add(socket);
    response.once('close', () => {
      if (!socket.destroyed) wait(socket);
    });
  });
}
