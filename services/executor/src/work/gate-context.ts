import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { RuleSwitches } from '@ovn-steward/judgement/switches';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { actionOf } from '../actions/registry';
import { type ControlState, holdsAt, keptAt } from '../control/control-state';
import { type ControllerWatch, watchController } from '../gate/controller-seen';
import { competing } from '../gate/competing';
import { watchLease } from '../gate/lease-seen';
import { populations } from '../gate/population';
import type { Proposal } from '../findings/proposal';
import type { Ledger } from '../ledger/ledger';
import type { Systems } from '@ovn-steward/systems/systems';
import type { GateContext } from '../gate/admission';

const HOUR_MS = 3_600_000;

export interface GateContextOptions {
  readonly cluster: string;
  readonly systems: Systems;
  readonly ledger: Pick<Ledger, 'spent'>;
  readonly settings: Settings['executor'];
  /** What the settings switch off (`RuleSwitches.maybeOff`); nothing unless given. */
  readonly maybeOff?: RuleSwitches['maybeOff'];
  readonly clock: () => Date;
  /** Called where a controller has to finish what is judged; reads its Lease by default. */
  readonly controller?: ControllerWatch;
}

/** What decides who may go, read again for each decision. */
export interface GateContexts {
  of(
    proposals: readonly Proposal[],
    decided: ControlState,
    signal: AbortSignal,
  ): Promise<GateContext>;
  /** Something was deleted already when it was to be removed. */
  taken(): void;
  /** Something was removed by this executor, not by another client before it. */
  removed(): void;
}

export function gateContexts({
  cluster,
  systems,
  ledger,
  settings,
  maybeOff = () => undefined,
  clock,
  controller = watchController(systems.kubernetes, settings.kubeOvn),
}: GateContextOptions): GateContexts {
  const now = (): number => clock().getTime();
  const lease = watchLease(systems.kubernetes, settings.kubeOvn, now);
  const population = populations({
    systems,
    kindOf: (rule) => RULES.find((it) => it.id === rule)?.subject,
    clock: () => performance.now(),
  });
  let takings: number[] = [];
  const moved = watchLeader(systems.northbound, now);
  return {
    async of(proposals, decided, signal) {
      const seen = await lease(signal);
      const northboundMovedAt = await moved(signal);
      const figures = await population(proposals, signal);
      takings = takings.filter((at) => now() - at < settings.yield.afterTaken * 2);
      return {
        now: now(),
        noController: proposals.some(
          ({ remedy }) => actionOf(remedy.action)?.finishedBy === 'kube-ovn',
        )
          ? await controller(signal)
          : undefined,
        settings,
        holds: holdsAt(decided, clock()),
        kept: keptAt(decided, clock()),
        maybeOff,
        yielding: competing(
          { now: now(), lease: seen, takings, northboundMovedAt },
          settings.yield,
        ),
        spent: ledger.spent(cluster, now() - HOUR_MS),
        population: figures,
      };
    },
    taken: () => void takings.push(now()),
    removed: () => void (takings = []),
  };
}

/**
 * When the leader of the database last changed, as far as was seen. The identity of the database
 * does not change with its leader; only a new connection shows a new leader.
 */
function watchLeader(
  northbound: Systems['northbound'],
  now: () => number,
): (signal: AbortSignal) => Promise<number | undefined> {
  let seen: { readonly connections: number; readonly movedAt: number | undefined } | undefined;
  return async (signal) => {
    await northbound.identity(signal);
    const connections = northbound.connections();
    if (connections !== seen?.connections)
      seen = { connections, movedAt: seen === undefined ? undefined : now() };
    return seen.movedAt;
  };
}
