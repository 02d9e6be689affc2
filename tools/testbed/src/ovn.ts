import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { externalOvn } from './external';
import { makeDatabaseFile, ovnEnvironment, ovnTools, type OvnDatabase } from './ovn-tools';
import { provisionOvn } from './provision/ovn';
import { progressToStderr } from './provision/progress';
import { issueCertificate, makeAuthority } from './run/certificates';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, listens, releasePort } from './run/ports';
import type { ServerProcess } from './run/process';
import { startReady } from './run/ready';

export interface OvnOptions {
  /** A database file of any schema to copy and serve: the schema travels in the file. An empty one of `schema` unless given. */
  readonly database?: string;
  /** Which database: `nb` unless told. Decides also whether `nbctl` is ovn-nbctl or ovn-sbctl. */
  readonly schema?: OvnDatabase;
  /** Serve TLS as well; the server then wants a certificate of its own authority from clients. */
  readonly tls?: boolean;
}

/** Files (PEM) a TLS client of the server needs. */
export interface TlsFiles {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** A running ovsdb-server. */
export interface OvnServer {
  /** `tcp:127.0.0.1:PORT` */
  readonly remote: string;
  /** `unix:PATH` */
  readonly unixRemote: string;
  /** `ssl:127.0.0.1:PORT`, where TLS was asked for. */
  readonly tlsRemote?: string;
  readonly tlsFiles?: TlsFiles;
  /** The served file, written by the server. */
  readonly file: string;
  /** The server's control socket. */
  readonly ctl: string;
  /** ovs-appctl to this server. */
  appctl(...args: string[]): Promise<string>;
  /** ovsdb-client, the remote added: `client('dump', 'Logical_Switch')`. */
  client(...args: string[]): Promise<string>;
  /** ovn-nbctl (or ovn-sbctl) to this server. */
  nbctl(...args: string[]): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, as a crash. `restart` brings it back. */
  kill(): Promise<void>;
  /** Stops and starts the server on the same file and ports. */
  restart(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a standalone ovsdb-server on 127.0.0.1, ready in well under a second. With STEWARD_TEST_OVN_NB set, and nothing asked
 * for that only a server of our own can give, that one is used instead.
 */
export async function startOvnStandalone(options: OvnOptions = {}): Promise<OvnServer> {
  const external = externalOvn(options);
  if (external !== undefined) return external;
  const programs = await provisionOvn(progressToStderr);
  const folder = makeScratch('ovn');
  const schema = options.schema ?? 'nb';
  const at = (name: string): string => join(folder, name);
  const [file, ctl, socket] = [at(`${schema}.db`), at('ctl'), at('sock')];
  const tools = ovnTools(programs, folder);
  await makeDatabaseFile(tools, programs, file, options.database, schema);
  const port = await claimPort();
  const tlsPort = options.tls === true ? await claimPort() : undefined;
  const tlsFiles = options.tls === true ? writeTlsFiles(at) : undefined;
  const args = [file, `--remote=ptcp:${port}:127.0.0.1`, `--remote=punix:${socket}`, `--unixctl=${ctl}`, `--pidfile=${at('pid')}`, '-vsyslog:off', ...(tlsPort === undefined ? [] : tlsArguments(tlsPort, at))];
  const spec = { name: 'ovsdb-server', command: programs.paths['ovsdb-server'], args, env: ovnEnvironment(programs, folder), cwd: folder, log: at('log') };
  const start = (): Promise<ServerProcess> =>
    startReady(spec, { what: `ovsdb-server to serve ${file}`, timeoutMs: 20_000, check: async () => (await listens(port)) && tools.appctl(ctl, ['version']) });
  let server = await start();
  const remote = `tcp:127.0.0.1:${port}`;
  return {
    remote,
    unixRemote: `unix:${socket}`,
    ...(tlsPort === undefined || tlsFiles === undefined ? {} : { tlsRemote: `ssl:127.0.0.1:${tlsPort}`, tlsFiles }),
    file,
    ctl,
    appctl: (...words) => tools.appctl(ctl, words),
    client: (...words) => tools.client(remote, words),
    nbctl: (...words) => tools.ctl(schema, [remote], words),
    signal: (name) => server.signal(name),
    kill: () => server.kill(),
    restart: async () => {
      await server.stop();
      server = await start();
    },
    stop: async () => {
      await server.stop();
      for (const each of [port, tlsPort]) if (each !== undefined) releasePort(each);
      removeScratch(folder);
    },
  };
}

function writeTlsFiles(at: (name: string) => string): TlsFiles {
  const authority = makeAuthority('testbed authority');
  const server = issueCertificate(authority, 'ovsdb-server');
  const client = issueCertificate(authority, 'client');
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text, { mode: 0o600 });
    return at(name);
  };
  write('server.key', server.key);
  write('server.crt', server.certificate);
  return { ca: write('ca.crt', authority.certificate), certificate: write('client.crt', client.certificate), key: write('client.key', client.key) };
}

const tlsArguments = (port: number, at: (name: string) => string): string[] => [
  `--remote=pssl:${port}:127.0.0.1`,
  `--private-key=${at('server.key')}`,
  `--certificate=${at('server.crt')}`,
  `--ca-cert=${at('ca.crt')}`,
];
