import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, operation, type Session } from '@ovn-steward/ovsdb';
import { apiVersionOf, KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { HttpError } from '@ovn-steward/testbed/kubernetes/http';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { NO_GRACE_SETTINGS } from '@ovn-steward/judgement/testing/grace';
import { type Northbound, northboundOf } from '../../../../e2e/incidents/actor/northbound';
import { lead } from './lead';
import { type Mutation, writeMutated } from './mutate';

/**
 * Everything is enforced at once: no grace, and no limit in effect. Kube-OVN's controller leads,
 * and finishes nothing.
 */
const WIDE = { least: 100_000, share: 1, most: 100_000 };
const ENFORCE = {
  grace: NO_GRACE_SETTINGS,
  executor: {
    mode: 'enforce',
    rate: { perSecond: 1000, burst: 1000 },
    ceilings: { rule: WIDE, subnet: WIDE, vpc: WIDE, cluster: WIDE },
    yield: { afterLease: '0s' },
  },
};

const PATHS = KUBERNETES_KINDS.map(
  (it) => `${it.group === '' ? '/api' : '/apis'}/${apiVersionOf(it)}/${it.resource}`,
);

/** Rows by `<table> <uuid>`, objects by uid. */
export interface Picture {
  readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly objects: ReadonlyMap<string, unknown>;
}

/** A recorded cluster alive, with settings that enforce everything. */
export interface EnforcedBed {
  readonly stateDir: string;
  /** Where a plan may be written. */
  readonly plan: string;
  /** Of the command line: where to read and how to act. */
  readonly args: readonly string[];
  /**
   * Every row of every table but the global one, and every object of every kind we read but the
   * Lease of the played controller.
   */
  picture(): Promise<Picture>;
  /** As whoever else there is: a controller, a person. */
  readonly api: KubernetesServer['api'];
  readonly session: Session;
  readonly northbound: Northbound;
  stop(): Promise<void>;
}

/**
 * @param change what is changed in the recording before it comes alive.
 * @param options.leads whether a kube-ovn-controller leads; it does nothing else.
 * @param options.otherKubernetes the change is one of Kubernetes alone: the database is as it was
 *   recorded.
 */
export async function startEnforcedBed(
  name: 'leaky' | 'clean' | 'shared-neutron',
  change?: (it: Mutation) => void,
  {
    leads = true,
    otherKubernetes = false,
  }: { readonly leads?: boolean; readonly otherKubernetes?: boolean } = {},
): Promise<EnforcedBed> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-enforce-'));
  if (change) writeMutated(name, change, folder);
  const from = (file: string): string => (change ? join(folder, file) : recording(name, file));
  const database: OvnServer = await startOvnStandalone({
    database: otherKubernetes ? recording(name, 'nb.db') : from('nb.db'),
  });
  const cluster: KubernetesServer = await startKubernetes({ recording: from('kubernetes.json') });
  const session = await openDatabase({ remotes: database.remote, database: 'OVN_Northbound' });
  const resign = leads ? lead(cluster.api) : async () => undefined;
  const stateDir = join(folder, 'state');
  const settings = join(folder, 'steward.json');
  writeFileSync(settings, JSON.stringify({ cluster: 'enforced', stateDir, ...ENFORCE }));
  return {
    stateDir,
    plan: join(folder, 'plan.yaml'),
    args: ['--ovn-nb', database.remote, '--kubernetes', cluster.kubeconfig, '--config', settings],
    api: cluster.api,
    session,
    northbound: northboundOf(session, database.nbctl),
    picture: async () => ({ rows: await rowsOf(session), objects: await objectsOf(cluster) }),
    async stop() {
      await resign();
      session.close();
      await cluster.stop();
      await database.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function rowsOf(session: Session): Promise<Picture['rows']> {
  const tables = [...session.schema.tables.values()].filter((it) => it.name !== 'NB_Global');
  const read = await session.transact(
    tables.map(({ name, columns }) =>
      operation.select(
        name,
        [],
        ['_uuid', ...[...columns.values()].filter((it) => !it.ephemeral).map((it) => it.name)],
      ),
    ),
  );
  return new Map(
    read.results.flatMap((result, index) =>
      (result.kind === 'selected' ? result.rows : []).map(
        ({ _uuid, ...row }) => [`${tables[index]!.name} ${(_uuid as string[])[1]}`, row] as const,
      ),
    ),
  );
}

async function objectsOf({ api }: KubernetesServer): Promise<Picture['objects']> {
  const lists = await Promise.all(
    PATHS.map(async (path) => {
      try {
        return ((await api.get(path)) as { items: Item[] }).items;
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return []; // a kind the recorded cluster does not have
        throw error;
      }
    }),
  );
  return new Map(
    lists.flatMap((items) =>
      items.filter((it) => !isRenewed(it)).map((it) => [it.metadata.uid, it]),
    ),
  );
}

interface Item {
  readonly metadata: { readonly uid: string; readonly name: string };
  readonly spec?: { readonly renewTime?: string };
}

/** The Lease that the played controller renews every second (`lead`). */
const isRenewed = ({ metadata, spec }: Item): boolean =>
  metadata.name === 'kube-ovn-controller' && spec?.renewTime !== undefined;

/**
 * A row in one spelling, without what it said of rows that are gone: sets and maps have no order,
 * and a set of one may stand bare.
 */
export function spelled(row: Readonly<Record<string, unknown>>, gone: ReadonlySet<string>): string {
  const isGone = (it: unknown): boolean =>
    Array.isArray(it) && it[0] === 'uuid' && gone.has(it[1] as string);
  const column = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    if (value[0] === 'uuid') return isGone(value) ? [] : [JSON.stringify(value)];
    return (value[1] as unknown[])
      .filter((it) => !isGone(it))
      .map((it) => JSON.stringify(it))
      .sort();
  };
  return JSON.stringify(
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, column(value)])),
  );
}
