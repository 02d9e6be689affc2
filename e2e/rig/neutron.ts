import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '@ovn-steward/testbed/provision/command';
import { makeScratch, removeScratch } from '@ovn-steward/testbed/run/guard';
import { localSite } from '@ovn-steward/testbed/run/local';
import { claimPort, releasePort } from '@ovn-steward/testbed/run/ports';
import { startReady } from '@ovn-steward/testbed/run/ready';

const VARIABLE = 'STEWARD_TEST_NEUTRON';
const PROGRAM = process.env[VARIABLE] ?? '/usr/bin/neutron-server';

/**
 * Why Neutron cannot be started here; undefined where it can. It is the machine's own, and never
 * fetched.
 */
export const neutronObstacle = (): string | undefined =>
  existsSync(PROGRAM)
    ? undefined
    : `${PROGRAM} is not there: install Neutron (Debian: neutron-server), or set ${VARIABLE} to its path`;

/** A Neutron at work (ML2/OVN, no authentication), with a database of its own. */
export interface Neutron {
  /** Creates something by its REST API, and gives it with its id. */
  create(path: string, kind: string, it: object): Promise<{ readonly id: string }>;
  /** The same of what only changes something. */
  put(path: string, it: object): Promise<void>;
  stop(): Promise<void>;
}

const settings = (folder: string, port: number): string => `[DEFAULT]
core_plugin = ml2
service_plugins = ovn-router,qos
auth_strategy = noauth
transport_url = fake:/
rpc_workers = 0
rpc_state_report_workers = 0
api_workers = 1
state_path = ${folder}
bind_host = 127.0.0.1
bind_port = ${port}
notify_nova_on_port_status_changes = false
notify_nova_on_port_data_changes = false
[oslo_concurrency]
lock_path = ${folder}
[database]
connection = ${databaseIn(folder)}
`;

/** It writes from several threads, which wait for one another. */
const databaseIn = (folder: string): string => `sqlite:///${join(folder, 'neutron.db')}?timeout=60`;

const ml2 = (nb: string, sb: string): string => `[ml2]
mechanism_drivers = ovn
type_drivers = local,flat,geneve
tenant_network_types = geneve
extension_drivers = port_security,qos
overlay_ip_version = 4
[ml2_type_flat]
flat_networks = physnet1
[ml2_type_geneve]
vni_ranges = 1:65536
max_header_size = 38
[securitygroup]
enable_security_group = true
[ovn]
ovn_nb_connection = ${nb}
ovn_sb_connection = ${sb}
ovn_l3_scheduler = leastloaded
ovn_metadata_enabled = true
`;

/** Its tables as its models have them: its migrations are for other databases. */
const MAKE_TABLES = `
import sys, sqlalchemy
from neutron.db.migration.models import head
engine = sqlalchemy.create_engine(sys.argv[1])
engine.execute("PRAGMA journal_mode=WAL")
head.get_metadata().create_all(engine)
`;

/** @param remotes of the databases that it shares with others. Ready in about ten seconds. */
export async function startNeutron({
  nb,
  sb,
}: {
  readonly nb: string;
  readonly sb: string;
}): Promise<Neutron> {
  const folder = makeScratch('neutron');
  const port = await claimPort();
  const conf = join(folder, 'neutron.conf');
  const ini = join(folder, 'ml2.ini');
  writeFileSync(conf, settings(folder, port));
  writeFileSync(ini, ml2(nb, sb));
  // The interpreter that has its modules.
  const python = /^#!\s*(\S+)/.exec(readFileSync(PROGRAM, 'utf8'))?.[1] ?? '/usr/bin/python3';
  await runCommand(python, ['-c', MAKE_TABLES, databaseIn(folder)], { timeout: 120_000 });
  const api = `http://127.0.0.1:${port}/v2.0/`;
  const server = await startReady(
    localSite({ paths: { 'neutron-server': PROGRAM }, env: {} }, folder),
    {
      name: 'neutron-server',
      program: 'neutron-server',
      args: ['--config-file', conf, '--config-file', ini],
      log: join(folder, 'log'),
    },
    {
      what: 'Neutron to answer',
      timeoutMs: 120_000,
      check: async () => (await fetch(`${api}networks`, { headers: HEADERS })).ok,
    },
  );
  return {
    create: async (path, kind, attributes) => {
      const said = await asked(`${api}${path}`, 'POST', {
        [kind]: { tenant_id: PROJECT, ...attributes },
      });
      return said[kind] as { readonly id: string };
    },
    put: async (path, it) => void (await asked(`${api}${path}`, 'PUT', it)),
    async stop() {
      await server.kill();
      releasePort(port);
      removeScratch(folder);
    },
  };
}

const PROJECT = '1'.repeat(32);
const HEADERS = {
  'X-Project-Id': PROJECT,
  'X-User-Id': 'admin',
  'X-Roles': 'admin',
  'Content-Type': 'application/json',
};

/** Asks a few times: a database that is locked is answered by 500, and nothing was done then. */
async function asked(
  url: string,
  method: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, { method, headers: HEADERS, body: JSON.stringify(body) });
    if (answer.ok) return (await answer.json()) as Readonly<Record<string, unknown>>;
    if (answer.status !== 500 || attempt === 5)
      throw new Error(`${method} ${url} was answered by ${answer.status}: ${await answer.text()}`);
    await sleep(1_000);
  }
}
