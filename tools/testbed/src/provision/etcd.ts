import { join } from 'node:path';
import { findOnPath } from './command';
import {
  hasDebianTools,
  unpackDebianPackages,
  unpackedPackages,
  type UnpackedPackages,
} from './debian';
import type { Progress } from './progress';

/** The etcd program and what its environment needs. */
export interface Etcd {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const fromPackage = ({ root, env }: UnpackedPackages): Etcd => ({
  path: join(root, 'usr/bin/etcd'),
  env,
});

/**
 * etcd as it is already here; an installed one only where packages cannot be fetched. Asks no
 * network.
 */
export function etcdAtHand(): Etcd | undefined {
  const unpacked = unpackedPackages('etcd-server');
  if (unpacked !== undefined) return fromPackage(unpacked);
  const installed = hasDebianTools() ? undefined : findOnPath('etcd');
  return installed === undefined ? undefined : { path: installed, env: {} };
}

/**
 * etcd: the one at hand, else the distribution's package (Debian 12: 3.4.23; about 9 MB, seconds).
 */
export async function provisionEtcd(progress: Progress): Promise<Etcd> {
  const atHand = etcdAtHand();
  if (atHand !== undefined) return atHand;
  if (!hasDebianTools())
    throw new Error(
      'etcd needs apt-get, apt-cache and dpkg-deb to be fetched (Debian, Ubuntu), or to be installed',
    );
  return fromPackage(await unpackDebianPackages(['etcd-server'], progress));
}
