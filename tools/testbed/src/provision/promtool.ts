import { dirname, join } from 'node:path';
import { findOnPath } from './command';
import { hasDebianTools, unpackDebianPackages, unpackedPackages } from './debian';
import type { Progress } from './progress';

/** promtool as it is already here: the machine's, else the one fetched before. Asks no network. */
export function promtoolAtHand(): string | undefined {
  const installed = findOnPath('promtool');
  if (installed !== undefined) return installed;
  const unpacked = unpackedPackages('prometheus');
  return unpacked && join(unpacked.root, 'usr/bin/promtool');
}

/** Prometheus itself, beside promtool in the same package. */
export function prometheusAtHand(): string | undefined {
  const path = promtoolAtHand();
  return path && join(dirname(path), 'prometheus');
}

/**
 * promtool: the one at hand, else that of the distribution's Prometheus (Debian 12: 2.42.0; about
 * 19 MB, seconds).
 */
export async function provisionPromtool(progress: Progress): Promise<string> {
  const atHand = promtoolAtHand();
  if (atHand !== undefined) return atHand;
  if (!hasDebianTools())
    throw new Error(
      'promtool needs apt-get, apt-cache and dpkg-deb to be fetched (Debian, Ubuntu), or to be installed',
    );
  const { root } = await unpackDebianPackages(['prometheus'], progress);
  return join(root, 'usr/bin/promtool');
}
