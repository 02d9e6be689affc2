import { pause } from '@ovn-steward/shared/pause';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@ovn-steward/shared/errors';
import {
  type Control,
  type EffectiveDecision,
  KEEPING,
} from '@ovn-steward/contracts/control/control';
import {
  encodeControl,
  encodeForgottenControl,
} from '@ovn-steward/contracts/control/control-codec';
import type { Log } from '@ovn-steward/shared/log/log';
import { CONTROL } from '@ovn-steward/shared/log/topics';
import type { ControlState } from './control-state';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
const ENDS: ReadonlySet<string> = new Set(Object.values(KEEPING).map((it) => it.ends));
/** How many ended decisions are published: nobody waits for older ones. */
const MOST_ENDS = 200;
/** How long the end waits for a log that does not answer; milliseconds. */
const LAST_WORD_MS = 2000;

export interface PublishHeardOptions {
  readonly log: Pick<Log, 'append'>;
  readonly cluster: string;
  /** The cluster's. */
  readonly partition: number;
  /** Of this executor; where records are signed, of its key. */
  readonly name: string;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  /** Called with failures, one sentence each. Must not throw. */
  readonly onTrouble: (message: string) => void;
}

/**
 * Publishes in the log which holds and resumes an executor respects, so that the person who sent one
 * sees that it was received: one record for each change.
 */
export class HeardPublisher {
  readonly #options: PublishHeardOptions;
  /** When it began to follow decisions, as it says. */
  #since: string | undefined;
  #published: string | undefined;
  #wanted: ControlState | undefined;
  /** Who says to be this one, as it was read last. */
  #current: string | undefined;
  #publishing: Promise<void> = Promise.resolve();

  constructor(options: PublishHeardOptions) {
    this.#options = options;
  }

  /**
   * This is respected from now on: it is said in the log, unless it says of holds what was said last.
   * Must not be waited for.
   */
  publish(state: ControlState): void {
    this.#current = state.heard.get(this.#options.name)?.since;
    const idle = this.#wanted === undefined;
    this.#wanted = state;
    if (idle) this.#publishing = this.#untilPublished();
  }

  /**
   * Says that this executor follows no more; to be called when the signal has fired. Settles within
   * seconds, and never rejects.
   */
  async end(): Promise<void> {
    await this.#publishing;
    // Another of the same name may have begun.
    const isOthers = this.#current !== undefined && this.#current !== this.#since;
    if (this.#published === undefined || isOthers) return;
    const { log, partition, clock } = this.#options;
    const mine: Control = { type: 'heard', ...this.#common(), at: '', since: '', decisions: [] };
    const appended = log.append(CONTROL, partition, [
      encodeForgottenControl(mine, clock().getTime()),
    ]);
    // Best effort: an executor that crashes does not publish this either, and its successor
    // publishes its own record.
    await Promise.race([
      appended.catch(() => undefined),
      sleep(LAST_WORD_MS, undefined, { ref: false }),
    ]);
  }

  async #untilPublished(): Promise<void> {
    const { signal, onTrouble } = this.#options;
    for (let pauseMs = FIRST_PAUSE_MS; this.#wanted !== undefined && !signal.aborted;) {
      const state = this.#wanted;
      try {
        await this.#publish(state);
        if (this.#wanted === state) this.#wanted = undefined;
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        onTrouble(
          `Holds are applied, but their acknowledgement cannot be published: ${messageOf(error)}`,
        );
        await pause(pauseMs, signal);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  async #publish(state: ControlState): Promise<void> {
    const { log, partition, name, clock } = this.#options;
    const decisions = effectiveIn(state);
    const text = JSON.stringify(decisions);
    if (text === this.#published) return;
    this.#since ??= laterThanAll(state, name, clock());
    const at = clock();
    const control: Control = {
      type: 'heard',
      ...this.#common(),
      at: at.toISOString(),
      since: this.#since,
      decisions: [...decisions],
    };
    await log.append(CONTROL, partition, [encodeControl(control, at.getTime())]);
    this.#published = text;
  }

  #common() {
    const { cluster, name } = this.#options;
    return { version: 1 as const, id: randomUUID(), cluster, by: name };
  }
}

function effectiveIn({ effective }: ControlState): readonly EffectiveDecision[] {
  const all = [...effective.values()];
  const ends = all.filter((it) => ENDS.has(it.type)).slice(-MOST_ENDS);
  return [...all.filter((it) => !ENDS.has(it.type)), ...ends];
}

/** Who begins last acts, whatever clocks say. */
function laterThanAll({ heard }: ControlState, name: string, now: Date): string {
  const others = [...heard].flatMap(([by, { since }]) => (by === name ? [] : [Date.parse(since)]));
  return new Date(
    Math.max(now.getTime(), ...others.filter(Number.isFinite).map((it) => it + 1)),
  ).toISOString();
}
