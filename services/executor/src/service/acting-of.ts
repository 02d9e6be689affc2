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
  /** Under which name it says which holds it respects. */
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
export const actingOf = (parts: ActingParts): Acting => ({
  cluster: parts.settings.cluster,
  async act(partition, fence, signal) {
    const { settings, store, onEvent, ...rest } = parts;
    const stop = new AbortController();
    const running = AbortSignal.any([signal, stop.signal]);
    let onCaughtUp = (): void => undefined;
    const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));
    const acting = act(
      {
        ...rest,
        onEvent: (event) => {
          if (event.type === 'caught-up') onCaughtUp();
          onEvent(event);
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
    const kubernetes = guardedKubernetes(
      parts,
      // Where acting ends before, nothing is written: then the signal has fired.
      Promise.race([caughtUp, acting.catch(() => undefined)]),
    );
    await allEnded([acting, ...guards(parts, kubernetes, running)], stop);
  },
});

/** What writes only where the cluster is known for the one that it should be. */
const guardedKubernetes = (
  { settings, systems, file, ledger, onEvent }: ActingParts,
  caughtUp: Promise<void>,
): Systems['kubernetes'] =>
  guardedSystems(
    systems,
    guardGate({
      cluster: settings.cluster,
      living: livingIdentity(systems, () => performance.now()),
      owners: new LedgerIdentity(file),
      newest: () => ledger.newestIdentity(settings.cluster),
      caughtUp,
      onEvent,
    }),
  ).kubernetes;

function guards(
  { settings, clock, onEvent }: ActingParts,
  kubernetes: Systems['kubernetes'],
  signal: AbortSignal,
): readonly Promise<void>[] {
  const { vpcFinalizer, podGates: liftsGates, podGateTimeout: timeoutMs } = settings.executor.guard;
  const now = (): number => performance.now();
  const guarding = guardVpcs({ kubernetes, holds: vpcFinalizer, onEvent }, signal);
  const lifting = liftsGates
    ? [
        followGates(
          { kubernetes, gates: new PodGates({ kubernetes, timeoutMs, now, onEvent }), onEvent },
          signal,
        ),
      ]
    : [];
  const counting = watchDenials({ kubernetes, now: clock, onEvent }, signal);
  return [counting, guarding, ...lifting];
}

/**
 * When one ends all end, and only then this does: the partition may be another executor's at once.
 * @throws what the first of them failed with.
 */
async function allEnded(parts: readonly Promise<void>[], stop: AbortController): Promise<void> {
  for (const end of await Promise.allSettled(parts.map((it) => it.finally(() => stop.abort()))))
    if (end.status === 'rejected') throw end.reason;
}
