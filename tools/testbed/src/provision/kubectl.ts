import { join } from 'node:path';
import { findOnPath } from './command';
import { hasDebianTools, unpackDebianPackages, unpackedPackages } from './debian';
import type { Progress } from './progress';

/** kubectl as it is already here: the machine's, else the one fetched before. Asks no network. */
export function kubectlAtHand(): string | undefined {
  const installed = findOnPath('kubectl');
  if (installed !== undefined) return installed;
  const unpacked = unpackedPackages('kubernetes-client');
  return unpacked && join(unpacked.root, 'usr/bin/kubectl');
}

/**
 * kubectl: the one at hand, else the distribution's package (Debian 12: 1.20.2, which reads newer
 * servers, too; about 8 MB, seconds).
 */
export async function provisionKubectl(progress: Progress): Promise<string> {
  const atHand = kubectlAtHand();
  if (atHand !== undefined) return atHand;
  if (!hasDebianTools())
    throw new Error(
      'kubectl needs apt-get, apt-cache and dpkg-deb to be fetched (Debian), or to be installed',
    );
  const { root } = await unpackDebianPackages(['kubernetes-client'], progress);
  return join(root, 'usr/bin/kubectl');
}
