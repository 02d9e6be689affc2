import { Failure } from '@ovn-steward/shared/errors';

export interface Address {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/**
 * An address as the settings write it, `host:port` or `[IPv6]:port`.
 * @param setting which one it is of. @throws Failure `config-invalid` for a port above 65535.
 */
export function addressOf(listen: string, setting = 'http.listen'): Address {
  const colon = listen.lastIndexOf(':');
  const port = Number(listen.slice(colon + 1));
  if (port > 65_535)
    throw new Failure(
      'config-invalid',
      `${setting}: ${listen} has no such port; ports end at 65535`,
    );
  return { host: listen.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port };
}

const BECAUSE: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another process has it'],
  ['EACCES', 'this user may not; ports below 1024 are for root'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'no such host name'],
]);

/**
 * What listening failed with, as a sentence for a person. `flag`: how another address is chosen on
 * the command line.
 */
export function listenFailure(listen: string, cause: unknown, flag = '--http.listen'): Failure {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? String(cause);
  return new Failure(
    'listen-failed',
    `Cannot listen on ${listen}: ${BECAUSE.get(code) ?? code}. Choose another address with ${flag} host:port; port 0 takes any free one`,
    { cause },
  );
}

/** How many ports behind the other one the port for probes is, by default. */
const BESIDE = 10;

/**
 * Where probes are answered by default: the same host, ten ports further; any free port where that
 * one is any.
 */
export function probesBeside(listen: string): string {
  const colon = listen.lastIndexOf(':');
  const port = Number(listen.slice(colon + 1));
  return `${listen.slice(0, colon)}:${port === 0 ? 0 : port + BESIDE}`;
}
