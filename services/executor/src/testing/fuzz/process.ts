import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { type ControlState, without } from '../../control/control-state';
import type { Proposal } from '../../proposal';
import type { Settings } from '@ovn-steward/shared/settings';
import type { ExecutorFile } from '../../store/executor-file';
import type { Cluster } from './cluster';
import { type FuzzedExecutor, fuzzedExecutor } from './executor';
import { type Gate, gatedLog, gatedNorthbound, gateKubernetes } from './gates';
import type { Referee } from './referee';

/** How likely each is, at one gate. */
const LOSE = 0.03;
const UNREADABLE = 0.004;

/** One process: an executor, and what became of the machine it runs on. */
export interface Process {
  readonly executor: FuzzedExecutor;
  readonly file: ExecutorFile;
  /** Its clock less the cluster's, in milliseconds. */
  readonly skew: number;
  /** Its turn, while there is one. */
  turn: Promise<unknown> | undefined;
  dead: boolean;
  /** Lets it go on, while it stands still. */
  goOn: (() => void) | undefined;
  standing: Promise<void> | undefined;
  /** Settles its caller when it dies or stands still. */
  stopped: () => void;
  /** What people decided, as this process follows it. */
  decided: ControlState;
}

/** All of the history that a process lives in. */
export interface Surroundings {
  readonly cluster: Cluster;
  readonly referee: Referee;
  readonly log: Log;
  readonly partition: number;
  readonly settings: Settings['executor'];
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
  { file, skew, decided }: Pick<Process, 'file' | 'skew' | 'decided'>,
  around: Surroundings,
): Promise<Process> {
  const { cluster, referee, isQuiet } = around;
  const { random } = cluster;
  const process: { -readonly [K in keyof Process]: Process[K] } = {
    file,
    skew,
    decided,
    turn: undefined,
    dead: false,
    goOn: undefined,
    standing: undefined,
    stopped: () => undefined,
    executor: undefined as never,
  };
  const gate: Gate = () => around.gate(process);
  const now = (): number => around.now() + skew;
  const kubernetes = cluster.kubernetes.peer();
  const lost = (): 'lose-request' | 'lose-reply' | undefined =>
    isQuiet() || !random.chance(LOSE)
      ? undefined
      : random.pick(['lose-request', 'lose-reply'] as const);
  cluster.northbound.database.fault = () => lost();
  const watched = { about: () => process.executor.about(), now };
  gateKubernetes(kubernetes, gate, referee.watch(kubernetes, watched), ({ verb }) =>
    verb === 'delete' || verb === 'evict' || verb === 'patch' || verb === 'create'
      ? lost()
      : !isQuiet() && random.chance(UNREADABLE)
        ? new Failure('source-unreachable', 'no answer')
        : undefined,
  );
  process.executor = fuzzedExecutor({
    name,
    systems: {
      northbound: gatedNorthbound(cluster.northbound.peer(), gate, (operations) =>
        referee.sends(watched, operations),
      ),
      kubernetes,
    },
    log: gatedLog(around.log, gate, lost),
    partition: around.partition,
    file,
    settings: around.settings,
    proposals: around.proposals,
    decided: () => process.decided,
    fresh: async () => {
      await gate('before control');
      return process.decided;
    },
    forget: (over) => void (process.decided = without(process.decided, new Set(over))),
    clock: () => new Date(now()),
    onAction: (it) => referee.hear(it),
    fence: async () => {
      await gate('fence');
      if (!around.isOwner(process))
        throw new Failure('log-partition-lost', 'another executor has the cluster');
    },
  });
  await process.executor.start();
  return process;
}

/** Runs it until its turn is done, or it dies or stands still. */
export async function runTurn(it: Process, referee: Referee): Promise<void> {
  const stopped = new Promise<void>((resolve) => (it.stopped = resolve));
  it.turn ??= it.executor.turn().then(
    (ended) => {
      it.turn = undefined;
      if (ended === 'ended') it.dead = true;
      else referee.settle();
    },
    (error: unknown) => {
      it.turn = undefined;
      it.dead = true;
      referee.offend('unexpectedErrors', errorText(error));
    },
  );
  await Promise.race([it.turn, stopped]);
}

export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? messageOf(error)) : String(error);

/** It ends at once, and nothing of it is ever heard again. */
export function kill(it: Process): Promise<never> {
  it.dead = true;
  it.stopped();
  return new Promise(() => undefined);
}

/** It stands still, as a whole, until it is let go on. */
export function stand(it: Process): Promise<void> {
  it.standing = new Promise((resolve) => {
    it.goOn = () => {
      it.standing = undefined;
      resolve();
    };
  });
  it.stopped();
  return it.standing;
}
