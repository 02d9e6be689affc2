import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carryOut, viewRestore } from '@ovn-steward/backup/restore';
import { createCollector, createOvnSource, memoryMirror } from '@ovn-steward/collector';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { openDatabase, type Session } from '@ovn-steward/ovsdb';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { isProposal } from '../services/executor/src/findings/proposal';
import { scene } from '../services/executor/src/testing/acting';
import { withWorker } from '../services/executor/src/work/act';
import { startUp } from './incidents/actor/garbage';
import { type Northbound, northboundOf } from './incidents/actor/northbound';
import type { Objects, Thing } from './incidents/actor/objects';

jest.setTimeout(120_000);

const CAPTURES = join(__dirname, 'incidents', 'captures');
/** As the executor's scene has it. */
const CLUSTER = 'berlin-1';
const NO_GRACE = {
  garbage: 0,
  leak: 0,
  drift: 0,
  stuck: 0,
  misplaced: 0,
  missing: 0,
  damage: 0,
};

/** What the controller lists at its start; it writes none of it in this incident. */
function recordedObjects(): Objects {
  const { items } = JSON.parse(readFileSync(join(CAPTURES, 'shared-kubernetes.json'), 'utf8')) as {
    items: readonly Thing[];
  };
  const list = (kind: string): Promise<readonly Thing[]> =>
    Promise.resolve(items.filter((it) => it.kind === kind));
  return { list } as unknown as Objects;
}

describeWith(ovn, 'the recorded incident on a living Northbound', () => {
  let server: OvnServer;
  let session: Session;
  let northbound: Northbound;
  let engine: Engine;
  let folder = '';
  let stop = new AbortController();
  let following: Promise<void>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'damage-'));
    server = await startOvnStandalone({ database: join(CAPTURES, 'shared-northbound.db') });
    session = await openDatabase({ remotes: server.remote, database: 'OVN_Northbound' });
    northbound = northboundOf(session, server.nbctl);
    engine = createEngine({ cluster: CLUSTER, grace: NO_GRACE });
    stop = new AbortController();
    following = createCollector({
      cluster: CLUSTER,
      sources: [createOvnSource({ id: 'ovn-nb', remotes: server.remote, probeMs: 200 })],
      publish: (changes) => {
        engine.apply(changes);
        return Promise.resolve();
      },
      mirror: memoryMirror(),
      clock: () => new Date(),
      heartbeatEveryMs: 0,
    }).run(stop.signal);
    await until(() => engine.world.knows('Logical_Switch'));
  });
  afterEach(async () => {
    stop.abort();
    await following;
    session.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const damage = (): readonly Finding[] =>
    engine.findings().filter(({ rule }) => rule === 'neighbour-damaged');

  test('is found while it happens, and what was deleted stands again after the findings are restored', async () => {
    const before = await northbound.picture();
    await startUp(northbound, recordedObjects());
    const after = await northbound.picture();
    const lost = [...before].filter(([uuid, { foreign }]) => foreign && !after.has(uuid));
    const reported = (): Set<string> =>
      new Set(damage().flatMap(({ was = [] }) => was.map(({ uid }) => uid)));
    expect(lost.length).toBeGreaterThan(70);
    await until(() => lost.every(([uuid]) => reported().has(uuid)));
    await until(() => damage().every(({ state }) => state === 'confirmed'));

    const file = join(folder, 'damage.json');
    writeFileSync(file, JSON.stringify(damage()));
    const live = liveNorthbound({ remotes: server.remote });
    const { signal } = new AbortController();
    const view = await viewRestore({
      file,
      cluster: CLUSTER,
      northbound: live,
      selection: { owners: undefined, tables: undefined, removeNew: false },
      otherCluster: false,
      signal,
    });
    expect(view.plan.leftOut).toEqual([]);
    expect(view.plan.losses).toEqual([]);
    await carryOut(view, { northbound: live, cluster: CLUSTER, folder, at: new Date(), signal });
    await live.close();

    const restored = await northbound.picture();
    const different = [...before].filter(
      ([uuid, { foreign, text }]) => foreign && restored.get(uuid)?.text !== text,
    );
    expect(different).toEqual([]);
    await until(() => damage().length === 0);
  });

  test('is undone at once where the settings name the rule', async () => {
    const before = await northbound.picture();
    const kubernetes = memoryKubernetes();
    const { items } = JSON.parse(
      readFileSync(join(CAPTURES, 'shared-kubernetes.json'), 'utf8'),
    ) as { items: readonly Parameters<typeof kubernetes.put>[0][] };
    for (const it of items) kubernetes.put(it);
    const live = liveNorthbound({ remotes: server.remote });
    const acting = scene({ northbound: live, kubernetes }, () => damage().filter(isProposal), {
      mode: 'observe',
      rules: { 'neighbour-damaged': 'enforce' },
    });
    await startUp(northbound, recordedObjects());
    const after = await northbound.picture();
    const lost = [...before].filter(([uuid, { foreign }]) => foreign && !after.has(uuid));
    expect(lost.length).toBeGreaterThan(70);
    const reported = (): Set<string> =>
      new Set(damage().flatMap(({ was = [] }) => was.map(({ uid }) => uid)));
    await until(() => lost.every(([uuid]) => reported().has(uuid)));
    await until(() => damage().every(({ state }) => state === 'confirmed'));

    await acting.turns(0);
    const ended = new AbortController();
    const working = withWorker(acting.options, ended.signal, (worker, running) =>
      worker.run(running),
    );
    const isDone = ({ state }: { readonly state: string }): boolean => state === 'done';
    await until(() => damage().length === 0 && acting.actions().every(isDone));
    ended.abort();
    await working;
    const restored = await northbound.picture();
    const different = [...before].filter(
      ([uuid, { foreign, text }]) => foreign && restored.get(uuid)?.text !== text,
    );
    expect(different).toEqual([]);
    expect(acting.actions().length).toBeGreaterThan(10);
    expect(new Set(acting.actions().map(({ code }) => code))).toEqual(new Set(['done']));
    await acting.close();
    await live.close();
  });
});

/** Waits for what other processes do; the test's own time limit ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
