import type { ISocketFactory } from 'kafkajs';
import { isIP, connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** As the client's own. */
const KEEP_ALIVE_MS = 60_000;

/** Opens a socket as kafkajs does, whose own factory cannot be wrapped. */
const open: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const socket = ssl
    ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
    : connectTcp({ host, port }, onConnect);
  return socket.setKeepAlive(true, KEEP_ALIVE_MS).setNoDelay(true);
};

export interface Sockets {
  readonly factory: ISocketFactory;
  /** Destroys what is open and opens no more: nothing leaves through this factory from now on. */
  cut(): void;
}

/**
 * Sockets that can be cut. A client of kafkajs that was given up goes on trying in the background,
 * for as long as its retries last; what it sends then would come after what its successor sent.
 */
export function createSockets(factory: ISocketFactory = open): Sockets {
  const sockets = new Set<Socket>();
  let gone = false;
  return {
    factory: (options) => {
      if (gone) throw new Error('given up');
      const socket = factory(options);
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    cut() {
      gone = true;
      for (const socket of sockets) socket.destroy(new Error('given up')); // with an error: the client notices nothing else
    },
  };
}
