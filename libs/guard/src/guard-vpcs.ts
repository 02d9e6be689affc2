import { setTimeout as sleep } from 'node:timers/promises';
import { doublingBackOff } from '@ovn-steward/shared/back-off';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { between } from '@ovn-steward/shared/jitter';
import type { Kubernetes, KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { decideFinalizer } from './decide-finalizer';
import { followed } from './followed';
import type { GuardEvent } from './guard-event';
import { settleVpc } from './settle-vpc';
import { waitingReporter } from './report-waiting';
import { isDefault, subnetsNaming, type SubnetWords, subnetWords } from './policy-kit/vpc-words';
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
  readonly patienceMs?: number;
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
export async function guardVpcs(
  { kubernetes, holds, onEvent, patienceMs = PATIENCE_MS, backOff = defaultBackOff }: GuardOptions,
  signal: AbortSignal,
): Promise<void> {
  const due = new Set<string>();
  const failures = new Map<string, number>();
  let wake = (): void => undefined;
  const queue = (name: string | undefined): void => {
    if (name === undefined) return;
    due.add(name);
    wake();
  };
  const onFailure = (failure: Failure): void => {
    // Where the kind is not served, nothing waits; a guard that is to hold Vpcs reports that there
    // are none.
    if (holds || failure.code !== 'source-not-served')
      onEvent({ type: 'guard-failed', error: failure.message });
  };
  const subnets = new Map<string, SubnetWords>();
  const waits = waitingReporter({ kubernetes, patienceMs, onEvent }, signal);

  const vpcKind = followed(
    {
      kubernetes,
      kind: 'Vpc',
      backOff,
      onFailure,
      onChange: (before, now) => queue((now ?? before)?.metadata.name),
    },
    signal,
  );
  const subnetKind = followed(
    {
      kubernetes,
      kind: 'Subnet',
      backOff,
      onFailure,
      onAll: () => [...(vpcKind.objects()?.keys() ?? [])].forEach(queue),
      onChange(before, now) {
        const [was, is] = [before && subnetWords(before), now && subnetWords(now)];
        if (is) subnets.set(is.name, is);
        else if (was) subnets.delete(was.name);
        // Most changes of a Subnet concern only its counters.
        if (was?.vpc === is?.vpc && was?.isDefault === is?.isDefault) return;
        for (const vpc of [was?.vpc, is?.vpc]) queue(vpc);
        if (was && was.vpc === undefined) [...(vpcKind.objects()?.keys() ?? [])].forEach(queue); // all waited for its word
      },
    },
    signal,
  );

  const reportWaiting = (name: string, vpc: KubernetesObject | undefined): void =>
    waits.report(name, vpc && waitingVpc(vpc, subnetKind.objects() && [...subnets.values()]));
  const again = (name: string): void => {
    const count = (failures.get(name) ?? 0) + 1;
    failures.set(name, count);
    void sleep(backOff(count), undefined, { signal }).then(
      () => queue(name),
      () => undefined,
    );
  };
  const settle = async (name: string): Promise<void> => {
    const vpc = vpcKind.objects()?.get(name);
    reportWaiting(name, vpc);
    if (!vpc || !holds || !subnetKind.objects()) return;
    const words = [...subnets.values()];
    if (
      decideFinalizer(vpc, {
        isDefault: isDefault(vpc, words),
        subnets: subnetsNaming(name, words),
      }) === 'nothing'
    )
      return;
    const done = await settleVpc(name, words, kubernetes, signal);
    if (done?.refused?.why === 'conflict') return again(name); // changed just now: check it again
    if (done?.refused)
      throw new Failure(
        done.refused.why === 'forbidden' ? 'source-forbidden' : 'guard-refused',
        `Vpc ${name} was left as it is: ${done.refused.says}`,
      );
    failures.delete(name);
    if (done && done.change !== 'nothing')
      onEvent({ type: 'guarded', vpc: name, did: done.change });
  };
  const attempt = async (name: string): Promise<void> => {
    try {
      await settle(name);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      onEvent({ type: 'guard-failed', error: messageOf(error) });
      again(name);
    }
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const [name] = due;
      if (name === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      due.delete(name);
      await attempt(name);
    }
  };
  signal.addEventListener('abort', () => wake(), { once: true });
  await Promise.all([vpcKind.ended, subnetKind.ended, work()]).finally(() => waits.end());
}
