import { copyFileSync } from 'node:fs';
import type { OvnSite } from './site';

export type OvnDatabase = 'nb' | 'sb';

/** `ovs-appctl` to the server whose control socket this is. */
export const appctl = (site: OvnSite, ctl: string, args: readonly string[]): Promise<string> =>
  site.run('ovs-appctl', ['-t', ctl, ...args]);

/** `ovsdb-client` with the remote put where it belongs: after the command's name. */
export function ovsdbClient(
  site: OvnSite,
  remote: string,
  args: readonly string[],
): Promise<string> {
  const at = args.findIndex((arg) => !arg.startsWith('-')) + 1;
  return site.run('ovsdb-client', [...args.slice(0, at), remote, ...args.slice(at)]);
}

/** `ovn-nbctl` or `ovn-sbctl` to one or more remotes. */
export const ovnCtl = (
  site: OvnSite,
  database: OvnDatabase,
  remotes: readonly string[],
  args: readonly string[],
): Promise<string> =>
  site.run(database === 'nb' ? 'ovn-nbctl' : 'ovn-sbctl', [
    `--db=${remotes.join(',')}`,
    '--timeout=30',
    ...args,
  ]);

/** Puts a database file in place: a copy of `from`, or an empty one of the site's own schema. */
export async function makeDatabaseFile(
  site: OvnSite,
  file: string,
  from: string | undefined,
  schema: OvnDatabase,
): Promise<void> {
  if (from === undefined) await site.run('ovsdb-tool', ['create', file, site.schemas[schema]]);
  else copyFileSync(from, file);
}
