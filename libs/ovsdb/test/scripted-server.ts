import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Remote } from '../src/wire/remote';

/** A request as it came over the wire. */
export interface Heard {
  readonly method?: string;
  readonly params?: unknown[];
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface ScriptedServer {
  readonly remote: Remote & { port: number };
  /** All that was heard so far, of all connections. */
  readonly heard: Heard[];
  /** Connections open now. */
  open(): number;
  stop(): Promise<void>;
}

/**
 * A server that does whatever a test wants, also what no OVSDB server does. It reads one message
 * per line or packet, which is what our client's short requests are.
 */
export async function startScriptedServer(script: {
  connected?: (socket: Socket) => void;
  message?: (heard: Heard, socket: Socket) => void;
}): Promise<ScriptedServer> {
  const heard: Heard[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .on('data', (bytes) => {
        for (const text of bytes.toString().split(/(?<=\})(?=\{")/)) {
          const message = JSON.parse(text) as Heard;
          heard.push(message);
          script.message?.(message, socket);
        }
      });
    script.connected?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    remote: { transport: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    heard,
    open: () => sockets.size,
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const answer = (socket: Socket, { id }: Heard, result: unknown): void =>
  void socket.write(JSON.stringify({ id, result, error: null }));
