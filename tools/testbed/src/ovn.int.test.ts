import { existsSync, readFileSync } from 'node:fs';
import { connect as connectUnix } from 'node:net';
import { connect } from 'node:tls';
import { describeWith, ovn } from './fixture';
import { startOvnStandalone, type OvnServer } from './ovn';
import { recording } from './recordings';

const rows = (printed: string): string[] => printed.trim().split('\n').slice(1); // the first line is the heading

describeWith(ovn, 'a standalone OVN server', () => {
  let server: OvnServer;

  beforeAll(async () => {
    server = await startOvnStandalone({ database: recording('leaky', 'nb.db'), tls: true });
  });

  afterAll(() => server?.stop());

  test('serves the recorded database with its own, newer schema', async () => {
    expect((await server.client('get-schema-version', 'OVN_Northbound')).trim()).toBe('7.11.0');
    const ports = rows(await server.client('--format=csv', 'dump', 'Logical_Switch_Port', 'name'));
    expect(ports).toContain('cart-t9rwgwf9kf-4z97p.shop');
    expect(await server.nbctl('ls-list')).toContain('(ovn-default)');
  });

  test('answers on its unix socket', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectUnix(server.unixRemote.replace('unix:', ''));
      socket.once('error', reject).once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
      socket.write('{"id":1,"method":"list_dbs","params":[]}');
    });
    expect(JSON.parse(answer)).toMatchObject({
      id: 1,
      result: expect.arrayContaining(['OVN_Northbound']),
    });
  });

  test('asks a TLS client for a certificate and shows one of the same authority', async () => {
    const files = server.tlsFiles;
    if (files === undefined) throw new Error('no TLS files');
    const port = Number(server.tlsRemote?.split(':')[2]);
    const authorized = await new Promise((resolve, reject) => {
      const read = (file: string): string => readFileSync(file, 'utf8');
      const socket = connect({
        host: '127.0.0.1',
        port,
        ca: read(files.ca),
        cert: read(files.certificate),
        key: read(files.key),
      });
      socket.once('error', reject).once('data', (answer) => {
        socket.destroy();
        resolve([socket.authorized, answer.toString()]);
      });
      socket.write('{"id":1,"method":"list_dbs","params":[]}');
    });
    expect(authorized).toEqual([true, expect.stringContaining('OVN_Northbound')]);
  });

  test('keeps what was written over a crash and a restart, at the same address', async () => {
    await server.nbctl('ls-add', 'written-by-the-test');
    await server.kill();
    await expect(server.client('list-dbs')).rejects.toThrow(/ovsdb-client/);
    await server.restart();
    expect(await server.nbctl('ls-list')).toContain('(written-by-the-test)');
  });

  test('leaves nothing behind when stopped', async () => {
    const southbound = await startOvnStandalone({ schema: 'sb' });
    expect(await southbound.client('list-dbs')).toContain('OVN_Southbound');
    await southbound.stop();
    expect(existsSync(southbound.file)).toBe(false);
  });
});
