import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import type { Proposal } from '../../findings/proposal';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import type { Cluster } from './cluster';
import { type FuzzedExecutor, fuzzedExecutor } from './executor';
import { type Gate, gatedLog, gatedNorthbound, gateKubernetes } from './gates';
import { EXECUTOR, logOf } from '../signing';
import { steadyLimiter } from './limits';
import { connectionsReader, leaseReader, lendLease } from './controller';
import { createFollower } from './follower';
import { tearLists } from './outages';
import type { Referee, Watched } from './referee';
import type { Limited, Moment } from './referee/moments';
import { type Compass, createCompass, forbidKubernetesAbroad, systemsBy } from './astray';
import { viewed } from './schema-view';
import type { SteadyClock } from './steady-clock';
import type { Systems } from '@ovn-steward/systems/systems';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';

/** How likely each is, at one gate. */
const LOSE = 0.03;
const RUN_TWICE = 0.02;
const UNREADABLE = 0.004;
const TORN = 0.1;

/** One process: an executor, and what became of the machine it runs on. */
export interface Process {
  readonly executor: FuzzedExecutor;
  readonly file: StateFile;
  /** Its clock less the cluster's, in milliseconds. */
  skew: number;
  /** Its turn, while there is one. */
  turn: Promise<unknown> | undefined;
  dead: boolean;
  /** Lets it go on, while it stands still. */
  goOn: (() => void) | undefined;
  standing: Promise<void> | undefined;
  /** Settles its caller when it dies or stands still. */
  stopped: () => void;
  /** Its client of the API server, whose account may lose rights. */
  readonly kubernetes: MemoryKubernetes;
  /** Which way its requests go. */
  readonly compass: Compass;
  /** Called when a turn of it begins. */
  begins: () => void;
}

/** All of the history that a process lives in. */
export interface Surroundings {
  readonly cluster: Cluster;
  /** Another one of the same names. */
  readonly abroad: Cluster;
  readonly referee: Referee;
  readonly log: Log;
  readonly partition: number;
  readonly settings: Settings['executor'];
  readonly clock: SteadyClock;
  readonly proposals: () => readonly Proposal[];
  /** The cluster's clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Nothing goes wrong any more. */
  readonly isQuiet: () => boolean;
  /** Passed by each process between any two of its steps. */
  readonly gate: (process: Process) => Promise<void>;
  readonly isOwner: (process: Process) => boolean;
}

/** A process that has read the log and can have turns. */
export async function startProcess(
  name: string,
  { file, skew }: Pick<Process, 'file' | 'skew'>,
  around: Surroundings,
): Promise<Process> {
  const { cluster, referee, isQuiet } = around;
  const { random } = cluster;
  const process: { -readonly [K in keyof Process]: Process[K] } = {
    file,
    skew,
    turn: undefined,
    dead: false,
    goOn: undefined,
    standing: undefined,
    stopped: () => undefined,
    begins: () => undefined,
    compass: createCompass(),
    kubernetes: undefined as never,
    executor: undefined as never,
  };
  const gate: Gate = () => around.gate(process);
  const now = (): number => around.now() + process.skew;
  const lost = (): 'lose-request' | 'lose-reply' | undefined =>
    isQuiet() || !random.chance(LOSE)
      ? undefined
      : random.pick(['lose-request', 'lose-reply'] as const);
  const fault: MemoryKubernetes['fault'] = ({ verb }) =>
    verb === 'delete' || verb === 'evict' || verb === 'patch' || verb === 'create'
      ? lost()
      : !isQuiet() && random.chance(UNREADABLE)
        ? new Failure('source-unreachable', 'no answer')
        : undefined;
  const lease = leaseReader(now);
  const connections = connectionsReader(now);
  const moment = (): Moment => ({
    wall: now(),
    steady: around.clock.now(),
    decisions: referee.counts().decisions,
  });
  const at: { turn: Moment; placed: Moment | undefined } = { turn: moment(), placed: undefined };
  process.begins = () => void (at.turn = moment());
  const limited: Limited = {
    settings: around.settings,
    started: { ...moment(), removals: referee.counts().removals },
    turn: () => at.turn,
    placed: () => at.placed,
    leaseMovedAt: lease.movedAt,
    northboundMovedAt: connections.movedAt,
  };
  const watched: Watched = {
    about: () => process.executor.about(),
    of: (id) => process.executor.ledger.get(id),
    before: (id) => process.executor.before(id),
    now,
    way: () => process.compass.way(),
    limited,
  };
  const limiter = steadyLimiter(around.settings.rate, around.clock, () =>
    gate('waits for the rate'),
  );
  const home = ((): Systems => {
    const kubernetes = cluster.kubernetes.peer();
    const { database } = cluster.northbound;
    database.fault = () =>
      database.cid !== undefined && !isQuiet() && random.chance(RUN_TWICE) ? 'run-twice' : lost();
    gateKubernetes(kubernetes, gate, referee.watch(kubernetes, watched), fault);
    tearLists(kubernetes, cluster, isQuiet, TORN);
    lendLease(kubernetes, cluster.controller);
    process.kubernetes = kubernetes;
    const shown = viewed(cluster.northbound.peer(), () => cluster.shown.view);
    const northbound = gatedNorthbound(shown, gate, (operations) =>
      referee.sends(watched, operations),
    );
    return { northbound, kubernetes };
  })();
  const abroad = ((): Systems => {
    const kubernetes = around.abroad.kubernetes.peer();
    gateKubernetes(
      kubernetes,
      gate,
      forbidKubernetesAbroad(kubernetes, process.compass, referee),
      fault,
    );
    lendLease(kubernetes, around.abroad.controller);
    return {
      northbound: gatedNorthbound(around.abroad.northbound.peer(), gate, () => undefined),
      kubernetes,
    };
  })();
  const log = gatedLog(logOf(around.log, EXECUTOR, now), gate, lost);
  // Read at once, and between two gates: nothing is to lie between the answer and what is sent.
  const control = createFollower(logOf(around.log, EXECUTOR, now), around.partition);
  process.executor = await fuzzedExecutor({
    name,
    systems: systemsBy(home, abroad, process.compass),
    log,
    partition: around.partition,
    file,
    settings: around.settings,
    proposals: around.proposals,
    control,
    fresh: async () => {
      await gate('before control');
      return control.readOn();
    },
    clock: () => new Date(now()),
    onAction: (it) => referee.read(it, watched),
    leaseRead: lease.read,
    connectionsRead: connections.read,
    limiter: {
      async take(withinMs, signal) {
        const took = await limiter.take(withinMs, signal);
        if (withinMs > 0 && took) at.placed = moment();
        return took;
      },
      used: (count) => limiter.used(count),
    },
    pause: async (ms) => {
      around.clock.pass(ms);
      await gate('waits for the Lease');
    },
    fence: async () => {
      await gate('fence');
      if (!around.isOwner(process))
        throw new Failure('log-partition-lost', 'another executor has the cluster');
    },
  });
  return process;
}

/** Runs it until its turn is done, or it dies or stands still. */
export async function runTurn(process: Process, referee: Referee): Promise<void> {
  const stopped = new Promise<void>((resolve) => (process.stopped = resolve));
  if (process.turn === undefined) process.begins();
  process.turn ??= process.executor.turn().then(
    (ended) => {
      process.turn = undefined;
      if (ended === 'ended') process.dead = true;
      else referee.settle();
    },
    (error: unknown) => {
      process.turn = undefined;
      process.dead = true;
      referee.offend('unexpectedErrors', errorText(error));
    },
  );
  await Promise.race([process.turn, stopped]);
}

export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? messageOf(error)) : String(error);

/** It ends at once, and nothing of it is ever heard again. */
export function kill(process: Process): Promise<never> {
  process.dead = true;
  process.stopped();
  return new Promise(() => undefined);
}

/** It stands still, as a whole, until it is let go on. */
export function stand(process: Process): Promise<void> {
  // Another of its requests came to this first.
  if (process.standing) return process.standing;
  process.standing = new Promise((resolve) => {
    process.goOn = () => {
      process.standing = undefined;
      resolve();
    };
  });
  process.stopped();
  return process.standing;
}
