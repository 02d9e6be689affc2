import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { keepPlaces, PLACES } from './places';

const HALF = 'GET / HTTP/1.1\r\nHost: a\r\n';
const WHOLE = `${HALF}\r\n`;

let server: Server;
let opened: Socket[] = [];
let requested: (() => void)[] = [];
/** Whether answers wait to be released. */
let slow = false;

beforeEach(() => {
  opened = [];
  requested = [];
  slow = false;
  server = createServer((_, response) => {
    if (slow) requested.push(() => void response.end('late'));
    else response.end('here');
  });
});
afterEach(() => {
  for (const it of opened) it.destroy();
  server.close();
});

const listening = async (most: number, patienceMs: number): Promise<void> => {
  keepPlaces(server, { most, patienceMs });
  await once(server.listen(0, '127.0.0.1'), 'listening');
};
const port = (): number => (server.address() as AddressInfo).port;
async function client(says = ''): Promise<Socket> {
  const accepted = once(server, 'connection');
  const socket = connect(port(), '127.0.0.1').on('error', () => undefined);
  opened.push(socket);
  await accepted;
  if (says !== '') socket.write(says);
  return socket;
}
/** However it ends: `once` would throw where the server resets it. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

async function send(): Promise<string> {
  const [response] = (await once(
    get({ port: port(), host: '127.0.0.1', agent: false }),
    'response',
  )) as [IncomingMessage];
  return (await response.setEncoding('utf8').toArray()).join('');
}

test('connections that are opened and left keep nobody out, as many as they are', async () => {
  await listening(PLACES.most, PLACES.patienceMs);
  for (let n = 0; n < 2 * PLACES.most; n += 1) await client(HALF);
  expect(await send()).toBe('here');
});

test('the one that has been without a request the longest goes first, and no further one', async () => {
  await listening(2, 60_000);
  const first = await client(HALF);
  const second = await client(HALF);
  const gone = closed(first);
  await client(HALF);
  await gone;
  expect([first.destroyed, second.destroyed]).toEqual([true, false]);
});

test('who is being answered keeps the place before those who ask for nothing', async () => {
  slow = true;
  await listening(2, 60_000);
  const arrived = once(server, 'request');
  const busy = await client(WHOLE);
  await arrived;
  const idle = await client(HALF);
  const gone = closed(idle);
  await client(HALF);
  await gone;
  requested[0]?.();
  expect(String(((await once(busy, 'data')) as [Buffer])[0])).toContain('late');
});

test('who reads no answer does not keep a place for ever either', async () => {
  slow = true;
  await listening(1, 60_000);
  const arrived = once(server, 'request');
  const busy = await client(WHOLE);
  await arrived;
  const gone = closed(busy);
  slow = false;
  expect(await send()).toBe('here');
  await gone;
});

test.each([
  ['sends half of a request', HALF],
  ['sends nothing', ''],
  ['asks for nothing more after an answer', WHOLE],
])('who %s loses the place after a while', async (_, says) => {
  await listening(10, 50);
  const socket = await client(says);
  socket.resume();
  await closed(socket);
});
