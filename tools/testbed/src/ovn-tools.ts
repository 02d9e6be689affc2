import { copyFileSync } from 'node:fs';
import { runCommand } from './provision/command';
import type { OvnProgram, OvnPrograms } from './provision/ovn';

export type OvnDatabase = 'nb' | 'sb';

/** OVN's command-line programs, run to their end; each gives its standard output and throws with its standard error. */
export interface OvnTools {
  run(program: OvnProgram, args: readonly string[]): Promise<string>;
  /** `ovs-appctl` to the server whose control socket this is. */
  appctl(ctl: string, args: readonly string[]): Promise<string>;
  /** `ovsdb-client` with the remote put where it belongs: after the command's name. */
  client(remote: string, args: readonly string[]): Promise<string>;
  /** `ovn-nbctl` or `ovn-sbctl` to one or more remotes. */
  ctl(database: OvnDatabase, remotes: readonly string[], args: readonly string[]): Promise<string>;
}

export function ovnTools(programs: OvnPrograms, scratch: string): OvnTools {
  const env = ovnEnvironment(programs, scratch);
  const run = (program: OvnProgram, args: readonly string[]): Promise<string> =>
    runCommand(programs.paths[program], args, { env, cwd: scratch, timeout: 60_000 });
  return {
    run,
    appctl: (ctl, args) => run('ovs-appctl', ['-t', ctl, ...args]),
    client: (remote, args) => {
      const at = args.findIndex((arg) => !arg.startsWith('-')) + 1;
      return run('ovsdb-client', [...args.slice(0, at), remote, ...args.slice(at)]);
    },
    ctl: (database, remotes, args) => run(database === 'nb' ? 'ovn-nbctl' : 'ovn-sbctl', [`--db=${remotes.join(',')}`, '--timeout=30', ...args]),
  };
}

/** The environment that keeps OVS and OVN programs inside our folder, whoever runs them. */
export const ovnEnvironment = (programs: OvnPrograms, scratch: string): Record<string, string> => ({
  ...programs.env,
  OVS_RUNDIR: scratch,
  OVN_RUNDIR: scratch,
  OVS_LOGDIR: scratch,
  OVN_LOGDIR: scratch,
  OVS_DBDIR: scratch,
  OVN_DBDIR: scratch,
});

/** Puts a database file in place: a copy of `from`, or an empty one of the packages' own schema. */
export async function makeDatabaseFile(tools: OvnTools, programs: OvnPrograms, file: string, from: string | undefined, schema: OvnDatabase): Promise<void> {
  if (from === undefined) await tools.run('ovsdb-tool', ['create', file, programs.schemas[schema]]);
  else copyFileSync(from, file);
}
