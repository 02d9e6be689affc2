import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../provision/lock';

/**
 * Below the range systems hand out for outgoing connections, so that a stopped server's port is
 * still free when it starts again.
 */
const FIRST = 20_000;
const LAST = 29_999;

const claims = (): string => join(tmpdir(), `ovn-steward-ports-${userInfo().uid}`);
const claimOf = (port: number): string => join(claims(), String(port));

/**
 * A TCP port free on 127.0.0.1, claimed for this process against other test processes until
 * `releasePort`.
 */
export async function claimPort(): Promise<number> {
  mkdirSync(claims(), { recursive: true });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (!tryLock(claimOf(port))) continue;
    if (await canListen(port)) return port;
    releasePort(port);
  }
  throw new Error(`no free TCP port found between ${FIRST} and ${LAST} on 127.0.0.1`);
}

export const releasePort = (port: number): void => rmSync(claimOf(port), { force: true });

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}

/** True when something listens on this port of 127.0.0.1. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const done = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', done(true)).once('error', done(false));
  });
}
