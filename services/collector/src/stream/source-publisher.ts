import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { isUnreadStream } from '@ovn-steward/shared/kinds';
import {
  deliverStep,
  type DeliverStepOptions,
  type PublishedChanges,
  Undelivered,
} from './deliver-step';
import type { Observation, Source } from '../source-kit/source';
import { type StreamStep, ObservedStream, type StreamOptions } from './observed-stream';

export interface SourcePublisherOptions extends DeliverStepOptions, Omit<StreamOptions, 'owner'> {
  readonly clock: () => Date;
  /**
   * Runs what it is given once all it was given before has ended: one step at a time, whichever
   * source it comes from.
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Streams that must be read again, for whatever reason; taken from it once that has begun. */
  readonly disturbed: Set<string>;
  readonly onPublished: (
    stream: string,
    changes: readonly Change[],
    published: PublishedChanges | undefined,
  ) => Promise<void>;
}

/**
 * One source's way into the log. Once the signal fires nothing more is published: a step left out
 * must have no successor.
 */
export class SourcePublisher {
  readonly #options: SourcePublisherOptions;
  readonly #owner: Pick<Source, 'id' | 'source'>;
  readonly #signal: AbortSignal;
  readonly #streams = new Map<string, ObservedStream>();

  constructor(
    options: SourcePublisherOptions,
    owner: Pick<Source, 'id' | 'source'>,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#owner = owner;
    this.#signal = signal;
  }

  /** Says whether a full read was completed by it. */
  async publish(observations: Iterable<Observation>): Promise<{ readonly completed: boolean }> {
    const check = (): void => this.#mustBeUndisturbed();
    check();
    return this.#take(observations, check);
  }

  /** The heartbeats held back, now that nothing more will come. */
  async end(): Promise<void> {
    for (const stream of this.#streams.values())
      for (const step of stream.lastHeartbeat(this.#now())) await this.#send(step);
  }

  /** The source starts again: what it says next must begin with a full read. */
  restart(): void {
    for (const stream of this.#streams.values()) {
      stream.restart();
      this.#options.disturbed.delete(stream.name);
    }
  }

  /**
   * Publishes that none of the source's streams can be known now, also those that only an earlier
   * process read.
   */
  async unreachable(detail: string): Promise<void> {
    const read = this.#options.mirror
      .streamsOf(this.#owner)
      .filter(({ stream }) => !isUnreadStream(stream));
    const lost = read.map(({ stream, kinds }): Observation => ({
      type: 'unavailable',
      stream,
      kinds,
      reason: 'unreachable',
      detail,
    }));
    await this.#take(lost, () => undefined);
  }

  async #take(
    observations: Iterable<Observation>,
    check: () => void,
  ): Promise<{ readonly completed: boolean }> {
    const observedAt = this.#now();
    const touched = new Set<ObservedStream>();
    let completed = false;
    for (const observation of observations) {
      const stream = this.#streamOf(observation.stream);
      touched.add(stream);
      for (const step of stepsOf(stream, observation, observedAt)) {
        await this.#send(step);
        check();
      }
      completed ||= observation.type === 'complete';
    }
    for (const stream of touched) for (const step of stream.rest()) await this.#send(step);
    check();
    return { completed };
  }

  async #send(step: StreamStep): Promise<void> {
    await this.#options.inTurn(async () => {
      if (this.#signal.aborted) return;
      const done = await deliverStep(this.#options, step, this.#signal);
      if (done) await this.#options.onPublished(step.stream, step.changes, done.published);
    });
  }

  #streamOf(name: string): ObservedStream {
    const known = this.#streams.get(name);
    if (known) return known;
    const stream = new ObservedStream(name, { ...this.#options, owner: this.#owner });
    this.#streams.set(name, stream);
    this.#options.disturbed.delete(name); // it will be read now in any case
    return stream;
  }

  /** What the mirror holds in doubt is not to be followed, only to be read in full. */
  #mustBeUndisturbed(): void {
    const found = [...this.#streams.keys()].filter((it) => this.#options.disturbed.delete(it));
    if (found.length > 0)
      throw new Failure(
        'source-expired',
        `Another process published changes of ${found.join(', ')} meanwhile: the source is read again.`,
      );
  }

  #now(): string {
    return this.#options.clock().toISOString();
  }
}

/**
 * A broken rule is the source's doing; anything else that fails while a change is made is ours, and
 * no restart of the source mends it.
 */
function* stepsOf(
  stream: ObservedStream,
  observation: Observation,
  observedAt: string,
): Generator<StreamStep> {
  try {
    yield* stream.take(observation, observedAt);
  } catch (cause) {
    throw cause instanceof Failure && cause.code === 'source-broken'
      ? cause
      : new Undelivered(messageOf(cause), { cause });
  }
}
