import { isIPv6 } from 'node:net';
import { OvsdbError } from './errors';

/** Where an OVSDB server listens, as Open vSwitch writes it (ovsdb(7), "Connection Methods"). */
export type Remote =
  | { readonly transport: 'tcp' | 'ssl'; readonly host: string; readonly port: number }
  | { readonly transport: 'unix'; readonly path: string };

const ADDRESS = /^(tcp|ssl):(?:\[([^\]]+)\]|([^:[\]\s,]+)):(\d{1,5})$/;

/**
 * Parses a comma-separated list such as `ssl:10.0.0.1:6641,ssl:[fd00::1]:6641` or
 * `unix:/run/ovn/ovnnb_db.sock`. The port may not be left out: OVN's and plain OVSDB's defaults
 * differ.
 * @throws OvsdbError `remote-invalid` naming the entry that cannot be read.
 */
export function parseRemotes(text: string): Remote[] {
  const remotes = text.split(',').map((entry) => parseRemote(entry.trim()));
  return remotes.filter(
    (remote, index) =>
      remotes.findIndex((other) => formatRemote(other) === formatRemote(remote)) === index,
  );
}

/** The text form that {@link parseRemotes} reads back. */
export function formatRemote(remote: Remote): string {
  if (remote.transport === 'unix') return `unix:${remote.path}`;
  const host = remote.host.includes(':') ? `[${remote.host}]` : remote.host;
  return `${remote.transport}:${host}:${remote.port}`;
}

function parseRemote(entry: string): Remote {
  if (entry.startsWith('unix:') && entry.length > 5)
    return { transport: 'unix', path: entry.slice(5) };
  const match = ADDRESS.exec(entry);
  const literal = match?.[2];
  const host = literal === undefined ? match?.[3] : isIPv6(literal) ? literal : undefined;
  const port = Number(match?.[4]);
  if (match === null || host === undefined || port < 1 || port > 65_535) {
    throw new OvsdbError(
      'remote-invalid',
      `${JSON.stringify(entry)} is not an OVSDB remote; write tcp:HOST:PORT, ssl:HOST:PORT or unix:PATH, an IPv6 address in brackets, a port from 1 to 65535.`,
    );
  }
  return { transport: match[1] as 'tcp' | 'ssl', host, port };
}
