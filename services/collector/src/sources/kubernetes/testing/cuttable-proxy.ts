import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy whose line can be cut and mended: for being away from a server that goes on. */
export class CuttableProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #cut = false;

  constructor(port: number) {
    this.#server = createServer((near) => {
      if (this.#cut) return void near.destroy();
      const far = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          other.destroy();
          this.#sockets.delete(one);
        });
      }
    });
  }

  async start(): Promise<number> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#cut = false;
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }
}
