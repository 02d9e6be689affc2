import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Remote } from '@ovn-steward/ovsdb';
import { otherDatabase, type OtherDatabase } from './other-database';

let server: Server;
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.end('no OVSDB, nor TLS'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

const asked = (transport: 'tcp' | 'ssl'): Promise<OtherDatabase> => {
  const { port } = server.address() as AddressInfo;
  const remote: Remote = { transport, host: '127.0.0.1', port };
  return otherDatabase(remote, 'ovn-nb', { connectTimeoutMs: 5000, tls: TLS });
};
const TLS = { ca: '', cert: '', key: '' };

test.each([
  ['ssl', 'certificate'],
  ['tcp', 'protocol'],
] as const)(
  'what a server has that cannot be asked over %s is not known',
  async (transport, code) => {
    expect(await asked(transport)).toEqual({ unknown: expect.objectContaining({ code }) });
  },
);
