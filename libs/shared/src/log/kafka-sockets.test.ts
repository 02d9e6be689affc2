import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createSockets } from './kafka-sockets';

describe('createSockets', () => {
  let server: Server;
  const received: string[] = [];
  beforeAll(async () => {
    server = createServer((socket: Socket) =>
      socket.on('data', (data) => received.push(String(data))).on('error', () => undefined),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => server.close());
  const args = () => ({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ssl: undefined as never,
    onConnect: () => undefined,
  });

  it('opens sockets, until it is cut: then those there are end with an error, and no more are opened', async () => {
    const { factory, cut } = createSockets();
    const socket = factory(args());
    await once(socket, 'connect');
    const failed = once(socket, 'error');
    cut();
    await failed;
    expect(socket.destroyed).toBe(true);
    expect(() => factory(args())).toThrow();
    cut();
  });

  it('lets nothing out of a socket that was not connected yet', async () => {
    const { factory, cut } = createSockets();
    const socket = factory(args()).on('error', () => undefined);
    socket.write('late');
    cut();
    await new Promise((resolve) => void socket.once('close', resolve));
    expect(received).toEqual([]);
  });
});
