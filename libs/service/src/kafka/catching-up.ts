import type { Watermarks } from '@ovn-steward/shared/log/log';
import type { Definition, Meter } from '../meter/definition';
import type { Lack } from '../work/lack';

/**
 * A group may have more readers than there are partitions: a reader without any for so long stands
 * by.
 */
const STANDBY_AFTER_MS = 15_000;
/**
 * Something waits to be read and nothing was, though the log answers: only a new process would
 * help.
 */
const STUCK_AFTER_MS = 600_000;
/** A log that did not answer for so long counts as unreachable. */
const ANSWERS_WITHIN_MS = 60_000;
/** How often the ends of the partitions are read. */
const REFRESH_EVERY_MS = 5000;

export interface CatchingUpOptions {
  readonly watermarks: (partition: number) => Promise<Watermarks>;
  /** Up to where the partition is worked through; undefined when it is not held. */
  readonly position: (partition: number) => bigint | undefined;
  /** Called when a partition is worked through up to what was its end when it was assigned. */
  readonly onCaughtUp: (partition: number) => void;
  /** Milliseconds on a clock that only runs forward. */
  readonly elapsed?: () => number;
}

/** Knows of every partition held how far it is from its end. */
export interface CatchingUp {
  opened(partition: number): void;
  closed(partition: number): void;
  /** A sign of life: a batch was worked through. */
  moved(): void;
  /**
   * Reading failed with this reason, and is tried again after so many milliseconds: until
   * partitions come, or it goes well for a while, it is not ready.
   */
  failed(reason: string, retryInMs: number): void;
  /**
   * Reads the ends of the partitions from the log; call it now and then. A log that does not answer
   * changes nothing.
   */
  refresh(): Promise<void>;
  /** Offsets from the end, by partition; those whose end is not known yet are not there. */
  lags(): ReadonlyMap<number, number>;
  isCaughtUp(partition: number): boolean;
  missing(): readonly Lack[];
  stuck(): string | undefined;
}

interface Held {
  /** Its end when it was given; undefined until the log said so. */
  target?: bigint;
  end?: bigint;
  caughtUp: boolean;
}

export function catchingUp({
  watermarks,
  position,
  onCaughtUp,
  elapsed = () => performance.now(),
}: CatchingUpOptions): CatchingUp {
  const held = new Map<number, Held>();
  /** Since when it holds none: from the start, or since the last one was taken. */
  let noneSince = elapsed();
  let hadSome = false;
  /** Why reading failed last; undefined once it gave partitions. */
  let failure: string | undefined;
  /** Since when something waits and nothing was read. */
  let waitingSince: number | undefined;
  let answeredAt = -Infinity;
  const at = (partition: number): bigint => position(partition) ?? 0n;
  const lagOf = (partition: number, { end }: Held): number =>
    end === undefined ? 0 : Math.max(0, Number(end - at(partition)));

  const waiting = (): number[] =>
    [...held].filter(([partition, it]) => lagOf(partition, it) > 0).map(([partition]) => partition);

  const refreshOne = async (partition: number, state: Held): Promise<void> => {
    const { high } = await watermarks(partition);
    answeredAt = elapsed();
    state.end = high;
    state.target ??= high;
    if (!state.caughtUp && at(partition) >= state.target && held.get(partition) === state) {
      state.caughtUp = true;
      onCaughtUp(partition);
    }
  };

  return {
    opened: (partition) => {
      const partitionState: Held = { caughtUp: false };
      held.set(partition, partitionState);
      hadSome = true;
      failure = undefined;
      refreshOne(partition, partitionState).catch(() => undefined);
    },
    closed: (partition) => {
      if (held.delete(partition) && held.size === 0) noneSince = elapsed();
    },
    moved: () => {
      waitingSince = undefined;
    },
    failed: (reason, retryInMs) => {
      waitingSince = undefined;
      failure = reason;
      // A reader that is refused is given nothing either, and does not stand by.
      noneSince = elapsed() + retryInMs;
    },
    async refresh() {
      await Promise.all(
        [...held].map(([partition, it]) => refreshOne(partition, it).catch(() => undefined)),
      );
      waitingSince = waiting().length > 0 ? (waitingSince ?? elapsed()) : undefined;
    },
    lags: () =>
      new Map(
        [...held]
          .filter(([, it]) => it.end !== undefined)
          .map(([partition, it]) => [partition, lagOf(partition, it)]),
      ),
    isCaughtUp: (partition) => held.get(partition)?.caughtUp === true,
    missing() {
      if (held.size === 0)
        return elapsed() - noneSince > STANDBY_AFTER_MS
          ? []
          : [failure === undefined ? noPartitions(hadSome) : { what: 'log', detail: failure }];
      return [...held]
        .filter(([, it]) => !it.caughtUp)
        .map(([partition, { target }]) => ({
          what: `partition ${partition}`,
          detail:
            target === undefined
              ? 'where it ends is not known yet'
              : `read up to ${at(partition)}; it went to ${target} when it was given`,
        }));
    },
    stuck() {
      const still = waitingSince === undefined ? 0 : elapsed() - waitingSince;
      if (still < STUCK_AFTER_MS || elapsed() - answeredAt > ANSWERS_WITHIN_MS) return undefined;
      return `Nothing was read for ${Math.round(still / 1000)} s, though the log answers and has more in partition ${waiting().join(', ')}`;
    },
  };
}

const noPartitions = (hadSome: boolean): Lack => ({
  what: 'partitions',
  detail: hadSome ? 'those it had were taken, and none was given since' : 'none was given yet',
});

/** Reads the ends of the partitions every few seconds, as long as the work goes on. */
export async function refreshing(
  progress: Pick<CatchingUp, 'refresh'>,
  work: Promise<void>,
): Promise<void> {
  const timer = setInterval(() => void progress.refresh(), REFRESH_EVERY_MS);
  await work.finally(() => clearInterval(timer));
}

/** Sets a gauge with the label `partition` to the lags, in place of what it had. */
export function showLags(
  meter: Pick<Meter, 'reset' | 'set'>,
  gauge: Definition<'partition'>,
  progress: Pick<CatchingUp, 'lags'> | undefined,
): void {
  meter.reset(gauge);
  for (const [partition, lag] of progress?.lags() ?? [])
    meter.set(gauge, { partition: String(partition) }, lag);
}
