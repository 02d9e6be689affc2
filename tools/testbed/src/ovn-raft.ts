import { join } from 'node:path';
import { openOvnSite, type OvnSite } from './ovn/site';
import { appctl, makeDatabaseFile, ovnCtl, type OvnDatabase } from './ovn/tools';
import { makeScratch, removeScratch } from './run/guard';
import { claimPort, releasePort } from './run/ports';
import { startReady } from './run/ready';
import type { Server } from './run/server';
import { waitFor } from './run/wait';

export interface OvnRaftOptions {
  /** How many servers; three by default. */
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
  /**
   * Stops it from running without closing its connections: to others it looks like a network gone
   * silent.
   */
  pause(): Promise<void>;
  resume(): Promise<void>;
  appctl(...args: string[]): Promise<string>;
}

export interface OvnRaft {
  readonly remotes: readonly string[];
  readonly members: readonly RaftMember[];
  /**
   * The member that leads, waited for up to 20 s (an election takes 1–3 s). Paused members are not
   * asked.
   */
  leader(): Promise<RaftMember>;
  /**
   * Has another member lead, without a crash: the leader hands over and goes on as a follower.
   * Gives the new leader.
   */
  transferLeadership(): Promise<RaftMember>;
  /** ovn-nbctl (or ovn-sbctl) to the cluster. */
  nbctl(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

interface Cluster {
  readonly site: OvnSite;
  readonly folder: string;
  /** The database's name in its schema, e.g. OVN_Northbound. */
  readonly name: string;
}

interface Controlled extends RaftMember {
  paused(): boolean;
  end(): Promise<void>;
}

/**
 * Starts a raft cluster of ovsdb-servers on 127.0.0.1; all joined, with a leader, in less than a
 * second.
 */
export async function startOvnRaft(options: OvnRaftOptions = {}): Promise<OvnRaft> {
  const folder = makeScratch('raft');
  const size = options.members ?? 3;
  const ports = await Promise.all(Array.from({ length: size }, claimPort));
  const raftPorts = await Promise.all(ports.map(claimPort));
  const site = await openOvnSite(folder, ports);
  const schema = options.schema ?? 'nb';
  const seed = join(folder, 'seed.db');
  await makeDatabaseFile(site, seed, options.database, schema);
  const cluster: Cluster = {
    site,
    folder,
    name: (await site.run('ovsdb-tool', ['db-name', seed])).trim(),
  };
  const addresses = raftPorts.map((port) => `tcp:127.0.0.1:${port}`);
  const members: Controlled[] = [];
  for (const [index, port] of ports.entries()) {
    const file = join(folder, `${index}.db`);
    const own = addresses[index] ?? '';
    const first = addresses[0] ?? '';
    await site.run(
      'ovsdb-tool',
      index === 0
        ? ['create-cluster', file, seed, own]
        : ['join-cluster', file, cluster.name, own, first],
    );
    const member = makeMember(cluster, index, port);
    await member.start();
    members.push(member);
  }
  const remotes = members.map((member) => member.remote);
  return {
    remotes,
    members,
    leader: () => leaderOf(cluster, members),
    transferLeadership: () => transferLeadership(cluster, members),
    nbctl: (...args) => ovnCtl(site, schema, remotes, args),
    stop: async () => {
      await Promise.all(members.map((member) => member.end()));
      await site.close();
      for (const port of [...ports, ...raftPorts]) releasePort(port);
      removeScratch(folder);
    },
  };
}

function makeMember({ site, folder, name }: Cluster, index: number, port: number): Controlled {
  const at = (suffix: string): string => join(folder, `${index}.${suffix}`);
  const args = [
    at('db'),
    `--remote=ptcp:${port}:${site.listen}`,
    `--unixctl=${at('ctl')}`,
    `--pidfile=${at('pid')}`,
    '-vsyslog:off',
  ];
  let server: Server | undefined;
  let paused = false;
  const request = (...words: string[]): Promise<string> => appctl(site, at('ctl'), words);
  return {
    remote: `tcp:127.0.0.1:${port}`,
    file: at('db'),
    appctl: request,
    running: () => server?.running() === true,
    paused: () => paused,
    start: async () => {
      paused = false;
      const joined = async (): Promise<boolean> => {
        const status = await request('cluster/status', name);
        return /^Status: cluster member$/m.test(status) && /^Leader: (?!unknown)/m.test(status);
      };
      const spec = { name: `ovsdb-server ${index}`, program: 'ovsdb-server', args, log: at('log') };
      server = await startReady(site, spec, {
        what: `member ${index} to join the cluster`,
        timeoutMs: 30_000,
        check: joined,
      });
    },
    kill: async () => server?.kill(),
    pause: async () => {
      paused = true;
      await server?.signal('SIGSTOP');
    },
    resume: async () => {
      await server?.signal('SIGCONT');
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

async function transferLeadership(
  cluster: Cluster,
  members: readonly Controlled[],
): Promise<Controlled> {
  const old = await leaderOf(cluster, members);
  await old.appctl('cluster/failure-test', 'transfer-leadership');
  const other = async (): Promise<Controlled | undefined> => {
    const leader = await leaderOf(cluster, members);
    return leader === old ? undefined : leader;
  };
  return waitFor(other, { what: 'another leader', timeoutMs: 20_000 });
}
