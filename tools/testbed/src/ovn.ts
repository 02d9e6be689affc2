import { join } from 'node:path';
import { answersEcho } from './ovn/answers-echo';
import { externalOvn } from './ovn/external';
import type { OvnOptions, OvnServer } from './ovn/server';
import { openOvnSite } from './ovn/site';
import { writeTlsFiles } from './ovn/tls';
import { appctl, makeDatabaseFile, ovnCtl, ovsdbClient } from './ovn/tools';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import { startReady } from './run/ready';
import type { Server } from './run/server';

export type { OvnServer } from './ovn/server';

/**
 * Starts a standalone ovsdb-server on 127.0.0.1, ready in well under a second. With
 * STEWARD_TEST_OVN_NB set, and nothing asked for that only a server of our own can give, that one
 * is used instead.
 */
export async function startOvnStandalone(options: OvnOptions = {}): Promise<OvnServer> {
  const external = externalOvn(options);
  if (external !== undefined) return external;
  const folder = makeScratch('ovn');
  const schema = options.schema ?? 'nb';
  const file = join(folder, `${schema}.db`);
  const ctl = join(folder, 'ctl');
  const socket = join(folder, 'sock');
  const port = await claimPort();
  const tls =
    options.tls === true ? { port: await claimPort(), ...writeTlsFiles(folder) } : undefined;
  const ports = tls === undefined ? [port] : [port, tls.port];
  const site = await openOvnSite(folder, ports, options.newer);
  await makeDatabaseFile(site, file, options.database, schema);
  const args = [
    file,
    `--remote=ptcp:${port}:${site.listen}`,
    `--remote=punix:${socket}`,
    `--unixctl=${ctl}`,
    `--pidfile=${join(folder, 'pid')}`,
    '-vsyslog:off',
  ];
  if (tls !== undefined) args.push(`--remote=pssl:${tls.port}:${site.listen}`, ...tls.args);
  const start = (): Promise<Server> =>
    startReady(
      site,
      { name: 'ovsdb-server', program: 'ovsdb-server', args, log: join(folder, 'log') },
      {
        what: `ovsdb-server to serve ${file}`,
        timeoutMs: 20_000,
        check: () => answersEcho(port),
      },
    );
  let server = await start();
  const remote = `tcp:127.0.0.1:${port}`;
  return {
    remote,
    unixRemote: `unix:${socket}`,
    ...(tls === undefined ? {} : { tlsRemote: `ssl:127.0.0.1:${tls.port}`, tlsFiles: tls.files }),
    file,
    ctl,
    appctl: (...words) => appctl(site, ctl, words),
    client: (...words) => ovsdbClient(site, remote, words),
    nbctl: (...words) => ovnCtl(site, schema, [remote], words),
    signal: (name) => server.signal(name),
    kill: () => server.kill(),
    restart: async () => {
      await server.stop();
      server = await start();
    },
    stop: async () => {
      await server.stop();
      await site.close();
      for (const each of ports) releasePort(each);
      removeScratch(folder);
    },
  };
}
