import { type ActionRecord, isCarriedOut } from '@ovn-steward/contracts/actions/action';
import { allowManyListeners } from '@ovn-steward/shared/allow-many-listeners';
import { pause } from '@ovn-steward/shared/pause';
import type { Item } from '../gate/item';
import { type Limiter, PLACE_WITHIN_MS } from '../store/limiter';
import type { GateContexts } from './gate-context';
import { perform, performProven } from './perform';
import type { Ready } from './prove-and-prepare';
import { type ProofsAhead, proofsAhead, togetherFrom } from './prove-ahead';
import type { Retries } from './retries';
import type { ClusterWork } from './work';

/**
 * A limiter that answers within this time did not make us wait: it has more places before a proof
 * is old. Milliseconds.
 */
const OPEN_MS = 10;
/** How long a group waits for its slowest proof unless the options say otherwise. */
const PROOFS_WITHIN_MS = 1000;
/** An action that could not be done is not tried again before. Milliseconds. */
const AGAIN_MS = 30_000;

export interface ActionRunnerOptions {
  readonly work: ClusterWork;
  readonly limiter: Limiter;
  readonly contexts: Pick<GateContexts, 'removed' | 'taken'>;
  /**
   * How long a group waits for its slowest proof; milliseconds, a second unless given. What is
   * proven later is carried out after the others.
   */
  readonly proofsWithinMs?: number;
}

/** Carries out what was let through, as the rate allows. */
export class ActionRunner {
  readonly #options: ActionRunnerOptions;
  readonly #retries: Retries;
  /** When what was put off is tried again, by its id. */
  readonly #later = new Map<string, number>();
  /**
   * Whether a place was taken from the limiter and not used, since the decision expired while it
   * waited: the next turn uses it. Without this a slow rate would never act.
   */
  #hasPlace = false;
  /** How long each of the last took; milliseconds. */
  #paceMs = Infinity;

  constructor(options: ActionRunnerOptions, retries: Retries) {
    this.#options = options;
    this.#retries = retries;
  }

  /**
   * Of these those that were not put off a moment ago: they must not stand in the way of others.
   */
  due(items: readonly Item[]): readonly Item[] {
    const now = performance.now();
    for (const [id, at] of this.#later) if (at <= now) this.#later.delete(id); // its finding may be over
    const due = items.filter((it) => !this.#later.has(it.id));
    if (due.length === 0) this.#hasPlace = false;
    return due;
  }

  /**
   * Carries them out in this order, as long as the decision is valid and the rate has places. Rows
   * that need the same action go some together, where the rate does not make them wait.
   * @returns how many had their turn; the others are to be decided again.
   * @throws as `Retries.attempt`.
   */
  async run(
    go: readonly Item[],
    isStillValid: () => boolean,
    signal: AbortSignal,
  ): Promise<number> {
    if (go.length === 0) return 0;
    const proofs = proofsAhead(go, this.#options.work, signal);
    try {
      return await this.#each(go, proofs, isStillValid, allowManyListeners(signal));
    } finally {
      proofs.end();
    }
  }

  async #each(
    go: readonly Item[],
    proofs: ProofsAhead,
    isStillValid: () => boolean,
    signal: AbortSignal,
  ): Promise<number> {
    let done = 0;
    for (let index = 0; index < go.length;) {
      const waitedFrom = performance.now();
      this.#hasPlace ||= await this.#options.limiter.take(PLACE_WITHIN_MS, signal);
      if (!this.#hasPlace || !isStillValid()) return done;
      this.#hasPlace = false;
      const isOpen = performance.now() - waitedFrom < OPEN_MS;
      const group = await this.#group(go, index, isOpen, { proofs, isStillValid }, signal);
      index += group.count;
      done += group.done;
    }
    return done;
  }

  /**
   * Carries out the first from the index on, which has a place in the rate; where the rate is open,
   * some more together with it. A place of one that was left is not given back to the rate.
   * @returns of how many it decided, and how many of them had their turn.
   */
  async #group(
    go: readonly Item[],
    index: number,
    isOpen: boolean,
    {
      proofs,
      isStillValid,
    }: { readonly proofs: ProofsAhead; readonly isStillValid: () => boolean },
    signal: AbortSignal,
  ): Promise<{ readonly count: number; readonly done: number }> {
    const { work, limiter, proofsWithinMs = PROOFS_WITHIN_MS } = this.#options;
    const from = performance.now();
    const count = isOpen ? await this.#placesFor(togetherFrom(go, index, this.#paceMs), signal) : 1;
    if (count > 1) proofs.begin(index, count);
    const next = index + count;
    if (isOpen && go[next]?.action === go[index]!.action)
      proofs.begin(next, togetherFrom(go, next, this.#paceMs));
    const proof = (nth: number): Promise<Ready | undefined> => proofs.take(index + nth);
    const onOutcome: Group['onOutcome'] = (item, record) => this.#noteOutcome(item, record);
    let done: number;
    try {
      done = await together(
        go.slice(index, next),
        { proof, proofsWithinMs, work, retries: this.#retries, isStillValid, onOutcome },
        signal,
      );
    } finally {
      if (count > 1) await limiter.used(count);
    }
    this.#paceMs = (performance.now() - from) / done;
    return { count, done };
  }

  /** How many have a place in the rate, of so many; the first has one. */
  async #placesFor(most: number, signal: AbortSignal): Promise<number> {
    let count = 1;
    while (count < most && (await this.#options.limiter.take(0, signal))) count += 1;
    return count;
  }

  #noteOutcome(item: Item, record: ActionRecord | undefined): void {
    const { contexts } = this.#options;
    if (record === undefined || record.state === 'deferred')
      this.#later.set(item.id, performance.now() + AGAIN_MS);
    else this.#later.delete(item.id);
    if (record && isCarriedOut(record)) contexts.removed();
    else if (record?.state === 'refused' && record.code === 'gone') contexts.taken();
  }
}

interface Group {
  /** The proof of each that was made ahead. */
  readonly proof: (nth: number) => Promise<Ready | undefined>;
  /** How long the slowest proof is waited for; milliseconds. */
  readonly proofsWithinMs: number;
  readonly work: ClusterWork;
  readonly retries: Retries;
  /** Whether what was let through may still be begun. */
  readonly isStillValid: () => boolean;
  /**
   * Called with what became of each; undefined where a system failed it after it was claimed: it is
   * settled like any other open claim.
   */
  readonly onOutcome: (item: Item, record: ActionRecord | undefined) => void;
}

/**
 * Carries out those with a proof together, each under its own claim, checks and guards; then one
 * after the other those without, and those of which something changed, which may be what another
 * of them did. Once the decision is not valid any more, those without a proof are left, the first
 * excepted.
 * @returns how many were not left.
 */
async function together(
  items: readonly Item[],
  { proof, proofsWithinMs, work, retries, isStillValid, onOutcome }: Group,
  signal: AbortSignal,
): Promise<number> {
  const outcome = async <T>(item: Item, step: () => Promise<T>): Promise<T | undefined> => {
    let result: T | undefined;
    const took = await retries.attempt(item.id, async () => void (result = await step()), signal);
    if (!took || typeof result === 'object') onOutcome(item, result as ActionRecord | undefined);
    return took ? result : undefined;
  };
  // All begin at once: what they read, record and send is then read, recorded and sent together.
  const proofs = await inTime(
    items.map((_, nth) => proof(nth)),
    proofsWithinMs,
    signal,
  );
  const again = await allSettled(
    items.map(async (item, nth) => {
      const ready = proofs[nth];
      if (ready === undefined) return 'unproven';
      return outcome(item, async () => {
        const became = await performProven(item, ready, work, signal);
        return became ?? 'unproven';
      });
    }),
  );
  let left = 0;
  for (const [nth, became] of again.entries()) {
    if (typeof became !== 'string') continue;
    const isNew = became === 'unproven';
    if (isNew && nth > 0 && !isStillValid()) {
      left += 1;
      continue;
    }
    await outcome(items[nth]!, () =>
      perform(items[nth]!, work, signal, isNew ? undefined : became),
    );
  }
  return items.length - left;
}

/** Those that come within so many milliseconds: a slow one must not make the others too old. */
async function inTime<T>(
  all: readonly Promise<T | undefined>[],
  withinMs: number,
  signal: AbortSignal,
): Promise<readonly (T | undefined)[]> {
  const ended = new AbortController();
  const late = pause(withinMs, signal, ended.signal).then(() => undefined);
  try {
    return await Promise.all(all.map((it) => Promise.race([it, late])));
  } finally {
    ended.abort();
  }
}

/** As `Promise.all`, which leaves the others under way when one fails. */
async function allSettled<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
