import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, liveSystems, openExecutorFile, type Proposal, withWorker } from '@ovn-steward/executor';
import { openDatabase } from '@ovn-steward/ovsdb';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type Northd, startNorthd } from '@ovn-steward/testbed/northd';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { findLeaks, plantLeaks } from './leaks';

const CLUSTER = 'bench';
/** ovn-nbctl takes a while for each: of so many the rate is known well enough. */
const BY_HAND = 500;
const WIDE = { least: 1_000_000, share: 1, most: 1_000_000 };

interface Measured {
  readonly perSecond: number;
  /** Of ovn-northd, for each port that was removed. */
  readonly northdRuns: number;
  readonly northdCpuMs: number | undefined;
}

/**
 * How fast leaked ports are removed with the limiter open, each proven, claimed, removed and looked after by itself, and how much work that is for
 * ovn-northd; beside `ovn-nbctl lsp-del`, a process for each, on the same servers.
 */
export async function benchExecutor({ ports }: { readonly ports: number }): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const [nb, sb] = [await startOvnStandalone({ database: recording('clean', 'nb.db') }), await startOvnStandalone({ schema: 'sb' })];
  const kubernetes = await startKubernetes({ recording: recording('clean', 'kubernetes.json') });
  const northd = await startNorthd({ nb: nb.remote, sb: sb.remote });
  try {
    const session = await openDatabase({ remotes: nb.remote, database: 'OVN_Northbound' });
    const byHand = await plantLeaks(session, Math.min(ports, BY_HAND), 'hand');
    const leaked = await plantLeaks(session, ports, 'leak');
    session.close();
    await nb.nbctl('--wait=sb', 'sync');
    const proposals = await findLeaks(nb.remote, kubernetes.kubeconfig, CLUSTER, leaked);
    const ours = await measured(leaked.length, nb, northd, () => removeAll(nb, kubernetes.kubeconfig, join(folder, 'executor.db'), proposals));
    const nbctl = await measured(byHand.length, nb, northd, async () => {
      for (const it of byHand) await nb.nbctl('lsp-del', it);
    });
    return {
      ports: leaked.length, removedPerSecond: ours.perSecond, nbctlPerSecond: nbctl.perSecond, ratio: round(ours.perSecond / nbctl.perSecond),
      northdRunsPerPort: ours.northdRuns, nbctlNorthdRunsPerPort: nbctl.northdRuns, northdCpuMsPerPort: ours.northdCpuMs, nbctlNorthdCpuMsPerPort: nbctl.northdCpuMs,
    };
  } finally {
    await northd.stop();
    await Promise.all([nb.stop(), sb.stop(), kubernetes.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(count: number, nb: OvnServer, northd: Northd, remove: () => Promise<void>): Promise<Measured> {
  await nb.nbctl('--wait=sb', 'sync');
  const [before, began] = [await northd.work(), performance.now()];
  await remove();
  const seconds = (performance.now() - began) / 1000;
  await nb.nbctl('--wait=sb', 'sync');
  const after = await northd.work();
  return {
    perSecond: round(count / seconds), northdRuns: round((after.runs - before.runs) / count),
    northdCpuMs: after.cpuMs === undefined || before.cpuMs === undefined ? undefined : round((after.cpuMs - before.cpuMs) / count),
  };
}

/** The executor as `steward run` has it, on a log and a ledger on disk, all brakes open. */
async function removeAll(nb: OvnServer, kubeconfig: string, path: string, proposals: readonly Proposal[]): Promise<void> {
  const settings = Settings.parse({
    cluster: CLUSTER, ovnNb: { remote: nb.remote }, kubernetes: { kubeconfig },
    executor: { mode: 'enforce', rate: { perSecond: 10_000, burst: 10_000 }, ceilings: { rule: WIDE, subnet: WIDE, vpc: WIDE, cluster: WIDE }, yield: { afterLease: '0s' } },
  });
  const [log, file, systems] = [openSqliteLog({ file: `${path}-log` }), openExecutorFile(path), liveSystems(settings)];
  try {
    await log.ensureTopics(TOPICS);
    const ledger = new Ledger(file);
    const done = (): number => ledger.counts().reduce((sum, it) => sum + (it.state === 'done' ? it.count : 0), 0);
    await withWorker({
      cluster: CLUSTER, partition: partitionOf(CLUSTER, PARTITIONS), systems, log, file, ledger, settings: settings.executor,
      proposals: () => proposals, isProtected: () => false, fence: () => Promise.resolve(), clock: () => new Date(), onEvent: () => undefined,
    }, new AbortController().signal, async (worker, signal) => {
      for (let still = 0, before = -1; done() < proposals.length; before = done()) {
        await worker.turn(signal);
        still = done() === before ? still + 1 : 0;
        if (still > 100) throw new Error(`nothing goes on after ${done()} of ${proposals.length}: ${JSON.stringify(ledger.counts())}`);
      }
    });
  } finally {
    await systems.close();
    await log.close();
    file.close();
  }
}

const round = (value: number): number => Number(value.toPrecision(3));
