import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a server until it is asked to lose something. */
export interface LossyProxy {
  /** `tcp:127.0.0.1:PORT` */
  readonly remote: string;
  /**
   * The next thing a client says does not arrive (`request`), or arrives and is not answered
   * (`reply`); the connection ends with it.
   */
  lose(what: 'request' | 'reply'): void;
  /**
   * Ends the clients' connections, of which the server learns only when the returned function is
   * called.
   */
  strand(): () => void;
  /** From now on what the server says arrives so much later, in milliseconds. */
  delay(ms: number): void;
  /** Whether a client said this, in one piece. */
  hasReceived(text: string): boolean;
  close(): Promise<void>;
}

/** How long a server may take to answer what will not arrive. */
const ANSWERED_MS = 300;

/** @param target `tcp:HOST:PORT` */
export async function lossyProxy(target: string): Promise<LossyProxy> {
  const [, host, port] = target.split(':');
  const pairs = new Set<{ client: Socket; upstream: Socket; stranded: boolean }>();
  const received: string[] = [];
  let losing: 'request' | 'reply' | undefined;
  let delayMs = 0;
  const server = createServer((client) => {
    const pair = { client, upstream: connect(Number(port), host), stranded: false };
    const { upstream } = pair;
    pairs.add(pair);
    const end = (): void => {
      client.destroy();
      if (pair.stranded) return;
      pairs.delete(pair);
      upstream.destroy();
    };
    let deaf = false;
    for (const it of [client, upstream]) it.on('error', end).on('close', end);
    client.on('data', (chunk) => {
      const lost = losing;
      losing = undefined;
      if (lost === 'request') return end();
      if (lost === 'reply') {
        deaf = true;
        setTimeout(end, ANSWERED_MS);
      }
      received.push(chunk.toString());
      upstream.write(chunk);
    });
    const pass = (chunk: Buffer): void => {
      if (!deaf && !client.destroyed) client.write(chunk);
    };
    upstream.on('data', (chunk: Buffer) =>
      delayMs === 0 ? pass(chunk) : void setTimeout(() => pass(chunk), delayMs),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    remote: `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (what) => {
      losing = what;
    },
    strand: () => {
      const stranded = [...pairs];
      for (const pair of stranded) {
        pair.stranded = true;
        pair.client.destroy();
      }
      return () => stranded.forEach(({ upstream }) => upstream.destroy());
    },
    delay: (ms) => {
      delayMs = ms;
    },
    hasReceived: (text) => received.some((it) => it.includes(text)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { client, upstream } of pairs) {
          client.destroy();
          upstream.destroy();
        }
      }),
  };
}
