import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { answersEcho } from './answers-echo';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const it of sockets.splice(0)) it.destroy();
  for (const it of servers.splice(0)) it.close();
});

async function listening(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    serve(socket);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('true once the request is answered', async () => {
  const port = await listening((socket) =>
    socket.once('data', (request: Buffer) => {
      const { method, id } = JSON.parse(request.toString()) as { method: string; id: number };
      if (method === 'echo') socket.write(JSON.stringify({ id, result: [], error: null }));
    }),
  );
  expect(await answersEcho(port)).toBe(true);
});

test('false where the connection ends, is accepted by nobody who answers, or not at all', async () => {
  // Longer than a test may take.
  expect(await answersEcho(await listening((socket) => socket.end()), 3_600_000)).toBe(false);
  expect(await answersEcho(await listening(() => undefined), 50)).toBe(false);
  const closed = await listening(() => undefined);
  await new Promise((done) => servers.pop()!.close(done));
  expect(await answersEcho(closed)).toBe(false);
});
