import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';

/**
 * The folder provisioned programs are kept in: `$XDG_CACHE_HOME/ovn-steward`, else
 * `~/.cache/ovn-steward`.
 */
export const cacheFolder = (...names: string[]): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'ovn-steward', ...names);

/** As `cacheFolder`, made if it is not there. */
export function makeCacheFolder(...names: string[]): string {
  const folder = cacheFolder(...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The part of a cache key that says for which system programs were fetched, e.g. `debian-12-x64`: a
 * home folder can be shared by machines whose libraries differ.
 */
export function systemKey(): string {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const value = (name: string): string =>
    new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1] ?? '';
  return [value('ID') || platform(), value('VERSION_ID'), arch()]
    .filter((part) => part !== '')
    .join('-');
}

const STAMP = '.complete';

/** Marks a cache folder as wholly written; without the mark it counts as absent. */
export const markComplete = (folder: string): void => writeFileSync(join(folder, STAMP), '');

/**
 * The newest complete folder `<parent>/<prefix>…`, if there is one. @param rest what goes on after
 * the prefix, where other names begin with it, too.
 */
export function newestComplete(parent: string, prefix: string, rest = /^/): string | undefined {
  if (!existsSync(parent)) return undefined;
  const stamped = readdirSync(parent)
    .filter((name) => name.startsWith(prefix) && rest.test(name.slice(prefix.length)))
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(folder, STAMP)))
    .map((folder) => ({ folder, at: statSync(join(folder, STAMP)).mtimeMs }));
  return stamped.sort((a, b) => b.at - a.at)[0]?.folder;
}
