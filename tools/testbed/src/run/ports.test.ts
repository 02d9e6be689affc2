import { once } from 'node:events';
import { createServer } from 'node:net';
import { claimPort, listens, releasePort } from './ports';

test('a port is claimed by one, below the range of outgoing connections, and free to listen on', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, claimPort));
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) expect(port >= 20_000 && port < 30_000).toBe(true);
  const port = ports[0] ?? 0;
  expect(await listens(port)).toBe(false);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await listens(port)).toBe(true);
  server.close();
  ports.forEach(releasePort);
});
