import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls';
import { OvsdbError } from './errors';
import { formatRemote, type Remote } from './remote';
import { socketFailure } from './socket-failure';

/**
 * PEM texts for `ssl:` remotes. Unlike OVS's own clients this checks that the server's certificate
 * names the remote's host (RFC 9525). Without that check any holder of a certificate of the same
 * authority, such as each node of a cluster, can impersonate the database.
 */
export interface TlsMaterial {
  /** What must have signed the server's certificate. May be left out only with `insecure`. */
  ca?: string | Buffer;
  /** Our certificate and key; nearly every server demands them. */
  cert?: string | Buffer;
  key?: string | Buffer;
  /**
   * What the certificate names in the host's stead: a subject alternative name or, where it has
   * none, its common name.
   */
  serverName?: string;
  /** Accept any certificate of the authority, whatever it names. */
  anyName?: boolean;
  /** Accept any server certificate: an attacker on the path can read and forge everything. */
  insecure?: boolean;
}

export interface ConnectOptions {
  /** A function is called for every connection, so renewed certificates are picked up. */
  tls?: TlsMaterial | (() => TlsMaterial | Promise<TlsMaterial>);
  /** Milliseconds for the connection and the TLS handshake together. Default 10,000. */
  connectTimeoutMs?: number;
  /** Gives up when aborted. */
  signal?: AbortSignal;
}

/**
 * Opens a connected (and, for `ssl:`, authenticated) socket.
 * @throws OvsdbError `connection`, `certificate` or `timeout`; the signal's reason when aborted.
 */
export async function connect(remote: Remote, options: ConnectOptions = {}): Promise<Socket> {
  options.signal?.throwIfAborted();
  return established(await open(remote, options), remote, options);
}

async function open(remote: Remote, { tls }: ConnectOptions): Promise<Socket> {
  if (remote.transport === 'unix') return connectPlain({ path: remote.path });
  const { host, port } = remote;
  if (remote.transport === 'tcp') return connectPlain({ host, port, noDelay: true });
  try {
    const material = await (typeof tls === 'function' ? tls() : tls);
    return connectTls({ host, port, ...tlsOptions(remote, material) }).setNoDelay(true);
  } catch (cause) {
    if (cause instanceof OvsdbError) throw cause;
    throw new OvsdbError(
      'certificate',
      `The certificate, key or CA for ${formatRemote(remote)} cannot be read; each must be PEM text, and the key must belong to the certificate.`,
      { cause },
    );
  }
}

function tlsOptions(
  remote: Remote & { host: string },
  material: TlsMaterial = {},
): ConnectionOptions {
  const { ca, cert, key, serverName, anyName = false, insecure = false } = material;
  if (ca === undefined && !insecure) {
    throw new OvsdbError(
      'certificate',
      `${formatRemote(remote)} needs the CA certificate that signed the server's; configure it, or say explicitly that any server is to be trusted.`,
    );
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(isIP(remote.host) === 0 && { servername: remote.host }),
    rejectUnauthorized: !insecure,
    checkServerIdentity: (_, shown) =>
      anyName ? undefined : checkServerIdentity(serverName ?? remote.host, shown),
  };
}

function established(socket: Socket, remote: Remote, options: ConnectOptions): Promise<Socket> {
  const { connectTimeoutMs = 10_000, signal } = options;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('close', onClose);
    };
    const fail = (error: unknown): void => {
      settle();
      socket.on('error', () => undefined).destroy();
      reject(error as Error);
    };
    const onError = (cause: Error): void => fail(socketFailure(remote, 'connecting', cause));
    const onClose = (): void => fail(socketFailure(remote, 'connecting'));
    const onAbort = (): void => fail(signal?.reason);
    const timer = setTimeout(
      () =>
        fail(
          new OvsdbError(
            'timeout',
            `${formatRemote(remote)} did not answer within ${connectTimeoutMs} ms; check the address, routes and firewalls.`,
          ),
        ),
      connectTimeoutMs,
    );
    signal?.addEventListener('abort', onAbort);
    socket.on('error', onError).on('close', onClose);
    socket.once(remote.transport === 'ssl' ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
  });
}
