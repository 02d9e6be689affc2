import { join } from 'node:path';
import { startReady } from '../run/ready';
import type { Server, Site } from '../run/server';
import { requestJson } from './http';

/** A running etcd and what we ask of it, over its JSON gateway (`/v3/kv/…`). */
export interface EtcdServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly server: Server;
  put(key: string, value: string): Promise<void>;
  /** Forgets everything but the newest revision. */
  compact(): Promise<void>;
}

/**
 * Starts a single etcd, ready in about a second. It does not wait for the disk: a crash of the
 * machine loses it.
 */
export async function startEtcd(
  site: Site,
  folder: string,
  port: number,
  peerPort: number,
): Promise<EtcdServer> {
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const args = [
    '--name=testbed',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=http://${site.listen}:${port}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=testbed=${peerUrl}`,
    '--unsafe-no-fsync',
  ];
  const call = (path: string, body: unknown): Promise<unknown> =>
    requestJson(url + path, 'POST', {}, body);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const server = await startReady(
    site,
    { name: 'etcd', program: 'etcd', args, log: join(folder, 'etcd.log') },
    {
      what: 'etcd to answer',
      timeoutMs: 30_000,
      check: () => call('/v3/kv/range', { key: base64('ready?') }),
    },
  );
  return {
    url,
    server,
    put: async (key, value) =>
      void (await call('/v3/kv/put', { key: base64(key), value: base64(value) })),
    compact: async () => {
      const { header } = (await call('/v3/kv/range', { key: base64('ready?') })) as {
        header: { revision: string };
      };
      await call('/v3/kv/compaction', { revision: header.revision, physical: true });
    },
  };
}
