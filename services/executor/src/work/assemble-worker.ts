import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { ruleSwitches } from '@ovn-steward/judgement/switches';
import { ACTIONS } from '@ovn-steward/shared/log/topics';
import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import { readTogether } from '@ovn-steward/systems/northbound/read-together';
import { writeTogether } from '@ovn-steward/systems/northbound/write-together';
import type { ControlFollower } from '../control/follow-control';
import { watchController } from '../gate/controller-seen';
import { holdCheck } from '../gate/hold-check';
import { modes } from '../gate/modes';
import { asUs } from '../identity/as-us';
import { Belonging } from '../identity/belonging';
import { LedgerIdentity } from '../ledger/ledger-identity';
import { createPublisher } from '../ledger/publish';
import { createProver } from '../prove/prover';
import { createLimiter } from '../store/limiter';
import type { ActOptions } from './act-options';
import type { EventRecorder } from './event-recorder';
import { gateContexts } from './gate-context';
import { LedgerWriter } from './ledger-writer';
import { unprovenIn } from './unproven';
import { vpcsOf } from './vpcs';
import type { ClusterWork } from './work';
import { Worker } from './worker';

/** Names this process in the ledger. */
const EXECUTOR = `${hostname()}/${process.pid}`;

/** What of a worker's surroundings lives as long as it, and ends after it. */
export interface WorkerSurroundings {
  readonly control: ControlFollower;
  readonly recorder: Pick<EventRecorder, 'record'>;
}

/** A worker for one cluster. The ledger must be what the log says. */
export function assembleWorker(options: ActOptions, around: WorkerSurroundings): Worker {
  const { cluster, ledger, settings, clock, file } = options;
  const work = workOf(options, around);
  const { systems, controller } = work;
  return new Worker({
    cluster,
    ledger,
    control: around.control,
    modeOf: modes(
      settings,
      RULES.map((it) => it.id),
    ),
    clock,
    onEvent: options.onEvent,
    proposals: options.proposals,
    ...(options.onlyPlan === undefined ? {} : { onlyPlan: options.onlyPlan }),
    work,
    contexts: gateContexts({
      cluster,
      systems,
      ledger,
      settings,
      clock,
      controller,
      maybeOff: ruleSwitches(options.rules ?? []).maybeOff,
    }),
    withVpcs: vpcsOf(systems.kubernetes, () => performance.now()),
    finishWithinMs: settings.finishWithin,
    backups: join(file.path === ':memory:' ? tmpdir() : dirname(file.path), 'before-restore'),
    // A place counts once something was sent, and the claim of that is forced to the disk before.
    limiter: createLimiter(file.unsynced(), settings.rate),
    ...(options.proofsWithinMs === undefined ? {} : { proofsWithinMs: options.proofsWithinMs }),
  });
}

/** The means with which all work of the cluster is done. */
function workOf(options: ActOptions, { control, recorder }: WorkerSurroundings): ClusterWork {
  const { cluster, partition, log, ledger, settings, clock, onEvent } = options;
  const belongs = belongingOf(options);
  const systems = guardedSystems(
    { ...options.systems, northbound: writeTogether(readTogether(options.systems.northbound)) },
    (it) => belongs.sending(it),
  );
  const publisher = createPublisher({
    log,
    ledger,
    clock,
    onRefused: (reason) => onEvent({ type: 'refused', topic: ACTIONS, reason }),
  });
  const { maybeOff } = ruleSwitches(options.rules ?? []);
  return {
    systems,
    belonging: belongs,
    unproven: unprovenIn(ledger, onEvent),
    ledger: new LedgerWriter({
      ledger,
      executor: EXECUTOR,
      identity: () => belongs.named(),
      clock,
      onAction: (action) => {
        recorder.record(action);
        onEvent({ type: 'action', action });
      },
    }),
    proofAgeMs: settings.proofAge,
    fence: options.fence,
    holds: asUs(belongs, holdCheck(control.fresh, clock, maybeOff)),
    doubtOf: options.doubtOf ?? (() => undefined),
    controller: watchController(systems.kubernetes, settings.kubeOvn),
    prover: createProver({
      cluster,
      systems,
      isProtected: options.isProtected,
      kubeOvn: settings.kubeOvn,
      uninstalled: options.uninstalled ?? [],
    }),
    publish: (signal) => publisher.publishNow(partition, signal),
  };
}

const belongingOf = ({ cluster, systems, file, ledger, onEvent }: ActOptions): Belonging =>
  new Belonging({
    cluster,
    living: livingIdentity(systems, () => performance.now()),
    owners: new LedgerIdentity(file),
    newest: () => ledger.newestIdentity(cluster),
    onEvent,
  });
