import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger, type Proposal, withWorker } from '@ovn-steward/executor';
import { liveSystems } from '@ovn-steward/systems/live-systems';
import { openDatabase, type Session } from '@ovn-steward/ovsdb';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type Northd, startNorthd } from '@ovn-steward/testbed/northd';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { dropLeaks, findLeaks, plantLeaks, plantOthers } from './leaks';
import { createMeter, type Meter } from './meter';

const CLUSTER = 'bench';
/** ovn-nbctl takes a while for each: of so many the rate is known well enough. */
const BY_HAND = 500;
const PACED = 200;
/** Deletions that one process of ovn-nbctl sends in one transaction. */
const IN_BATCH = 500;
const WIDE = { least: 1_000_000, share: 1, most: 1_000_000 };

interface Measured {
  readonly perSecond: number;
  /** Of ovn-northd, for each port that was removed. */
  readonly northdRuns: number;
  readonly northdCpuMs: number | undefined;
}

/**
 * How fast leaked ports are removed with the limiter open, each proven, claimed, removed and looked
 * after by itself, and how much work that is for ovn-northd; beside `ovn-nbctl lsp-del`, a process
 * for each, on the same servers and as many ports. ovn-nbctl also removes some at the executor's
 * pace, with half as many ports there, as the executor has on the average: northd takes deletions
 * that come fast together, and what it then saves is no merit of who deletes.
 *
 * @param others ports that are on another switch and stay.
 */
export async function benchExecutor({
  ports,
  others = 0,
}: {
  readonly ports: number;
  readonly others?: number;
}): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const nb = await startOvnStandalone({ database: recording('clean', 'nb.db') });
  const sb = await startOvnStandalone({ schema: 'sb' });
  const kubernetes = await startKubernetes({ recording: recording('clean', 'kubernetes.json') });
  const northd = await startNorthd({ nb: nb.remote, sb: sb.remote });
  const planting = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    withSession(nb.remote, work);
  const byHand = async (names: readonly string[], everyMs: number): Promise<void> => {
    for (const name of names) await Promise.all([nb.nbctl('lsp-del', name), sleep(everyMs)]);
  };
  try {
    await planting((it) => plantOthers(it, others));
    const leaked = await planting((it) => plantLeaks(it, ports, 'leak'));
    await nb.nbctl('--wait=sb', 'sync');
    const proposals = await findLeaks(nb.remote, kubernetes.kubeconfig, CLUSTER, leaked);
    const meter = createMeter();
    const ours = await measured(ports, nb, northd, () =>
      removeAll(nb, kubernetes.kubeconfig, join(folder, 'executor.db'), proposals, meter),
    );
    const hand = await planting((it) => plantLeaks(it, ports, 'hand'));
    const nbctl = await measured(Math.min(ports, BY_HAND), nb, northd, () =>
      byHand(hand.slice(0, BY_HAND), 0),
    );
    // What a run costs northd grows with the ports there are: ours went from all of them to none,
    // so half of them are there now.
    await planting((it) => dropLeaks(it, 'hand'));
    const slow = await planting((it) =>
      plantLeaks(it, Math.max(PACED, Math.round(ports / 2)), 'slow'),
    );
    const paced = await measured(Math.min(ports, PACED), nb, northd, () =>
      byHand(slow.slice(0, PACED), 1000 / ours.perSecond),
    );
    await planting((it) => dropLeaks(it, 'slow'));
    const many = await planting((it) => plantLeaks(it, ports, 'many'));
    const batches = await measured(ports, nb, northd, () => inBatches(nb, many));
    return {
      ports,
      others,
      removedPerSecond: ours.perSecond,
      nbctlPerSecond: nbctl.perSecond,
      ratio: round(ours.perSecond / nbctl.perSecond),
      nbctlBatchesPerSecond: batches.perSecond,
      ratioToBatches: round(ours.perSecond / batches.perSecond),
      northdRunsPerPort: ours.northdRuns,
      nbctlNorthdRunsPerPort: nbctl.northdRuns,
      pacedNbctlNorthdRunsPerPort: paced.northdRuns,
      northdCpuMsPerPort: ours.northdCpuMs,
      nbctlNorthdCpuMsPerPort: nbctl.northdCpuMs,
      pacedNbctlNorthdCpuMsPerPort: paced.northdCpuMs,
      pacedNbctlPerSecond: paced.perSecond,
      perPort: meter.per(ports),
    };
  } finally {
    await northd.stop();
    await Promise.all([nb.stop(), sb.stop(), kubernetes.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function withSession<T>(remote: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openDatabase({ remotes: remote, database: 'OVN_Northbound' });
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

async function measured(
  count: number,
  nb: OvnServer,
  northd: Northd,
  remove: () => Promise<void>,
): Promise<Measured> {
  await nb.nbctl('--wait=sb', 'sync');
  const before = await northd.work();
  const began = performance.now();
  await remove();
  const seconds = (performance.now() - began) / 1000;
  await nb.nbctl('--wait=sb', 'sync');
  const after = await northd.work();
  return {
    perSecond: round(count / seconds),
    northdRuns: round((after.runs - before.runs) / count),
    northdCpuMs:
      after.cpuMs === undefined || before.cpuMs === undefined
        ? undefined
        : round((after.cpuMs - before.cpuMs) / count),
  };
}

/**
 * All in transactions of some hundred, by a process each: nothing is proven, claimed or undoable.
 */
async function inBatches(nb: OvnServer, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += IN_BATCH)
    await nb.nbctl(
      ...names
        .slice(from, from + IN_BATCH)
        .flatMap((it) => ['--', 'lsp-del', it])
        .slice(1),
    );
}

/** The executor as `steward run` has it, on a log and a ledger on disk, without a limit. */
async function removeAll(
  nb: OvnServer,
  kubeconfig: string,
  path: string,
  proposals: readonly Proposal[],
  meter: Meter,
): Promise<void> {
  const settings = Settings.parse({
    cluster: CLUSTER,
    ovnNb: { remote: nb.remote },
    kubernetes: { kubeconfig },
    executor: {
      mode: 'enforce',
      rate: { perSecond: 10_000, burst: 10_000 },
      ceilings: { rule: WIDE, subnet: WIDE, vpc: WIDE, cluster: WIDE },
      yield: { afterLease: '0s' },
    },
  });
  const log = openSqliteLog({ file: `${path}-log` });
  const file = openStateFile(path);
  const live = liveSystems(settings);
  const systems = {
    northbound: meter.of(live.northbound, 'northbound'),
    kubernetes: meter.of(live.kubernetes, 'kubernetes'),
  };
  const phases = phasesOf(meter);
  try {
    await log.ensureTopics(TOPICS);
    const ledger = new Ledger(file);
    const done = (): number =>
      ledger.counts().reduce((sum, it) => sum + (it.state === 'done' ? it.count : 0), 0);
    await withWorker(
      {
        cluster: CLUSTER,
        partition: partitionOf(CLUSTER, PARTITIONS),
        systems,
        log: meter.of(log, 'log'),
        file,
        ledger,
        settings: settings.executor,
        proposals: () => proposals,
        isProtected: () => false,
        fence: () => Promise.resolve(),
        clock: () => new Date(),
        onEvent: (actEvent) => {
          if (actEvent.type === 'action') phases(actEvent.action.state);
        },
      },
      new AbortController().signal,
      async (worker, signal) => {
        for (let still = 0, before = -1; done() < proposals.length; before = done()) {
          await worker.turn(signal);
          still = done() === before ? still + 1 : 0;
          if (still > 100)
            throw new Error(
              `nothing goes on after ${done()} of ${proposals.length}: ${JSON.stringify(ledger.counts())}`,
            );
        }
      },
    );
  } finally {
    await live.close();
    await log.close();
    file.close();
  }
}

/** Records the time from one end to the next claim, and from the claim to its end. */
function phasesOf(meter: Meter): (state: string) => void {
  let last = performance.now();
  return (state) => {
    const now = performance.now();
    meter.add(state === 'claimed' ? 'proving' : 'removing', now - last);
    last = now;
  };
}

const round = (value: number): number => Number(value.toPrecision(3));
