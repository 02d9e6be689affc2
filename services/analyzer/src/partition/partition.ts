import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { LogBatch } from '@ovn-steward/shared/log/log';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Checkpoint } from '../store/checkpoint';
import { type Done, doneIn, nothingDone } from './done';
import { engineOptions } from './engine-options';
import { fitting } from './fitting';
import { inSlices, mapped } from './in-slices';
import {
  encodeEvent,
  encodeFinding,
  encodeForgotten,
} from '@ovn-steward/contracts/findings/finding-codec';
import { changesOf, type FindingOrigin } from '@ovn-steward/contracts/findings/finding-origin';
import { judgedFrom } from './judged-from';
import { toDeadLetters, toFindings } from './outgoing';
import type { PartitionOptions } from './partition-options';
import { PartitionPublisher } from './partition-publisher';
import type { Place } from './place';
import { readPublished } from './published';
import { sortBatch } from './sort-batch';
import type { Earlier, Unjudged } from './unjudged';
import { whyRebuild } from './why-rebuild';

const DAY = 24 * 3600 * 1000;
/** A resolved finding stays readable this long, then its key gets a tombstone. */
const RESOLVED_RETENTION_MS = 30 * DAY;
/**
 * Batches that bring nothing to publish are saved together, so often at least: a crash costs their
 * reading again, and nothing else.
 */
const SAVE_EVERY_MS = 5000;
const SAVE_RECORDS = 20_000;

/**
 * One partition of the changes: the world and the findings of every cluster in it, in step with its
 * checkpoint. A batch is one transaction: state, position and what is to be published move
 * together, so a crash anywhere repeats a batch or a publication and invents neither.
 */
export class Partition {
  readonly engines = new Map<string, Engine>();
  readonly #checkpoint: Checkpoint;
  readonly #options: PartitionOptions;
  readonly #publisher: PartitionPublisher;
  #unjudged: Unjudged | undefined;
  #loaded = false;
  /** Folded and judged without anything to publish, and not saved yet. */
  #unsaved = nothingDone();
  #savedAt = -Infinity;
  /** Up to where the engines have read; ahead of the checkpoint by what is unsaved. */
  #next: bigint;
  /**
   * Whether the engines hold what lies before `#next`, all of it and no more: not so in the middle
   * of a batch.
   */
  #whole = true;

  constructor(
    readonly partition: number,
    checkpoint: Checkpoint,
    options: PartitionOptions,
  ) {
    this.#checkpoint = checkpoint;
    this.#options = options;
    this.#publisher = new PartitionPublisher(partition, checkpoint, options);
    this.#next = checkpoint.position;
  }

  get position(): bigint {
    return this.#next;
  }

  /**
   * Where reading is to go on; may be called again between any two batches. Rebuilds what another
   * analyzer went on with meanwhile.
   */
  async resume(): Promise<bigint> {
    this.#saveRest();
    const why = await whyRebuild(this.#checkpoint, this.#unjudged !== undefined, this.#place());
    if (why !== undefined) await this.#rebuild(why);
    else if (!this.#loaded) await this.#takeUp();
    this.#loaded = true;
    const { position } = this.#checkpoint;
    this.#next = position;
    if (this.#unjudged && this.#unjudged.until <= position) {
      const origin = this.#origin(0n, position > 0n ? position - 1n : 0n);
      await this.#restoreAndJudge(this.#unsaved, origin);
      this.#forgetOld(this.#unsaved, origin);
      this.#save();
    }
    await this.#publisher.relay();
    return position;
  }

  /**
   * Folds and judges a batch, and publishes what it brought about once that is saved. Returns how
   * many of its records could not be read.
   * @throws Failure `log-partition-lost` when another analyzer has the partition; then the batch's
   *   findings are not published.
   */
  async take(batch: LogBatch): Promise<{ readonly deadLetters: number }> {
    const origin = this.#origin(batch.records[0]!.offset, batch.records.at(-1)!.offset);
    const { before, after, unreadable } = sortBatch(batch, {
      only: this.#options.only,
      judgedFrom: this.#unjudged?.until ?? 0n,
      publishedBefore: this.#publisher.publishedBefore,
    });
    const done = this.#unsaved;
    this.#whole = false;
    const by = { analyzer: this.#checkpoint.id, at: this.#options.clock() };
    done.outgoing.push(...unreadable.map((it) => toDeadLetters(batch, it.record, it.why, by)));
    for (const [cluster, changes] of before)
      doneIn(done, cluster).moved.push(
        ...this.#engine(cluster).foldUnjudged(changes, this.#unjudged!),
      );
    if (this.#unjudged && batch.next >= this.#unjudged.until)
      await this.#restoreAndJudge(done, origin);
    for (const [cluster, changes] of after) {
      const engine = this.#engine(cluster);
      const applied = await inSlices(engine.applying(changes));
      doneIn(done, cluster).moved.push(...applied.moved);
      this.#stageFindings(done, cluster, applied.findings, origin);
      this.#options.onApplied?.(engine, applied);
    }
    this.#forgetOld(done, origin);
    done.records += batch.records.length;
    this.#next = batch.next;
    this.#whole = true;
    if (
      done.outgoing.length > 0 ||
      done.records >= SAVE_RECORDS ||
      performance.now() - this.#savedAt >= SAVE_EVERY_MS
    ) {
      this.#save();
      await this.#publish();
    }
    if (!this.#unjudged)
      await this.#publisher.publishStatus(
        [...done.clusters.keys()].map((it) => [it, this.#engine(it)]),
      );
    return { deadLetters: unreadable.length };
  }

  /**
   * Shows findings as what is suppressed now says, and publishes those that changed by it. Between
   * two batches only.
   * @throws as `take`.
   */
  async applySuppressions(): Promise<void> {
    if (this.#unjudged || !this.#loaded) return; // what is taken up is shown so once it is judged
    const origin = this.#origin(this.#next, this.#next);
    const done = this.#unsaved;
    for (const [cluster, engine] of this.engines)
      this.#stageFindings(done, cluster, engine.applySuppressions(), origin);
    if (done.outgoing.length === 0) return;
    this.#save();
    await this.#publish();
  }

  close(): void {
    this.#saveRest();
    this.#checkpoint.close();
  }

  /** What was left unsaved, unless a failure left a batch half done: then it is read again. */
  #saveRest(): void {
    if (this.#whole && this.#unsaved.records > 0) this.#save();
    this.#unsaved = nothingDone();
  }

  /** Forgets everything, and takes up what was published. */
  async #rebuild(why: string): Promise<void> {
    const { log, only } = this.#options;
    this.#options.onRebuild?.(why);
    this.engines.clear();
    const { findings, overtaken, through, next } = await readPublished(log, this.partition, only);
    this.#checkpoint.reset(next);
    const { publishedBefore, ...from } = await judgedFrom(0n, through, this.#place());
    this.#publisher.publishedBefore = publishedBefore;
    const earlier = new Map<string, { findings: Finding[]; now: string }>();
    for (const finding of findings) {
      const of = earlier.get(finding.cluster);
      if (of) of.findings.push(finding);
      else earlier.set(finding.cluster, { findings: [finding], now: '' });
    }
    this.#unjudged = { ...from, earlier, stored: false, overtaken };
  }

  /** Goes on where the checkpoint stopped. */
  async #takeUp(): Promise<void> {
    const checkpoint = this.#checkpoint;
    const { position } = checkpoint;
    const earlier = new Map<string, Earlier>();
    for (const { cluster, now } of checkpoint.clusters()) {
      const { world } = this.#engine(cluster);
      world.restoreStreams(checkpoint.streams(cluster));
      await inSlices(mapped(checkpoint.entities(cluster), (it) => world.restoreEntities(it)));
      earlier.set(cluster, { findings: checkpoint.findings(cluster), now });
    }
    const { publishedBefore, ...from } = await judgedFrom(position, position, this.#place());
    this.#publisher.publishedBefore = publishedBefore;
    this.#unjudged = { ...from, earlier, stored: true, overtaken: [] };
  }

  #place(): Place {
    const { log, group, clock } = this.#options;
    return { log, group, clock, partition: this.partition };
  }

  #engine(cluster: string): Engine {
    let engine = this.engines.get(cluster);
    if (!engine)
      this.engines.set(cluster, (engine = createEngine(engineOptions(cluster, this.#options))));
    return engine;
  }

  /** Takes up what was found before, and judges everything: from here on change by change. */
  async #restoreAndJudge(done: Done, origin: FindingOrigin): Promise<void> {
    const { earlier, stored, unwatched, overtaken } = this.#unjudged!;
    this.#unjudged = undefined;
    done.outgoing.push(...overtaken.map((it) => toFindings(encodeEvent(it.id, it.value, origin))));
    for (const cluster of new Set([...this.engines.keys(), ...earlier.keys()])) {
      const engine = this.#engine(cluster);
      const { findings, now } = earlier.get(cluster) ?? { findings: [], now: '' };
      const changed = await inSlices(
        engine.restoring(findings, now > engine.now ? now : engine.now, { unwatched }),
      );
      if (!stored) doneIn(done, cluster).recalled.push(...findings);
      this.#stageFindings(done, cluster, changed, origin);
    }
  }

  #stageFindings(
    done: Done,
    cluster: string,
    findings: readonly Finding[],
    origin: FindingOrigin,
  ): void {
    doneIn(done, cluster).changed.push(...findings);
    const at = this.#options.clock();
    done.outgoing.push(
      ...findings.map((finding) =>
        fitting(toFindings(encodeFinding(finding, origin)), {
          id: `${finding.id}-${finding.revision}`,
          partition: this.partition,
          at,
        }),
      ),
    );
  }

  /** Resolved findings whose time is over, in the clusters whose sources reported a later time. */
  #forgetOld({ clusters, outgoing }: Done, origin: FindingOrigin): void {
    for (const [cluster, of] of clusters) {
      const forgotten = this.#engine(cluster).forgetResolved(RESOLVED_RETENTION_MS);
      of.forgotten.push(...forgotten);
      outgoing.push(...forgotten.map((it) => toFindings(encodeForgotten(it, origin))));
    }
  }

  #save(): void {
    const { clusters, outgoing } = this.#unsaved;
    const steps = [...clusters].map(([cluster, { moved, recalled, changed, forgotten }]) => {
      const engine = this.#engine(cluster);
      return {
        cluster,
        now: engine.now,
        moved,
        streams: engine.streams(),
        findings: [...recalled, ...changed],
        forgotten,
      };
    });
    this.#checkpoint.save({
      position: this.#next,
      at: this.#options.clock().getTime(),
      judged: !this.#unjudged,
      clusters: steps,
      outgoing,
    });
    this.#unsaved = nothingDone();
    this.#savedAt = performance.now();
  }

  async #publish(): Promise<void> {
    await this.#publisher.publish(this.#unjudged ? undefined : this.#next);
  }

  #origin(first: bigint, last: bigint): FindingOrigin {
    return { analyzer: this.#checkpoint.id, changes: changesOf(this.partition, first, last) };
  }
}
