import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCollector, createOvnSource, memoryMirror } from '@ovn-steward/collector';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import { openDatabase } from '@ovn-steward/ovsdb';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { until } from '@ovn-steward/shared/testing/until';
import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { startUp } from './actor/garbage';
import { type Northbound, northboundOf } from './actor/northbound';
import type { Objects, Thing } from './actor/objects';

const CAPTURES = join(__dirname, 'captures');

/** The Northbound of the recorded incident, alive, and an engine that watches it. */
export interface WatchedIncident {
  readonly server: OvnServer;
  readonly northbound: Northbound;
  /** The objects of its Kubernetes. */
  readonly objects: readonly Thing[];
  /** What others lose now. */
  damage(): readonly Finding[];
  /**
   * Kube-OVN's controller starts; resolves when all that others lost is confirmed.
   * @returns how many rows that is.
   */
  happen(): Promise<number>;
  /** Rows of others that are not as they were before it happened, by uuid. */
  different(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function watchIncident(cluster: string): Promise<WatchedIncident> {
  const server = await startOvnStandalone({ database: join(CAPTURES, 'shared-northbound.db') });
  const session = await openDatabase({ remotes: server.remote, database: 'OVN_Northbound' });
  const northbound = northboundOf(session, server.nbctl);
  const engine = createEngine({ cluster, grace: NO_GRACE });
  const ended = new AbortController();
  const following = createCollector({
    cluster,
    sources: [createOvnSource({ id: 'ovn-nb', remotes: server.remote, probeMs: 200 })],
    publish: (changes) => {
      engine.apply(changes);
      return Promise.resolve();
    },
    mirror: memoryMirror(),
    clock: () => new Date(),
    heartbeatEveryMs: 0,
  }).run(ended.signal);
  await until(() => engine.world.knows('Logical_Switch'), 'all rows of the Northbound');
  const { items: objects } = JSON.parse(
    readFileSync(join(CAPTURES, 'shared-kubernetes.json'), 'utf8'),
  ) as { items: readonly Thing[] };
  const list = (kind: string): Promise<readonly Thing[]> =>
    Promise.resolve(objects.filter((it) => it.kind === kind));
  const damage = (): readonly Finding[] =>
    engine.findings().filter(({ rule }) => rule === 'neighbour-damaged');
  const before = await northbound.picture();
  return {
    server,
    northbound,
    objects,
    damage,
    async happen() {
      // It lists objects, and writes none in this incident.
      await startUp(northbound, { list } as unknown as Objects);
      const after = await northbound.picture();
      const lost = [...before].filter(([uuid, { foreign }]) => foreign && !after.has(uuid));
      const reported = (): Set<string> =>
        new Set(damage().flatMap(({ was = [] }) => was.map(({ uid }) => uid)));
      await until(
        () => lost.every(([uuid]) => reported().has(uuid)),
        'each lost row to be reported',
      );
      await until(
        () => damage().every(({ state }) => state === 'confirmed'),
        'the damage to be confirmed',
      );
      return lost.length;
    },
    async different() {
      const now = await northbound.picture();
      return [...before]
        .filter(([uuid, { foreign, text }]) => foreign && now.get(uuid)?.text !== text)
        .map(([uuid]) => uuid);
    },
    async stop() {
      ended.abort();
      await following;
      session.close();
      await server.stop();
    },
  };
}
