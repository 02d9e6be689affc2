import { userProtection } from '@ovn-steward/judgement/protection';
import type { Log } from '@ovn-steward/shared/log/log';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Acting } from '../consume/acting';
import { followGates } from '@ovn-steward/guard/follow-gates';
import { guardVpcs } from '@ovn-steward/guard/guard-vpcs';
import { PodGates } from '@ovn-steward/guard/pod-gates';
import { watchDenials } from '@ovn-steward/guard/watch-denials';
import { guardGate } from '../identity/guard-gate';
import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import type { ExecutorStore } from '../store/executor-store';
import type { Ledger } from '../ledger/ledger';
import { LedgerIdentity } from '../ledger/ledger-identity';
import type { Systems } from '@ovn-steward/systems/systems';
import { act } from '../work/act';
import type { ActEvent } from '../work/act-options';

export interface ActingParts {
  readonly settings: Settings;
  readonly systems: Systems;
  readonly log: Log;
  readonly file: StateFile;
  readonly ledger: Ledger;
  /** Under which name it says which holds it heeds. */
  readonly heardAs: string;
  readonly store: Pick<ExecutorStore, 'proposals' | 'doubtOf'>;
  readonly clock: () => Date;
  readonly onEvent: (event: ActEvent) => void;
}

/**
 * Whether these settings name a cluster to act on; without, an executor shows what it would propose
 * for every cluster, and no more.
 */
export const namesCluster = ({
  ovnNb,
  kubernetes,
}: Pick<Settings, 'ovnNb' | 'kubernetes'>): boolean =>
  ovnNb.remote !== undefined && kubernetes.recording === undefined;

/**
 * What an executor does for the cluster of its settings: what is proven is removed, and beside it
 * the guards keep watch, and write where that is wanted.
 */
export const actingOf = ({ settings, store, ...parts }: ActingParts): Acting => ({
  cluster: settings.cluster,
  async act(partition, fence, signal) {
    const stop = new AbortController();
    const running = AbortSignal.any([signal, stop.signal]);
    let onCaughtUp = (): void => undefined;
    const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));
    const acting = act(
      {
        ...parts,
        onEvent: (event) => {
          if (event.type === 'caught-up') onCaughtUp();
          parts.onEvent(event);
        },
        cluster: settings.cluster,
        partition,
        fence,
        settings: settings.executor,
        isProtected: userProtection(settings.protect),
        uninstalled: settings.uninstalled,
        rules: settings.rules,
        proposals: () => store.proposals([partition], { cluster: settings.cluster }),
        doubtOf: (finding) => store.doubtOf(partition, finding),
      },
      running,
    );
    const { kubernetes } = guardedSystems(
      parts.systems,
      guardGate({
        cluster: settings.cluster,
        living: livingIdentity(parts.systems, () => performance.now()),
        owners: new LedgerIdentity(parts.file),
        newest: () => parts.ledger.newestIdentity(settings.cluster),
        // Where acting ends before, nothing is written: then the signal has fired.
        caughtUp: Promise.race([caughtUp, acting.catch(() => undefined)]),
        onEvent: parts.onEvent,
      }),
    );
    const {
      vpcFinalizer,
      podGates: liftsGates,
      podGateTimeout: timeoutMs,
    } = settings.executor.guard;
    const guarding = guardVpcs(
      { kubernetes, holds: vpcFinalizer, onEvent: parts.onEvent },
      running,
    );
    const lifting = liftsGates
      ? [
          followGates(
            {
              kubernetes,
              gates: new PodGates({
                kubernetes,
                timeoutMs,
                now: () => performance.now(),
                onEvent: parts.onEvent,
              }),
              onEvent: parts.onEvent,
            },
            running,
          ),
        ]
      : [];
    const counting = watchDenials(
      { kubernetes, now: parts.clock, onEvent: parts.onEvent },
      running,
    );
    await allEnded([acting, counting, guarding, ...lifting], stop);
  },
});

/**
 * When one ends all end, and only then this does: the partition may be another executor's at once.
 * @throws what the first of them failed with.
 */
async function allEnded(parts: readonly Promise<void>[], stop: AbortController): Promise<void> {
  for (const end of await Promise.allSettled(parts.map((it) => it.finally(() => stop.abort()))))
    if (end.status === 'rejected') throw end.reason;
}
