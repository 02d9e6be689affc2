import { join } from 'node:path';
import { makeDatabaseFile, ovnEnvironment, ovnTools, type OvnDatabase, type OvnTools } from './ovn-tools';
import { provisionOvn, type OvnPrograms } from './provision/ovn';
import { progressToStderr } from './provision/progress';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import type { ServerProcess } from './run/process';
import { startReady } from './run/ready';
import { waitFor } from './run/wait';

export interface OvnRaftOptions {
  /** How many servers; three unless told. */
  readonly members?: number;
  /** A standalone database file whose schema and rows the cluster starts with. */
  readonly database?: string;
  readonly schema?: OvnDatabase;
}

/** One server of a raft cluster. */
export interface RaftMember {
  /** `tcp:127.0.0.1:PORT` */
  readonly remote: string;
  readonly file: string;
  running(): boolean;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, and waits until it has joined. */
  start(): Promise<void>;
  /** Stops it from running without closing its connections: to others it looks like a network gone silent. */
  pause(): void;
  resume(): void;
  appctl(...args: string[]): Promise<string>;
}

export interface OvnRaft {
  readonly remotes: readonly string[];
  readonly members: readonly RaftMember[];
  /** The member that leads, waited for up to 20 s (an election takes 1–3 s). Paused members are not asked. */
  leader(): Promise<RaftMember>;
  /** Has another member lead, without a crash: the leader hands over and goes on as a follower. Gives the new leader. */
  transferLeadership(): Promise<RaftMember>;
  /** ovn-nbctl (or ovn-sbctl) to the cluster. */
  nbctl(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

interface Cluster {
  readonly tools: OvnTools;
  readonly programs: OvnPrograms;
  readonly folder: string;
  /** The database's name in its schema, e.g. OVN_Northbound. */
  readonly name: string;
}

interface Controlled extends RaftMember {
  paused(): boolean;
  end(): Promise<void>;
}

/** Starts a raft cluster of ovsdb-servers on 127.0.0.1; ready, with a leader, in about two seconds. */
export async function startOvnRaft(options: OvnRaftOptions = {}): Promise<OvnRaft> {
  const programs = await provisionOvn(progressToStderr);
  const folder = makeScratch('raft');
  const tools = ovnTools(programs, folder);
  const schema = options.schema ?? 'nb';
  const seed = join(folder, 'seed.db');
  await makeDatabaseFile(tools, programs, seed, options.database, schema);
  const cluster: Cluster = { tools, programs, folder, name: (await tools.run('ovsdb-tool', ['db-name', seed])).trim() };
  const ports = await Promise.all(Array.from({ length: 2 * (options.members ?? 3) }, claimPort));
  const raftAddress = (index: number): string => `tcp:127.0.0.1:${ports[2 * index + 1]}`;
  const members: Controlled[] = [];
  for (let index = 0; index < ports.length / 2; index += 1) {
    const file = join(folder, `${index}.db`);
    const create = index === 0 ? ['create-cluster', file, seed, raftAddress(0)] : ['join-cluster', file, cluster.name, raftAddress(index), raftAddress(0)];
    await tools.run('ovsdb-tool', create);
    const member = makeMember(cluster, index, ports[2 * index] ?? 0);
    await member.start();
    members.push(member);
  }
  const remotes = members.map((member) => member.remote);
  return {
    remotes,
    members,
    leader: () => leaderOf(cluster, members),
    transferLeadership: () => transferLeadership(cluster, members),
    nbctl: (...args) => tools.ctl(schema, remotes, args),
    stop: async () => {
      await Promise.all(members.map((member) => member.end()));
      for (const port of ports) releasePort(port);
      removeScratch(folder);
    },
  };
}

function makeMember({ tools, programs, folder, name }: Cluster, index: number, port: number): Controlled {
  const at = (suffix: string): string => join(folder, `${index}.${suffix}`);
  const args = [at('db'), `--remote=ptcp:${port}:127.0.0.1`, `--unixctl=${at('ctl')}`, `--pidfile=${at('pid')}`, '-vsyslog:off'];
  let server: ServerProcess | undefined;
  let paused = false;
  const appctl = (...words: string[]): Promise<string> => tools.appctl(at('ctl'), words);
  return {
    remote: `tcp:127.0.0.1:${port}`,
    file: at('db'),
    appctl,
    running: () => server?.running() === true,
    paused: () => paused,
    start: async () => {
      paused = false;
      const joined = async (): Promise<boolean> => {
        const status = await appctl('cluster/status', name);
        return /^Status: cluster member$/m.test(status) && /^Leader: (?!unknown)/m.test(status);
      };
      const spec = { name: `ovsdb-server ${index}`, command: programs.paths['ovsdb-server'], args, env: ovnEnvironment(programs, folder), cwd: folder, log: at('log') };
      server = await startReady(spec, { what: `member ${index} to join the cluster`, timeoutMs: 30_000, check: joined });
    },
    kill: async () => server?.kill(),
    pause: () => {
      paused = true;
      server?.signal('SIGSTOP');
    },
    resume: () => {
      server?.signal('SIGCONT');
      paused = false;
    },
    end: async () => server?.stop(),
  };
}

async function leaderOf({ name }: Cluster, members: readonly Controlled[]): Promise<Controlled> {
  const find = async (): Promise<Controlled | undefined> => {
    for (const member of members) {
      if (!member.running() || member.paused()) continue;
      if (/^Role: leader$/m.test(await member.appctl('cluster/status', name))) return member;
    }
    return undefined;
  };
  return waitFor(find, { what: `a leader of ${name}`, timeoutMs: 20_000 });
}

async function transferLeadership(cluster: Cluster, members: readonly Controlled[]): Promise<Controlled> {
  const old = await leaderOf(cluster, members);
  await old.appctl('cluster/failure-test', 'transfer-leadership');
  const other = async (): Promise<Controlled | undefined> => {
    const leader = await leaderOf(cluster, members);
    return leader === old ? undefined : leader;
  };
  return waitFor(other, { what: 'another leader', timeoutMs: 20_000 });
}
