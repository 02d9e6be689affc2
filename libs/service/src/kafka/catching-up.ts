import type { Log, Watermarks } from '@ovn-steward/shared/log/log';
import type { Definition, Meter } from '../meter/definition';
import type { Lack } from '../work/lack';

/**
 * A group may have more readers than there are partitions: a member without any for so long stands
 * by, and is ready; milliseconds.
 */
const STANDBY_AFTER_MS = 15_000;
/**
 * With records to read and a log that answers, a reader that read nothing for so long is restarted
 * by its liveness probe; milliseconds.
 */
const STUCK_AFTER_MS = 600_000;
/** A log that did not answer for so long counts as unreachable; milliseconds. */
const ANSWERS_WITHIN_MS = 60_000;
/** How often the ends of the partitions are read; milliseconds. */
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

interface Held {
  /** Its end when it was given; undefined until the log said so. */
  target?: bigint;
  end?: bigint;
  caughtUp: boolean;
}

/** Knows of every partition held how far it is from its end. */
export class CatchingUp {
  readonly #options: Required<CatchingUpOptions>;
  readonly #held = new Map<number, Held>();
  /** Since when it holds none: from the start, or since the last one was taken. */
  #noneSince: number;
  #hadSome = false;
  /** Since when it is a member of its group; undefined while it is not. */
  #memberSince: number | undefined;
  /** Why reading failed last; undefined once it gave partitions. */
  #failure: string | undefined;
  /** Since when something waits and nothing was read. */
  #waitingSince: number | undefined;
  #answeredAt = -Infinity;

  constructor({ elapsed = () => performance.now(), ...options }: CatchingUpOptions) {
    this.#options = { ...options, elapsed };
    this.#noneSince = elapsed();
  }

  /** The log, whose reader is known here as a member of its group, or as none. */
  watching(log: Log): Log {
    return {
      ...log,
      consume: (options) =>
        log.consume({ ...options, onMember: (isMember) => this.#setMember(isMember) }),
    };
  }

  opened(partition: number): void {
    const state: Held = { caughtUp: false };
    this.#held.set(partition, state);
    this.#hadSome = true;
    this.#failure = undefined;
    this.#refreshOne(partition, state).catch(() => undefined);
  }

  closed(partition: number): void {
    if (this.#held.delete(partition) && this.#held.size === 0)
      this.#noneSince = this.#options.elapsed();
  }

  /** A sign of life: a batch was worked through. */
  moved(): void {
    this.#waitingSince = undefined;
  }

  /**
   * Reading failed for this reason and is tried again in `retryInMs`. It is not ready until
   * partitions come, or it stands by.
   */
  failed(reason: string, retryInMs: number): void {
    this.#waitingSince = undefined;
    this.#failure = reason;
    // A reader that is refused is given nothing either, and does not stand by.
    this.#noneSince = this.#options.elapsed() + retryInMs;
  }

  /**
   * Reads the ends of the partitions from the log; call it now and then. A log that does not answer
   * changes nothing.
   */
  async refresh(): Promise<void> {
    await Promise.all(
      [...this.#held].map(([partition, it]) =>
        this.#refreshOne(partition, it).catch(() => undefined),
      ),
    );
    this.#waitingSince =
      this.#waiting().length > 0 ? (this.#waitingSince ?? this.#options.elapsed()) : undefined;
  }

  /** Offsets from the end, by partition; those whose end is not known yet are not there. */
  lags(): ReadonlyMap<number, number> {
    return new Map(
      [...this.#held]
        .filter(([, it]) => it.end !== undefined)
        .map(([partition, it]) => [partition, this.#lagOf(partition, it)]),
    );
  }

  isCaughtUp(partition: number): boolean {
    return this.#held.get(partition)?.caughtUp === true;
  }

  missing(): readonly Lack[] {
    if (this.#held.size === 0) return this.#missingAll();
    return [...this.#held]
      .filter(([, it]) => !it.caughtUp)
      .map(([partition, { target }]) => ({
        what: `partition ${partition}`,
        detail:
          target === undefined
            ? 'where it ends is not known yet'
            : `read up to ${this.#at(partition)}; it went to ${target} when it was given`,
      }));
  }

  stuck(): string | undefined {
    const now = this.#options.elapsed();
    const still = this.#waitingSince === undefined ? 0 : now - this.#waitingSince;
    if (still < STUCK_AFTER_MS || now - this.#answeredAt > ANSWERS_WITHIN_MS) return undefined;
    return `Nothing was read for ${Math.round(still / 1000)} s, though the log answers and there are unread records in partition ${this.#waiting().join(', ')}`;
  }

  /**
   * A reader that cannot join its group is given nothing either: it is no member that stands by.
   */
  #missingAll(): readonly Lack[] {
    const since = Math.max(this.#memberSince ?? Infinity, this.#noneSince);
    if (this.#options.elapsed() - since > STANDBY_AFTER_MS) return [];
    if (this.#failure !== undefined) return [{ what: 'log', detail: this.#failure }];
    return [this.#memberSince === undefined ? NOT_A_MEMBER : noPartitions(this.#hadSome)];
  }

  #setMember(isMember: boolean): void {
    this.#memberSince = isMember ? (this.#memberSince ?? this.#options.elapsed()) : undefined;
  }

  async #refreshOne(partition: number, state: Held): Promise<void> {
    const { high } = await this.#options.watermarks(partition);
    this.#answeredAt = this.#options.elapsed();
    state.end = high;
    state.target ??= high;
    const isCurrent = this.#held.get(partition) === state;
    if (!state.caughtUp && this.#at(partition) >= state.target && isCurrent) {
      state.caughtUp = true;
      this.#options.onCaughtUp(partition);
    }
  }

  #waiting(): number[] {
    return [...this.#held]
      .filter(([partition, it]) => this.#lagOf(partition, it) > 0)
      .map(([partition]) => partition);
  }

  #lagOf(partition: number, { end }: Held): number {
    return end === undefined ? 0 : Math.max(0, Number(end - this.#at(partition)));
  }

  #at(partition: number): bigint {
    return this.#options.position(partition) ?? 0n;
  }
}

const NOT_A_MEMBER: Lack = {
  what: 'partitions',
  detail: 'it did not join its group yet, or not again',
};

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
