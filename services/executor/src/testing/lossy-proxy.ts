import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a server until it is told to lose something. */
export interface LossyProxy {
  /** `tcp:127.0.0.1:PORT` */
  readonly remote: string;
  /** The next thing a client says does not arrive (`request`), or arrives and is not answered (`reply`); the connection ends with it. */
  lose(what: 'request' | 'reply'): void;
  /** No connection gets through any more in either direction, and none is ended: as a network gone silent. */
  silence(): void;
  close(): Promise<void>;
}

/** How long a server may take to answer what will not arrive. */
const ANSWERED_MS = 300;

/** @param target `tcp:HOST:PORT` */
export async function lossyProxy(target: string): Promise<LossyProxy> {
  const [, host, port] = target.split(':');
  const sockets = new Set<Socket>();
  let losing: 'request' | 'reply' | undefined;
  let silent = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    const end = (): void => {
      for (const it of [client, upstream]) {
        sockets.delete(it);
        it.destroy();
      }
    };
    let deaf = false;
    for (const it of [client, upstream]) {
      sockets.add(it);
      it.on('error', end).on('close', end);
    }
    client.on('data', (chunk) => {
      if (silent) return;
      const lost = losing;
      losing = undefined;
      if (lost === 'request') return end();
      if (lost === 'reply') {
        deaf = true;
        setTimeout(end, ANSWERED_MS);
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!deaf && !silent) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    remote: `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (what) => {
      losing = what;
    },
    silence: () => {
      silent = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const it of sockets) it.destroy();
      }),
  };
}
