import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { ruleSwitches } from '@ovn-steward/judgement/switches';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Log } from '@ovn-steward/shared/log/log';
import { ACTIONS, CONTROL } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { ControlState } from '../control/control-state';
import { type ControlFollower, followControl } from '../control/follow-control';
import { type HeardPublisher, publishHeard } from '../control/publish-heard';
import { watchController } from '../gate/controller-seen';
import { modes } from '../gate/modes';
import { belonging } from '../identity/belonging';
import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import { readTogether } from '@ovn-steward/systems/northbound/read-together';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import type { GuardEvent } from '@ovn-steward/guard/guard-event';
import type { GateEvent } from '@ovn-steward/guard/pod-gates';
import { type CaughtUp, catchUpLedger } from '../ledger/catch-up';
import { createPublisher } from '../ledger/publish';
import type { Proposal } from '../findings/proposal';
import { createProver } from '../prove/prover';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import type { Ledger } from '../ledger/ledger';
import { LedgerIdentity } from '../ledger/ledger-identity';
import { createLimiter } from '../store/limiter';
import type { Systems } from '@ovn-steward/systems/systems';
import { asUs } from '../identity/as-us';
import { LedgerWriter } from './ledger-writer';
import { holdCheck } from '../gate/hold-check';
import { gateContexts } from './gate-context';
import { eventRecorder } from './event-recorder';
import { unprovenIn } from './unproven';
import { vpcsOf } from './vpcs';
import { createWorker, type Worker, type WorkEvent } from './worker';

/** One cluster, and all that is needed to act on it. */
export interface ActOptions {
  readonly cluster: string;
  /** The cluster's. */
  readonly partition: number;
  readonly systems: Systems;
  readonly log: Log;
  readonly file: StateFile;
  readonly ledger: Ledger;
  readonly proposals: () => readonly Proposal[];
  /** Why a finding is in doubt, by its newest record; of none unless given. */
  readonly doubtOf?: (finding: string) => string | undefined;
  readonly settings: Settings['executor'];
  /** Carry out this plan and no other. */
  readonly onlyPlan?: string;
  /**
   * Under which name it says in the log which holds it heeds; where records are signed, that of its
   * key. Without, it does not say it.
   */
  readonly heardAs?: string;
  readonly isProtected: (entity: Entity) => boolean;
  /** The setting `rules`; nothing is switched off unless given. */
  readonly rules?: Settings['rules'];
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`); none unless given. */
  readonly uninstalled?: readonly string[];
  /** @throws Failure `log-partition-lost` when the partition is another executor's now. */
  readonly fence: (signal: AbortSignal) => Promise<void>;
  readonly clock: () => Date;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: ActEvent) => void;
}

export type ActEvent =
  | WorkEvent
  | GuardEvent
  | GateEvent
  | { readonly type: 'action'; readonly action: ActionRecord }
  | {
      readonly type: 'caught-up';
      readonly partition: number;
      readonly ledger: CaughtUp;
      readonly open: number;
    }
  | { readonly type: 'trouble'; readonly what: string }
  /** What people decided is this from now on; undefined when it is followed no more. */
  | { readonly type: 'decided'; readonly state: ControlState | undefined }
  /** A record of that topic is ignored: it is not proven that an authorized author wrote it. */
  | { readonly type: 'refused'; readonly topic: string; readonly reason: RefusedFor };

/** Names this process in the ledger. */
const EXECUTOR = `${hostname()}/${process.pid}`;

const FIRST_WORD_MS = 3000;
/** How long pending Events are still written when the work has ended; milliseconds. */
const LAST_WORDS_MS = 5000;

/**
 * Acts on one cluster until the signal fires.
 * @throws Failure that is not to be mended here: `log-partition-lost`, `fenced`, and what trying
 *   again cannot help.
 */
export async function act(options: ActOptions, signal: AbortSignal): Promise<void> {
  await withWorker(options, signal, (worker, running) => worker.run(running));
}

const heardTeller = (
  { log, cluster, partition, heardAs, clock, onEvent }: ActOptions,
  signal: AbortSignal,
): HeardPublisher | undefined =>
  heardAs === undefined
    ? undefined
    : publishHeard({
        log,
        cluster,
        partition,
        name: heardAs,
        clock,
        signal,
        onTrouble: (what) => onEvent({ type: 'trouble', what }),
      });

/** What people decided is read in a moment; where it is not, the worker waits and says so. */
async function firstWord(control: ControlFollower, signal: AbortSignal): Promise<void> {
  for (
    const until = performance.now() + FIRST_WORD_MS;
    control.state() === undefined && performance.now() < until && !signal.aborted;
  )
    await sleep(10, undefined, { signal }).catch(() => undefined);
}

/**
 * A worker whose ledger is what the log says, and who hears what people decide, for as long as
 * `use` takes.
 */
export async function withWorker<T>(
  options: ActOptions,
  signal: AbortSignal,
  use: (worker: Worker, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { cluster, partition, log, ledger, file, settings, clock, onEvent } = options;
  const modeOf = modes(
    settings,
    RULES.map((it) => it.id),
  );
  const switches = ruleSwitches(options.rules ?? []);
  const ended = new AbortController();
  const running = AbortSignal.any([signal, ended.signal]);
  const refused =
    (topic: string) =>
    (reason: RefusedFor): void =>
      onEvent({ type: 'refused', topic, reason });
  const onRefused = refused(ACTIONS);
  const caughtUp = await catchUpLedger({ log, ledger, partition, clock, signal, onRefused });
  onEvent({ type: 'caught-up', partition, ledger: caughtUp, open: ledger.open(cluster).length });

  const recorder = eventRecorder(options.systems.kubernetes, running);
  const belongs = belonging({
    cluster,
    living: livingIdentity(options.systems, () => performance.now()),
    owners: new LedgerIdentity(file),
    newest: () => ledger.newestIdentity(cluster),
    onEvent,
  });
  const systems = guardedSystems(
    { ...options.systems, northbound: readTogether(options.systems.northbound) },
    (it) => belongs.sending(it),
  );
  const publisher = createPublisher({ log, ledger, clock, onRefused });
  const writer = new LedgerWriter({
    ledger,
    executor: EXECUTOR,
    identity: () => belongs.named(),
    clock,
    onAction: (action) => {
      recorder.record(action);
      onEvent({ type: 'action', action });
    },
  });
  const heard = heardTeller(options, running);
  const control = followControl({
    log,
    cluster,
    partition,
    signal: running,
    onState: (state) => {
      heard?.heed(state);
      onEvent({ type: 'decided', state });
    },
    onTrouble: (what) => onEvent({ type: 'trouble', what }),
    onRefused: refused(CONTROL),
  });
  const controller = watchController(systems.kubernetes, settings.kubeOvn);
  const worker = createWorker({
    cluster,
    ledger,
    control,
    modeOf,
    clock,
    onEvent,
    proposals: options.proposals,
    ...(options.onlyPlan === undefined ? {} : { onlyPlan: options.onlyPlan }),
    work: {
      systems,
      belonging: belongs,
      unproven: unprovenIn(ledger, onEvent),
      ledger: writer,
      proofAgeMs: settings.proofAge,
      fence: options.fence,
      holds: asUs(belongs, holdCheck(control.fresh, clock, switches.maybeOff)),
      doubtOf: options.doubtOf ?? (() => undefined),
      controller,
      prover: createProver({
        cluster,
        systems,
        isProtected: options.isProtected,
        kubeOvn: settings.kubeOvn,
        uninstalled: options.uninstalled ?? [],
      }),
      publish: (signal) => publisher.publishNow(partition, signal),
    },
    contexts: gateContexts({
      cluster,
      systems,
      ledger,
      settings,
      maybeOff: switches.maybeOff,
      clock,
      controller,
    }),
    withVpcs: vpcsOf(systems.kubernetes, () => performance.now()),
    finishWithinMs: settings.finishWithin,
    backups: join(file.path === ':memory:' ? tmpdir() : dirname(file.path), 'before-restore'),
    limiter: createLimiter(file.db, settings.rate),
  });
  try {
    await firstWord(control, running);
    return await use(worker, running);
  } finally {
    // Best effort: Events that a slow API server has not taken by then are dropped.
    await Promise.race([recorder.idle(), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    ended.abort();
    await control.ended.catch(() => undefined);
    onEvent({ type: 'decided', state: undefined });
    await heard?.end();
  }
}
