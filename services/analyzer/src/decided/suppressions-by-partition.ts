import { pause } from '@ovn-steward/shared/pause';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import { messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { Suppressions } from './suppressions';

/** How often decisions are read: a suppression is published within seconds. */
const POLL_INTERVAL_MS = 1000;

export interface SuppressionsOptions {
  /** Where they are read from, with their signers; people suppress nothing unless given. */
  readonly decisions?: Pick<Log, 'read'>;
  readonly clock: () => Date;
  /** Called once for each time they cannot be read, until they can. Must not throw. */
  readonly onUnread: (partition: number, error: string) => void;
}

/** What people suppress, in every partition that was read. */
export class SuppressionsByPartition {
  readonly #options: SuppressionsOptions;
  readonly #ofPartition = new Map<number, { readonly of: Suppressions; checkedAt: number }>();
  readonly #unread = new Set<number>();

  constructor(options: SuppressionsOptions) {
    this.#options = options;
  }

  /** What is suppressed in a cluster; undefined while it is not known. */
  of(partition: number, cluster: string): Iterable<Keeping> | undefined {
    if (this.#options.decisions === undefined) return [];
    return this.#ofPartition.get(partition)?.of.of(cluster);
  }

  /**
   * Reads on, and says whether something may be suppressed otherwise than at the last call: by a
   * decision, or since its time is over. Never throws.
   */
  async changed(partition: number): Promise<boolean> {
    const { decisions, clock, onUnread } = this.#options;
    if (decisions === undefined) return false;
    const now = clock().getTime();
    const known = this.#ofPartition.get(partition) ?? {
      of: new Suppressions(decisions, partition),
      checkedAt: now,
    };
    this.#ofPartition.set(partition, known);
    const isOver = known.of.endsBetween(known.checkedAt, now);
    known.checkedAt = now;
    try {
      const isOther = await known.of.readOn();
      this.#unread.delete(partition);
      return isOther || isOver;
    } catch (error) {
      if (!this.#unread.has(partition)) onUnread(partition, messageOf(error));
      this.#unread.add(partition);
      return isOver;
    }
  }
}

/**
 * Runs the work each second until the signal fires.
 * @param work must not throw.
 */
export async function eachSecond(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await pause(POLL_INTERVAL_MS, signal);
  }
}
