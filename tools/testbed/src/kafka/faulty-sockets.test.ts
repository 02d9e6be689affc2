import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { API_KEYS, faultySockets, type ApiName } from './faulty-sockets';
import { frameCutter, requestHeader } from './frames';

const framed = (body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length);
  return Buffer.concat([length, body]);
};

function request(api: ApiName, correlationId: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeInt16BE(API_KEYS[api], 0);
  body.writeInt32BE(correlationId, 4);
  return framed(body);
}

function response(correlationId: number): Buffer {
  const body = Buffer.alloc(6, 0xee);
  body.writeInt32BE(correlationId, 0);
  return framed(body);
}

/** Answers every request with its correlation id, and keeps the ids it has had. */
let server: Server;
let received: number[];

beforeEach(async () => {
  received = [];
  server = createServer((socket) => {
    const cut = frameCutter();
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        for (const header of cut(chunk).map(requestHeader)) {
          received.push(header?.correlationId ?? -1);
          socket.write(response(header?.correlationId ?? -1));
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => server.close());

const sockets = (): {
  readonly faulty: ReturnType<typeof faultySockets>;
  open(): Promise<{ socket: Socket; ids: number[]; ended: Promise<string> }>;
} => {
  const faulty = faultySockets();
  const open = async () => {
    const { port } = server.address() as AddressInfo;
    const socket = faulty.socketFactory({
      host: '127.0.0.1',
      port,
      ssl: undefined as never,
      onConnect: () => undefined,
    });
    const ids: number[] = [];
    const cut = frameCutter();
    socket.on('data', (chunk: Buffer) =>
      ids.push(...cut(chunk).map((frame) => frame.readInt32BE(4))),
    );
    const ended = new Promise<string>((resolve) =>
      socket
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
        .once('end', () => resolve('end')),
    );
    return { socket, ids, ended };
  };
  return { faulty, open };
};

const until = async (true_: () => boolean): Promise<void> => {
  while (!true_()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('passes requests and responses on, in order, and counts them', async () => {
  const { faulty, open } = sockets();
  const { socket, ids } = await open();
  for (const id of [1, 2, 3]) socket.write(request('Fetch', id));
  await until(() => ids.length === 3);
  expect(ids).toEqual([1, 2, 3]);
  expect(faulty.counts('Fetch')).toEqual({ requests: 3, responses: 3, dropped: 0 });
  expect(faulty.counts('Produce')).toEqual({ requests: 0, responses: 0, dropped: 0 });
  socket.destroy();
});

test('swallows the responses of the next requests of a kind, which the server had, and of no others', async () => {
  const { faulty, open } = sockets();
  const { socket, ids } = await open();
  faulty.dropResponses('Produce', 2, 'swallow');
  socket.write(
    Buffer.concat([
      request('Produce', 1),
      request('Fetch', 2),
      request('Produce', 3),
      request('Produce', 4),
    ]),
  );
  await until(() => ids.length === 2);
  expect(received).toEqual([1, 2, 3, 4]);
  expect(ids).toEqual([2, 4]);
  expect(faulty.counts('Produce')).toEqual({ requests: 3, responses: 1, dropped: 2 });
  expect(faulty.connections()).toBe(1);
  socket.destroy();
});

test('resets the connection where the response would have come', async () => {
  const { faulty, open } = sockets();
  const { socket, ids, ended } = await open();
  faulty.dropResponses('Heartbeat', 1);
  socket.write(
    Buffer.concat([request('Metadata', 1), request('Heartbeat', 2), request('Metadata', 3)]),
  );
  expect(await ended).toBe('ECONNRESET');
  expect([received, ids]).toEqual([[1, 2, 3], [1]]);
  await until(() => faulty.connections() === 0);
  const again = await open();
  again.socket.write(request('Heartbeat', 4));
  await until(() => again.ids.length === 1);
  again.socket.destroy();
});

test('a delayed response holds those behind it back', async () => {
  const { faulty, open } = sockets();
  const { socket, ids } = await open();
  faulty.delayResponses('JoinGroup', 200);
  const started = Date.now();
  socket.write(Buffer.concat([request('JoinGroup', 1), request('Fetch', 2)]));
  await until(() => ids.length === 2);
  expect(ids).toEqual([1, 2]);
  expect(Date.now() - started).toBeGreaterThanOrEqual(190);
  faulty.delayResponses('JoinGroup', 0);
  socket.write(request('JoinGroup', 3));
  await until(() => ids.length === 3);
  socket.destroy();
});

test('refuses new connections and leaves old ones alone, until asked otherwise', async () => {
  const { faulty, open } = sockets();
  const old = await open();
  faulty.refuseConnections(true);
  expect(await (await open()).ended).toBe('ECONNREFUSED');
  old.socket.write(request('Fetch', 1));
  await until(() => old.ids.length === 1);
  faulty.refuseConnections(false);
  const fresh = await open();
  fresh.socket.write(request('Fetch', 2));
  await until(() => fresh.ids.length === 1);
  faulty.cutConnections();
  expect(await Promise.all([old.ended, fresh.ended])).toEqual(['ECONNRESET', 'ECONNRESET']);
  await until(() => faulty.connections() === 0);
});

test('the end of a connection comes after what was said before it', async () => {
  const { faulty, open } = sockets();
  const { socket, ids, ended } = await open();
  faulty.delayResponses('Fetch', 50);
  socket.write(request('Fetch', 1));
  await until(() => received.length === 1);
  socket.end();
  expect(await ended).toBe('end');
  expect(ids).toEqual([1]);
});

test('a request held back is read when it is delivered, after what was sent since', async () => {
  const { faulty, open } = sockets();
  const { socket, ids } = await open();
  faulty.holdRequests('Produce', 1);
  socket.write(request('Produce', 1));
  socket.write(request('Produce', 2));
  await until(() => ids.length === 1);
  expect(received).toEqual([2]);
  socket.destroy();
  await faulty.deliverHeld();
  expect(received).toEqual([2, 1]);
  expect(faulty.counts('Produce').requests).toBe(1);
});
