import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ControlState,
  decidedIn,
  type Foreseen,
  foresee,
  ledgerOfLog,
  type LedgerReader,
  type Plan,
  readLedger,
  type Whose,
} from '@ovn-steward/executor';
import { type Systems } from '@ovn-steward/systems/systems';
import { Failure } from '@ovn-steward/shared/errors';
import { readBeside } from '@ovn-steward/shared/log/sqlite-read-beside';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import { takeLog } from '../apply/act-here';
import { takeLock } from '../apply/take-lock';
import { waitingIn } from '../inputs/decided';
import type { Channel } from '../inputs/decisions';
import { openLog } from '../inputs/log';
import { FILES } from '../inputs/state-files';

const MAX_RECORDS = 500;
const HOUR_MS = 3_600_000;

/** What an executor knows beside the systems. */
interface Known {
  readonly decided: ControlState;
  readonly ledger: Pick<LedgerReader, 'spent' | 'stateOf'>;
  readonly whose: Whose;
}

/**
 * What would become of a plan that was applied now with the same options: queries the gate of the
 * executor (`foresee`), with what its log or its folder says and with the settings given here; an
 * executor that runs elsewhere uses its own. Nothing is written.
 * @throws Failure as reading them does.
 */
export async function foreseen(
  plan: Plan,
  channel: Channel,
  systems: Systems,
  { overCeilings, signal }: { readonly overCeilings: boolean; readonly signal: AbortSignal },
): Promise<readonly Foreseen[]> {
  if (plan.entries.length === 0) return [];
  const { cluster, config, stateDir } = channel;
  const known =
    stateDir === undefined
      ? await onKafka(plan, channel, signal)
      : await inFolder(plan, channel, stateDir);
  const found = await foresee(
    plan,
    {
      ...known,
      cluster,
      systems,
      settings: config.executor,
      overCeilings,
      clock: () => new Date(),
    },
    signal,
  );
  // For a cluster that is not ours not even the lock is requested.
  const isForeign = found.some(({ stays }) => stays?.code === 'other-cluster');
  const fenced =
    stateDir === undefined || isForeign ? undefined : await fencedBy(stateDir, systems, signal);
  return fenced === undefined
    ? found
    : plan.entries.map((entry) => ({ entry, stays: { code: 'fenced', reason: fenced } }));
}

async function onKafka(
  plan: Plan,
  { cluster, partition, options }: Channel,
  signal: AbortSignal,
): Promise<Known> {
  const log = await openLog(options);
  try {
    const read = (from: bigint) => log.read(CONTROL, partition, from, MAX_RECORDS);
    return {
      decided: await decidedIn(read, [], cluster),
      ...(await ledgerOfLog(log, signal, (ledger) => taken(ledger, plan))),
    };
  } finally {
    await log.close();
  }
}

async function inFolder(
  plan: Plan,
  { cluster, partition }: Channel,
  stateDir: string,
): Promise<Known> {
  const log = join(stateDir, FILES.log);
  const file = join(stateDir, FILES.executor);
  return {
    decided: await decidedIn(
      async (from) =>
        existsSync(log)
          ? readBeside(log, CONTROL, partition, from, MAX_RECORDS)
          : { records: [], next: from },
      waitingIn(stateDir),
      cluster,
    ),
    ...(existsSync(file)
      ? readLedger(file, (ledger, owners) => taken(ledger, plan, owners.get(cluster)))
      : NOTHING_DONE),
  };
}

/** What is read from a ledger, kept after it is closed. */
function taken(
  ledger: LedgerReader,
  { cluster, entries }: Plan,
  owner?: Whose['owner'],
): Omit<Known, 'decided'> {
  const spent = ledger.spent(cluster, Date.now() - HOUR_MS);
  const states = new Map(entries.map(({ id }) => [id, ledger.stateOf(id)]));
  return {
    ledger: { spent: () => spent, stateOf: (id) => states.get(id) },
    whose: { owner, newest: ledger.newestIdentity(cluster) },
  };
}

const NOTHING_DONE: Omit<Known, 'decided'> = {
  ledger: {
    spent: () => ({ all: 0, byRule: new Map(), byVpc: new Map(), bySubnet: new Map() }),
    stateOf: () => undefined,
  },
  whose: { owner: undefined, newest: undefined },
};

/**
 * Where this process would act itself: why it could not, since another executor has the Northbound.
 */
async function fencedBy(
  stateDir: string,
  systems: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (existsSync(join(stateDir, FILES.log))) {
    const log = takeLog(stateDir);
    if (log === undefined) return undefined; // a pipeline runs on it, and would act
    await log.close();
  }
  try {
    await takeLock(systems, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'fenced') throw error;
    return error.message;
  }
}
