import { aboutOf } from '@ovn-steward/contracts/control/control-about';
import { endOfKeeping, type Keeping, keepingBy } from '@ovn-steward/contracts/control/keeping';
import { newestOf, nothingRead } from '@ovn-steward/contracts/control/newest-of';
import { readControl } from '@ovn-steward/contracts/control/read-control';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log, LogRecord } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';

const MAX_RECORDS = 500;

/**
 * What people suppressed in the clusters of one partition, as the control topic says. Only what is
 * understood and, where decisions must be signed, proven suppresses anything: what is not is
 * reported. The executor errs on the other side: it keeps what may be meant.
 */
export class Suppressions {
  readonly #log: Pick<Log, 'read'>;
  readonly #partition: number;
  #newest = nothingRead();
  #position = 0n;
  #byCluster = new Map<string, Map<string, Keeping>>();
  #known = false;

  /**
   * @param log one that names the signer of each record (`LogRecord.origin`), where that is to be
   *   proven.
   */
  constructor(log: Pick<Log, 'read'>, partition: number) {
    this.#log = log;
    this.#partition = partition;
  }

  /** As far as it was read; undefined until the topic was read to its end once. */
  of(cluster: string): Iterable<Keeping> | undefined {
    return this.#known ? (this.#byCluster.get(cluster)?.values() ?? []) : undefined;
  }

  /**
   * The first end that lies between the moments, ms since 1970: then something is suppressed no
   * more.
   */
  endsBetween(after: number, through: number): boolean {
    return [...this.#byCluster.values()].some((of) =>
      [...of.values()].some((it) => after < endOfKeeping(it) && endOfKeeping(it) <= through),
    );
  }

  /**
   * Reads on to the topic's end. Returns whether something may be suppressed otherwise than before.
   * @throws Failure as reading does.
   */
  async readOn(): Promise<boolean> {
    let changed = !this.#known;
    try {
      for (;;) {
        const { records, next } = await this.#log.read(
          CONTROL,
          this.#partition,
          this.#position,
          MAX_RECORDS,
        );
        if (records.length === 0 && next === this.#position) break;
        for (const record of records) changed = this.#take(record) || changed;
        this.#position = next;
      }
    } catch (error) {
      // What was read goes on until the topic was read again: compaction may have taken what it
      // rests on.
      if (error instanceof Failure && error.code === 'log-position-lost') this.#reset();
      throw error;
    }
    this.#known = true;
    return changed;
  }

  #reset(): void {
    this.#newest = nothingRead();
    this.#position = 0n;
    this.#known = false;
    this.#byCluster = new Map();
  }

  #take(record: LogRecord): boolean {
    const { fold, aside } = newestOf([record], this.#newest, readControl);
    // An old suppression that was appended again would hide what is open.
    if (aside[0]?.refused === 'replayed') return false;
    let changed = false;
    for (const { key, read } of fold) {
      const about = aboutOf(key);
      if (about?.kind !== 'suppress') continue;
      const of = this.#byCluster.get(about.cluster) ?? new Map<string, Keeping>();
      this.#byCluster.set(about.cluster, of);
      const keeping = 'control' in read ? keepingBy(read.control) : undefined;
      if (keeping === undefined) changed = of.delete(about.id) || changed;
      else {
        of.set(about.id, keeping);
        changed = true;
      }
    }
    return changed;
  }
}
