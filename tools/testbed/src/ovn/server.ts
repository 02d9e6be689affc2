import type { TlsFiles } from './tls';
import type { OvnDatabase } from './tools';

export interface OvnOptions {
  /**
   * A database file of any schema to copy and serve: the schema travels in the file. An empty one
   * of `schema` unless given.
   */
  readonly database?: string;
  /** Which database: `nb` by default. Decides also whether `nbctl` is ovn-nbctl or ovn-sbctl. */
  readonly schema?: OvnDatabase;
  /** Serve TLS as well; the server then wants a certificate of its own authority from clients. */
  readonly tls?: boolean;
  /** OVN 25.03 instead of the distribution's: its schema and server. */
  readonly newer?: boolean;
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
  signal(signal: NodeJS.Signals): Promise<void>;
  /** SIGKILL, as a crash. `restart` brings it back. */
  kill(): Promise<void>;
  /** Stops and starts the server on the same file and ports. */
  restart(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}
