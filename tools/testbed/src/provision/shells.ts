import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasDebianTools, unpackDebianPackages, unpackedPackages } from './debian';
import type { Progress } from './progress';

/** zsh and fish, unpacked from the distribution's packages. */
export interface Shells {
  readonly zsh: string;
  /** Folders of zsh's own functions and modules, which it searches elsewhere. */
  readonly zshFunctions: readonly string[];
  readonly zshModules: string;
  readonly fish: string;
  /** What both need in their environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The shells as they were fetched before. Asks no network. */
export function shellsAtHand(): Shells | undefined {
  const unpacked = unpackedPackages('zsh');
  if (unpacked === undefined) return undefined;
  const { root, env } = unpacked;
  const functions = join(root, 'usr/share/zsh/functions');
  const zsh = ['bin/zsh', 'usr/bin/zsh'].map((it) => join(root, it)).find((it) => existsSync(it));
  const modules = env['LD_LIBRARY_PATH']!.split(':')
    .map((it) => join(it, 'zsh'))
    .find((it) => existsSync(it));
  if (zsh === undefined || modules === undefined) return undefined;
  return {
    zsh,
    zshFunctions: readdirSync(functions, { recursive: true, withFileTypes: true })
      .filter((it) => it.isDirectory())
      .map((it) => join(it.parentPath, it.name)),
    zshModules: join(modules, readdirSync(modules)[0]!),
    fish: join(root, 'usr/bin/fish'),
    env,
  };
}

/**
 * zsh and fish: those at hand, else the distribution's (Debian 12: 5.9 and 3.6.0; about 8 MB,
 * seconds).
 */
export async function provisionShells(progress: Progress): Promise<Shells> {
  const atHand = shellsAtHand();
  if (atHand !== undefined) return atHand;
  if (!hasDebianTools())
    throw new Error(
      'zsh and fish need apt-get, apt-cache and dpkg-deb to be fetched (Debian, Ubuntu)',
    );
  await unpackDebianPackages(['zsh', 'zsh-common', 'fish', 'fish-common'], progress);
  const fetched = shellsAtHand();
  if (fetched === undefined) throw new Error('the packages of zsh and fish have no zsh');
  return fetched;
}
