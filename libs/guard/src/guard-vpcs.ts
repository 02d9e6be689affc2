import { setTimeout as sleep } from 'node:timers/promises';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { between } from '@ovn-steward/shared/jitter';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { decideFinalizer } from './decide-finalizer';
import { followed } from './followed';
import type { GuardEvent } from './guard-event';
import { reconcileVpc } from './reconcile-vpc';
import { waitingReporter } from './report-waiting';
import { isDefault, subnetsNaming, type SubnetVpc, subnetVpc } from './policy-kit/vpc-of-subnet';
import { waitingVpc } from './waiting';

export interface GuardOptions {
  readonly kubernetes: Pick<
    Kubernetes,
    'follow' | 'get' | 'list' | 'serves' | 'patch' | 'writeEvent'
  >;
  /** Whether our finalizer is put on Vpcs and taken off; without, nothing is written but Events. */
  readonly holds: boolean;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: GuardEvent) => void;
  /**
   * For how long a deletion that no subnet is in the way of is nothing to speak of on the Vpc;
   * milliseconds. A minute, by default.
   */
  readonly reportAfterMs?: number;
  /**
   * Milliseconds to wait before the given attempt (1, 2, …) at what failed. Default: 0.5 s,
   * doubling up to 30 s, and up to a half more.
   */
  readonly backOff?: (attempt: number) => number;
}

const defaultBackOff = (attempt: number): number => doublingBackOff(attempt) * between(1, 1.5);

const PATIENCE_MS = 60_000;

/**
 * Reports which deletions of Vpcs wait and for what, and keeps our finalizer on Vpcs where it
 * `holds` them, until the signal fires. Watch events only trigger a check: each write rests on what
 * is read at that moment. A second guard beside it, or one that died in the middle, does no harm: a
 * write is bound to the version that was read.
 */
export async function guardVpcs(options: GuardOptions, signal: AbortSignal): Promise<void> {
  await new VpcGuard(options, signal).run();
}

class VpcGuard {
  readonly #options: Required<GuardOptions>;
  readonly #signal: AbortSignal;
  readonly #ending = new AbortController();
  readonly #vpcs: ReturnType<typeof followed>;
  readonly #subnets: ReturnType<typeof followed>;
  readonly #subnetVpc = new Map<string, SubnetVpc>();
  readonly #waits: ReturnType<typeof waitingReporter>;
  /** The Vpcs to check. */
  readonly #due = new Set<string>();
  /** How often in a row a Vpc could not be reconciled. */
  readonly #failures = new Map<string, number>();
  #wake = (): void => undefined;

  constructor(options: GuardOptions, stop: AbortSignal) {
    const { reportAfterMs = PATIENCE_MS, backOff = defaultBackOff } = options;
    this.#options = { ...options, reportAfterMs, backOff };
    const signal = (this.#signal = AbortSignal.any([stop, this.#ending.signal]));
    const { kubernetes, onEvent } = options;
    this.#waits = waitingReporter({ kubernetes, reportAfterMs, onEvent }, signal);
    const following = { kubernetes, backOff, onFailure: (it: Failure) => this.#followFailed(it) };
    this.#vpcs = followed(
      {
        ...following,
        kind: 'Vpc',
        onChange: (before, now) => this.#queue((now ?? before)?.metadata.name),
      },
      signal,
    );
    this.#subnets = followed(
      {
        ...following,
        kind: 'Subnet',
        onAll: () => this.#queueAll(),
        onChange: (before, now) => this.#subnetChanged(before, now),
      },
      signal,
    );
  }

  async run(): Promise<void> {
    this.#signal.addEventListener('abort', () => this.#wake(), { once: true });
    const parts = [this.#vpcs.ended, this.#subnets.ended, this.#work()];
    try {
      await Promise.all(parts);
    } finally {
      this.#ending.abort(); // one that fails ends the others
      await Promise.allSettled(parts);
      this.#waits.end();
    }
  }

  async #work(): Promise<void> {
    while (!this.#signal.aborted) {
      const [name] = this.#due;
      if (name === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      this.#due.delete(name);
      await this.#attempt(name);
    }
  }

  async #attempt(name: string): Promise<void> {
    try {
      if ((await this.#reconcile(name)) === 'done') this.#failures.delete(name);
      else this.#queueLater(name);
    } catch (error) {
      if (this.#signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      this.#options.onEvent({ type: 'guard-failed', error: messageOf(error) });
      this.#queueLater(name);
    }
  }

  /**
   * @returns `changed` when it was changed just now by somebody else, and is to be checked again.
   * @throws Failure.
   */
  async #reconcile(name: string): Promise<'done' | 'changed'> {
    const { kubernetes, holds, onEvent } = this.#options;
    const vpc = this.#vpcs.objects()?.get(name);
    const subnets = this.#subnets.objects() && [...this.#subnetVpc.values()];
    this.#waits.report(name, vpc && waitingVpc(vpc, subnets));
    if (!vpc || !holds || !subnets) return 'done';
    const decided = decideFinalizer(vpc, {
      isDefault: isDefault(vpc, subnets),
      subnets: subnetsNaming(name, subnets),
    });
    if (decided === 'nothing') return 'done';
    const done = await reconcileVpc(name, subnets, kubernetes, this.#signal);
    if (done?.refused?.why === 'conflict') return 'changed';
    if (done?.refused)
      throw new Failure(
        done.refused.why === 'forbidden' ? 'source-forbidden' : 'guard-refused',
        `Vpc ${name} was left as it is: ${done.refused.message}`,
      );
    if (done && done.change !== 'nothing')
      onEvent({ type: 'guarded', vpc: name, did: done.change });
    return 'done';
  }

  #subnetChanged(before: KubernetesObject | undefined, now: KubernetesObject | undefined): void {
    const was = before && subnetVpc(before);
    const is = now && subnetVpc(now);
    if (is) this.#subnetVpc.set(is.name, is);
    else if (was) this.#subnetVpc.delete(was.name);
    // Most changes of a Subnet concern only its counters.
    if (was?.vpc === is?.vpc && was?.isDefault === is?.isDefault) return;
    for (const vpc of [was?.vpc, is?.vpc]) this.#queue(vpc);
    if (was && was.vpc === undefined) this.#queueAll(); // all waited for its word
  }

  #followFailed(failure: Failure): void {
    // Where the kind is not served, nothing waits; a guard that is to hold Vpcs reports that there
    // are none.
    if (this.#options.holds || failure.code !== 'source-not-served')
      this.#options.onEvent({ type: 'guard-failed', error: failure.message });
  }

  #queue(name: string | undefined): void {
    if (name === undefined) return;
    this.#due.add(name);
    this.#wake();
  }

  #queueAll(): void {
    for (const name of this.#vpcs.objects()?.keys() ?? []) this.#queue(name);
  }

  #queueLater(name: string): void {
    const count = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, count);
    void sleep(this.#options.backOff(count), undefined, { signal: this.#signal }).then(
      () => this.#queue(name),
      () => undefined,
    );
  }
}
