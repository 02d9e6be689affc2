import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import type { TlsMaterial } from '../wire/connection';
import type { OvsdbError } from '../wire/errors';
import { openDatabase } from './find-server';

describeWith(ovn, 'a server that wants TLS and a client certificate', () => {
  let server: OvnServer;
  let stranger: OvnServer;
  let ours: Required<Pick<TlsMaterial, 'ca' | 'cert' | 'key'>>;
  let theirs: typeof ours;

  const material = ({ tlsFiles }: OvnServer): typeof ours => {
    if (tlsFiles === undefined) throw new Error('the fixture gave no certificates');
    return {
      ca: readFileSync(tlsFiles.ca),
      cert: readFileSync(tlsFiles.certificate),
      key: readFileSync(tlsFiles.key),
    };
  };
  beforeAll(async () => {
    server = await startOvnStandalone({ tls: true });
    stranger = await startOvnStandalone({ tls: true });
    ours = material(server);
    theirs = material(stranger);
  });
  afterAll(() => Promise.all([server.stop(), stranger.stop()]));

  const failure = async (
    tls: TlsMaterial | undefined,
    remotes = server.tlsRemote ?? '',
  ): Promise<OvsdbError> =>
    openDatabase({
      remotes,
      database: 'OVN_Northbound',
      ...(tls && { tls }),
      timeoutMs: 3000,
      connectTimeoutMs: 3000,
    }).then(
      (session) => {
        session.close();
        throw new Error('was let in');
      },
      (error: OvsdbError) => error,
    );

  test('lets in who has the right certificates, asked for again at each connection', async () => {
    let requested = 0;
    const tls = async (): Promise<TlsMaterial> => {
      requested++;
      return ours;
    };
    for (let n = 0; n < 2; n++) {
      const session = await openDatabase({
        remotes: server.tlsRemote ?? '',
        database: 'OVN_Northbound',
        tls,
      });
      expect(await session.rpc.request('echo', ['x'])).toEqual(['x']);
      session.close();
    }
    expect(requested).toBe(2);
  });

  /** A door to the server at an address that its certificate does not name. */
  const elsewhere = async (use: (remote: string) => Promise<void>): Promise<void> => {
    const port = Number(server.tlsRemote?.split(':').at(-1));
    const proxy = createServer(
      (socket) => void socket.pipe(connect(port, '127.0.0.1')).pipe(socket),
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.2', resolve));
    try {
      await use(`ssl:127.0.0.2:${(proxy.address() as AddressInfo).port}`);
    } finally {
      proxy.close();
    }
  };

  test('is not believed at an address its certificate does not name, and it is said what to set', () =>
    elsewhere(async (remote) => {
      expect(await failure(ours, remote)).toMatchObject({
        code: 'certificate',
        message: expect.stringMatching(
          /names somebody else \(IP: 127\.0\.0\.2 is not in the cert's list.*serverName.*verifyName: false/,
        ),
      });
      expect(await failure({ ...ours, serverName: 'other.example.com' }, remote)).toMatchObject({
        code: 'certificate',
        message: expect.stringContaining('other.example.com'),
      });
    }));

  test.each([
    ['one of its names is expected', { serverName: 'localhost' }],
    ['any name will do', { anyName: true }],
  ])('is believed there when %s', (_, more) =>
    elsewhere(async (remote) => {
      const session = await openDatabase({
        remotes: remote,
        database: 'OVN_Northbound',
        tls: { ...ours, ...more },
      });
      session.close();
    }),
  );

  test('any name is still of the authority that is trusted', async () => {
    expect((await failure({ ...ours, ca: theirs.ca, anyName: true })).message).toContain(
      'does not vouch for',
    );
  });

  test('may be anyone only when that is asked for', async () => {
    const { cert, key } = ours;
    const session = await openDatabase({
      remotes: server.tlsRemote ?? '',
      database: 'OVN_Northbound',
      tls: { cert, key, insecure: true },
    });
    session.close();
    expect(await failure({ cert, key })).toMatchObject({
      code: 'certificate',
      message: expect.stringContaining('needs the CA'),
    });
    expect((await failure(undefined)).code).toBe('certificate');
  });

  test.each<[string, () => Promise<OvsdbError>, string]>([
    [
      'without a client certificate',
      () => failure({ ca: ours.ca }),
      'demands a client certificate',
    ],
    [
      'with a client certificate of another CA',
      () => failure({ ...theirs, ca: ours.ca }),
      'does not accept our client certificate',
    ],
    [
      'when its own is not of the CA we trust',
      () => failure({ ...ours, ca: theirs.ca }),
      'does not vouch for',
    ],
    [
      'in plain text',
      () => failure(undefined, server.tlsRemote?.replace('ssl:', 'tcp:')),
      'expects TLS',
    ],
    [
      'with TLS at its plain port',
      () => failure(ours, server.remote.replace('tcp:', 'ssl:')),
      'may not speak TLS',
    ],
    ['with a key that is no key', () => failure({ ...ours, key: 'nonsense' }), 'cannot be read'],
    [
      'with a key that belongs to another certificate',
      () => failure({ ...ours, key: theirs.key }),
      'cannot be read',
    ],
  ])('refuses who comes %s, in one sentence', async (_, attempt, words) => {
    const { code, message } = await attempt();
    expect({ code, message }).toEqual({
      code: 'certificate',
      message: expect.stringContaining(words),
    });
    expect(message.split(/[.?!](?:\s|$)/).filter(Boolean)).toHaveLength(1);
    expect(message).not.toContain('BEGIN');
  });
});
