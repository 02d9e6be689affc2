import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { knownCluster } from './known-cluster';

let server: Server;
afterEach(() => server.close());

async function serving(paths: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const answer = paths[(request.url ?? '').split('?')[0]!];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'no such route' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a server that does not say how far its sources are known leaves a doubt', async () => {
  const url = await serving({});
  const { doubt, readFrom } = await knownCluster({ server: url, cluster: 'c', timeout: 5 });
  expect([readFrom, doubt]).toEqual([
    'memory',
    expect.stringMatching(
      /how far the sources are known\. An executor lists only confirmed findings/,
    ),
  ]);
});
