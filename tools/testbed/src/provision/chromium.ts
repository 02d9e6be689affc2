import { join } from 'node:path';
import { findOnPath } from './command';
import { hasDebianTools, unpackDebianPackages, unpackedPackages } from './debian';
import type { Progress } from './progress';

/** A browser without a screen, and what it needs in its environment. */
export interface Chromium {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Chromium as it is already here: the machine's, else the one fetched before. Asks no network. */
export function chromiumAtHand(): Chromium | undefined {
  const installed = findOnPath('chromium') ?? findOnPath('google-chrome');
  if (installed !== undefined) return { program: installed, env: {} };
  const unpacked = unpackedPackages('chromium');
  if (unpacked === undefined) return undefined;
  // Debian's own /usr/bin/chromium starts what is installed; this is the program itself.
  return { program: join(unpacked.root, 'usr/lib/chromium/chromium'), env: unpacked.env };
}

/** Chromium: the one at hand, else the distribution's (Debian 12; about 110 MB, a minute). */
export async function provisionChromium(progress: Progress): Promise<void> {
  if (chromiumAtHand() !== undefined) return;
  if (!hasDebianTools())
    throw new Error(
      'Chromium needs apt-get, apt-cache and dpkg-deb to be fetched (Debian, Ubuntu), or to be installed',
    );
  await unpackDebianPackages(['chromium', 'chromium-common'], progress);
}
