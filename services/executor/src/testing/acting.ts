import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { userProtection } from '@ovn-steward/judgement/protection';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { Proposal } from '../findings/proposal';
import { isProposal } from '../findings/proposal';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import { LedgerIdentity } from '../ledger/ledger-identity';
import type { Systems } from '@ovn-steward/systems/systems';
import { withWorker } from '../work/act';
import type { ActEvent, ActOptions } from '../work/act-options';
import { controlEntry } from './controls';
import { withLeader } from './with-leader';
import { identityOf } from './identities';
import { confirmed, RECORDED_CLUSTER, recordedEngine } from './recorded-engine';
import type { RecordedName } from '@ovn-steward/systems/testing/recorded-northbound';

/**
 * Judged once for each file of tests: an engine over a recording costs a third of a second, and
 * most files ask before each case.
 */
const judged = new Map<RecordedName, Promise<readonly Proposal[]>>();

/**
 * Every confirmed finding of a recording with a remedy. The list is the caller's, the findings are
 * shared and frozen.
 */
export async function recordedProposals(name: RecordedName): Promise<Proposal[]> {
  const known =
    judged.get(name) ??
    recordedEngine(name).then((engine) =>
      engine.findings().map(confirmed).filter(isProposal).map(frozen),
    );
  judged.set(name, known);
  return [...(await known)];
}

/** With all that is in it: a case that changed it would be a cause of what others see. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** No limit in effect, and every rule enforced. */
export const OPEN_LIMITS = {
  mode: 'enforce',
  rate: { perSecond: 10_000, burst: 10_000 },
  ceilings: Object.fromEntries(
    ['rule', 'subnet', 'vpc', 'cluster'].map((scope) => [
      scope,
      { least: 100_000, share: 1, most: 100_000 },
    ]),
  ),
  yield: { afterLease: '0s' },
};

export interface Scene {
  readonly options: ActOptions;
  readonly ledger: Ledger;
  readonly events: ActEvent[];
  /** What became of everything, as the ledger has it. */
  actions(): readonly ActionRecord[];
  decide(...controls: readonly Control[]): Promise<void>;
  /**
   * So many turns of a worker that hears what was decided before, each to its end.
   * @throws what ends the work.
   */
  turns(count?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Whatever a test writes into the ledger by hand is of these systems, unless it said before whose
 * the ledger is.
 */
async function ownedBy(file: StateFile, systems: Systems): Promise<void> {
  const owners = new LedgerIdentity(file);
  if (owners.get(RECORDED_CLUSTER) === undefined)
    owners.set(RECORDED_CLUSTER, {
      identity: await identityOf(systems),
      unnamed: true,
      adopted: null,
    });
}

const opened = new Set<Scene>();

/** Closes what this file's tests opened and did not close; for their `afterEach`. */
export async function closeScenes(): Promise<void> {
  for (const it of opened) await it.close();
}

/** An executor on a log and a file in memory, acting on these systems. */
export function scene(
  systems: Systems,
  proposals: () => readonly Proposal[],
  executor: object = OPEN_LIMITS,
  more: Partial<ActOptions> = {},
  /** Whether a kube-ovn-controller is running. */
  leads = true,
): Scene {
  const partition = partitionOf(RECORDED_CLUSTER, PARTITIONS);
  const log = openSqliteLog({ file: ':memory:' });
  const file = openStateFile(':memory:');
  const ledger = new Ledger(file);
  const events: ActEvent[] = [];
  const ready = log.ensureTopics(TOPICS);
  const options: ActOptions = {
    cluster: RECORDED_CLUSTER,
    partition,
    systems: leads ? { ...systems, kubernetes: withLeader(systems.kubernetes) } : systems,
    log,
    file,
    ledger,
    proposals,
    settings: Settings.parse({ executor }).executor,
    isProtected: userProtection([]),
    fence: () => Promise.resolve(),
    clock: () => new Date(),
    ...more,
    onEvent: (event) => {
      events.push(event);
      more.onEvent?.(event);
    },
  };
  const made: Scene = {
    options,
    ledger,
    events,
    actions: () => ledger.list({ cluster: RECORDED_CLUSTER }),
    async decide(...controls) {
      await ready;
      for (const it of controls) await log.append(CONTROL, partition, [controlEntry(it)]);
    },
    async turns(count = 1) {
      await ready;
      await ownedBy(file, systems);
      await withWorker(options, new AbortController().signal, async (worker, signal) => {
        for (let turn = 0; turn < count; turn += 1) while (await worker.turn(signal));
      });
    },
    async close() {
      opened.delete(made);
      await log.close();
      file.close();
    },
  };
  opened.add(made);
  return made;
}
