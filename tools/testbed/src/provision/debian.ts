import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../message';
import { makeCacheFolder, markComplete, newestComplete, systemKey } from './cache';
import { findOnPath, runCommand } from './command';
import { withLock } from './lock';
import type { Progress } from './progress';

/**
 * Unpacked Debian (or Ubuntu) packages: a tree of files, never installed, nothing of them started.
 */
export interface UnpackedPackages {
  readonly root: string;
  /** What the programs in it need in their environment to find the libraries beside them. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Libraries that must be the system's own: the loader and what every program on it is linked with.
 */
const OF_THE_SYSTEM = /^(libc6|libgcc-s1|libcrypt1|libstdc\+\+6|libpython.*|libperl.*)$/;

/** As versions of Debian begin: prometheus-alertmanager-… is not a version of prometheus. */
const VERSION = /^\d/;

/** The packages fetched last under this name, if any. Asks no network and starts nothing. */
export function unpackedPackages(name: string): UnpackedPackages | undefined {
  const root = newestComplete(makeCacheFolder(systemKey()), `${name}-`, VERSION);
  return root === undefined ? undefined : { root, env: libraryPath(root) };
}

/** True where packages can be fetched and unpacked at all. */
export const hasDebianTools = (): boolean =>
  ['apt-get', 'apt-cache', 'dpkg-deb'].every((tool) => findOnPath(tool) !== undefined);

/**
 * Fetches Debian packages with the libraries they need and unpacks them into the cache. Works as an
 * ordinary user: apt keeps its state in the cache folder. The first package gives the cache entry
 * its name and version.
 */
export async function unpackDebianPackages(
  packages: readonly [string, ...string[]],
  progress: Progress,
): Promise<UnpackedPackages> {
  const name = packages[0];
  const known = unpackedPackages(name);
  if (known !== undefined) return known;
  const lock = join(makeCacheFolder(), `${name}.lock`);
  return withLock(
    lock,
    () => progress(`waiting for another process that fetches ${name}`),
    async () => {
      const meanwhile = unpackedPackages(name);
      if (meanwhile !== undefined) return meanwhile;
      progress(`fetching ${packages.join(', ')} from the Debian archive`);
      const root = await fetchWithFreshLists(packages).catch((error: unknown) => {
        throw new Error(cannotFetch(name, messageOf(error)), { cause: error });
      });
      return { root, env: libraryPath(root) };
    },
  );
}

/** apt speaks one line for each package; the first says enough. */
const cannotFetch = (name: string, words: string): string =>
  `${name} and its libraries could not be fetched (${/^.*E: (.*)$/m.exec(words)?.[1] ?? words}); check the network and apt's sources, or start Docker`;

/**
 * Takes the machine's package lists, and fetches lists of our own only where those are absent or
 * out of date.
 */
async function fetchWithFreshLists(packages: readonly [string, ...string[]]): Promise<string> {
  const cache = [
    '-o',
    `Dir::Cache=${makeCacheFolder('apt', 'cache')}`,
    '-o',
    'APT::Sandbox::User=root',
  ];
  mkdirSync(join(makeCacheFolder('apt', 'cache', 'archives'), 'partial'), { recursive: true });
  try {
    return await fetchAndUnpack(packages, cache);
  } catch {
    const state = makeCacheFolder('apt', 'state');
    mkdirSync(join(state, 'lists', 'partial'), { recursive: true });
    const own = [
      ...cache,
      '-o',
      `Dir::State=${state}`,
      '-o',
      'Dir::State::status=/var/lib/dpkg/status',
    ];
    await runCommand('apt-get', [...own, '-qq', 'update'], { timeout: 300_000 });
    return fetchAndUnpack(packages, own);
  }
}

async function fetchAndUnpack(
  packages: readonly [string, ...string[]],
  options: readonly string[],
): Promise<string> {
  const all = await withLibraries(packages, options);
  const parent = makeCacheFolder(systemKey());
  const work = mkdtempSync(join(parent, '.fetching-'));
  try {
    await runCommand('apt-get', [...options, '-qq', 'download', ...all], {
      cwd: work,
      timeout: 300_000,
    });
    const archives = readdirSync(work).filter((file) => file.endsWith('.deb'));
    const first = archives.find((file) => file.startsWith(`${packages[0]}_`));
    if (first === undefined)
      throw new Error(`apt-get download brought no ${packages[0]} among: ${archives.join(', ')}`);
    const tree = join(work, 'tree');
    for (const archive of archives) await runCommand('dpkg-deb', ['-x', join(work, archive), tree]);
    markComplete(tree);
    // A library path is split at colons, and versions may carry one (an epoch, written %3a in file
    // names).
    const version = first.split('_')[1] ?? 'unknown';
    const root = join(parent, `${packages[0]}-${version.replaceAll(/[^\w.+~-]/g, '_')}`);
    rmSync(root, { recursive: true, force: true });
    renameSync(tree, root);
    return root;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The packages and, level by level, the shared libraries they depend on. */
async function withLibraries(
  packages: readonly string[],
  options: readonly string[],
): Promise<string[]> {
  const all = new Set(packages);
  let level = [...packages];
  while (level.length > 0) {
    const printed = await runCommand('apt-cache', [
      ...options,
      'depends',
      '--no-recommends',
      '--no-suggests',
      '--no-conflicts',
      '--no-breaks',
      '--no-replaces',
      '--no-enhances',
      ...level,
    ]);
    const named = [...printed.matchAll(/^\s+\|?(?:Pre)?Depends: ([a-z0-9][\w.+-]*)$/gm)].map(
      (match) => match[1] ?? '',
    );
    level = [...new Set(named)].filter(
      (name) => /^(lib|zlib)/.test(name) && !OF_THE_SYSTEM.test(name) && !all.has(name),
    );
    for (const name of level) all.add(name);
  }
  return [...all];
}

function libraryPath(root: string): Record<string, string> {
  const folders = ['lib', 'usr/lib'].flatMap((lib) => {
    const folder = join(root, lib);
    const ofSystem = entries(folder)
      .filter((name) => name.includes('-linux-'))
      .map((name) => join(folder, name));
    return [folder, ...ofSystem, ...ofSystem.flatMap(privateLibraries)];
  });
  return { LD_LIBRARY_PATH: folders.join(':') };
}

/**
 * Folders in it with libraries that only others beside them need, such as libpulse0's own: these
 * look for them where the package would be installed.
 */
const privateLibraries = (folder: string): readonly string[] =>
  entries(folder)
    .map((name) => join(folder, name))
    .filter((it) => entries(it).some((name) => /^lib.*\.so(\.|$)/.test(name)));

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
