import { tmpdir } from 'node:os';
import { userProtection } from '@ovn-steward/judgement/protection';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { Failure, retryOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { ControlState } from '../../control/control-state';
import { watchController } from '../../gate/controller-seen';
import { modes } from '../../gate/modes';
import { asUs } from '../../identity/as-us';
import { Belonging } from '../../identity/belonging';
import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import { readTogether } from '@ovn-steward/systems/northbound/read-together';
import { writeTogether } from '@ovn-steward/systems/northbound/write-together';
import { livingIdentity } from '@ovn-steward/systems/living-identity';
import { catchUpLedger } from '../../ledger/catch-up';
import { createPublisher } from '../../ledger/publish';
import type { Proposal } from '../../findings/proposal';
import { createProver } from '../../prove/prover';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../../ledger/ledger';
import { LedgerIdentity } from '../../ledger/ledger-identity';
import type { Limiter } from '../../store/limiter';
import type { Systems } from '@ovn-steward/systems/systems';
import type { LedgerEntry } from '../../work/ledger-entry';
import { LedgerWriter } from '../../work/ledger-writer';
import { holdCheck } from '../../gate/hold-check';
import type { Item } from '../../gate/item';
import { gateContexts } from '../../work/gate-context';
import { vpcsOf } from '../../work/vpcs';
import { unprovenIn } from '../../work/unproven';
import { Worker } from '../../work/worker';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { reporting, connectionsReporting } from './controller';
import type { Follower } from './follower';
import { KUBE_OVN, RECORDED_CLUSTER } from '../recorded-engine';

export interface ExecutorOptions {
  readonly name: string;
  readonly systems: Systems;
  readonly log: Log;
  readonly partition: number;
  readonly file: StateFile;
  readonly settings: Settings['executor'];
  readonly proposals: () => readonly Proposal[];
  /** What people decide. */
  readonly control: Follower;
  /** The same, once the topic was read to its end. */
  readonly fresh: () => Promise<ControlState>;
  readonly fence: () => Promise<void>;
  readonly clock: () => Date;
  readonly onAction: (action: ActionRecord) => void;
  readonly limiter: Limiter;
  /** Called with each Lease by which it decides whether to stand back. */
  readonly leaseRead: (lease: KubernetesObject | undefined) => void;
  /** And of how many connections to the Northbound it has had, as often as it asks for the same. */
  readonly connectionsRead: (connections: number) => void;
  /** Waits between two reads of the controllers' Lease. */
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * One executor, whose turns are drawn from outside. The code is the product's; only who hears of
 * decisions and how long it sleeps are not.
 */
export interface FuzzedExecutor {
  readonly ledger: Ledger;
  /** What it is about: the last it claimed or goes on with. */
  about(): ActionRecord | undefined;
  /** What stood in its ledger of that action when it wrote about it last. */
  before(id: string): ActionRecord | undefined;
  /**
   * @returns `ended` where the process would end, to be started again; `failed` where it tries
   *   again.
   * @throws what is no Failure: a bug.
   */
  turn(): Promise<'done' | 'failed' | 'ended'>;
}

export const newFile = (): StateFile => openStateFile(':memory:');

const never = new AbortController().signal;

/**
 * Reads what the log has, as the product does before anything else: to whom the ledger belongs is
 * known from there.
 */
export async function fuzzedExecutor({
  name,
  systems: unguarded,
  log,
  partition,
  file,
  settings,
  proposals,
  control,
  fresh,
  fence,
  clock,
  onAction,
  limiter,
  leaseRead,
  connectionsRead,
  pause,
}: ExecutorOptions): Promise<FuzzedExecutor> {
  const ledger = new Ledger(file);
  await catchUpLedger({ log, ledger, partition, clock, signal: never });
  await control.readOn();
  let about: ActionRecord | undefined;
  const before = new Map<string, ActionRecord | undefined>();
  const together = new Set<string>();
  let bug: { readonly error: unknown } | undefined;
  const publisher = createPublisher({ log, ledger, clock });
  const belongs = new Belonging({
    cluster: RECORDED_CLUSTER,
    living: livingIdentity(unguarded, () => performance.now()),
    owners: new LedgerIdentity(file),
    newest: () => ledger.newestIdentity(RECORDED_CLUSTER),
    onEvent: () => undefined,
  });
  const systems = guardedSystems(
    { ...unguarded, northbound: writeTogether(readTogether(unguarded.northbound)) },
    (it) => belongs.sending(it),
  );
  // An undo begins with a read of its record, and writes into the ledger only when it is done.
  class FollowedWriter extends LedgerWriter {
    override write(...[item, entry]: Parameters<LedgerWriter['write']>): ActionRecord {
      before.set(item.id, this.of(item.id));
      return (about = super.write(item, entry));
    }
    override async writeTogether(item: Item, entry: LedgerEntry): Promise<ActionRecord> {
      together.add(item.id);
      return (about = await super.writeTogether(item, entry));
    }
    override writeAll(...[entries]: Parameters<LedgerWriter['writeAll']>): void {
      // Of what is only recorded as staying, nothing is judged by what stood there.
      for (const [{ id }] of entries) before.set(id, together.delete(id) ? this.of(id) : undefined);
      super.writeAll(entries);
    }
    override goOn(...[record, entry]: Parameters<LedgerWriter['goOn']>): ActionRecord {
      before.set(record.id, record);
      return (about = super.goOn(record, entry));
    }
  }
  const following = new FollowedWriter({
    ledger,
    executor: name,
    identity: () => belongs.named(),
    clock,
    onAction,
  });
  const controller = watchController(systems.kubernetes, settings.kubeOvn, { pause });
  const worker = new Worker({
    cluster: RECORDED_CLUSTER,
    ledger,
    clock,
    proposals,
    control: { state: control.state, age: () => 0, forget: control.forget },
    modeOf: modes(
      settings,
      RULES.map((it) => it.id),
    ),
    // Retries are for systems that fail; a bug must end the play.
    backups: tmpdir(),
    onEvent: (event) =>
      void (
        event.type === 'unsettled' &&
        !(event.error instanceof Failure) &&
        (bug = { error: event.error })
      ),
    work: {
      systems,
      belonging: belongs,
      unproven: unprovenIn(ledger, () => undefined),
      ledger: following,
      proofAgeMs: settings.proofAge,
      fence,
      holds: asUs(belongs, holdCheck(fresh, clock)),
      doubtOf: () => undefined,
      controller,
      prover: createProver({
        cluster: RECORDED_CLUSTER,
        systems,
        isProtected: userProtection([]),
        kubeOvn: KUBE_OVN,
        pause,
      }),
      publish: (it) => publisher.publishNow(partition, it),
    },
    contexts: gateContexts({
      cluster: RECORDED_CLUSTER,
      systems: {
        northbound: connectionsReporting(systems.northbound, connectionsRead),
        kubernetes: reporting(systems.kubernetes, leaseRead),
      },
      ledger,
      settings,
      clock,
      controller,
    }),
    withVpcs: vpcsOf(systems.kubernetes, () => performance.now()),
    finishWithinMs: settings.finishWithin,
    limiter,
  });
  const failed = (error: unknown): 'failed' | 'ended' => {
    if (!(error instanceof Failure)) throw error;
    return retryOf(error, 'never') === 'never' ||
      error.code === 'log-partition-lost' ||
      error.code === 'fenced'
      ? 'ended'
      : 'failed';
  };
  return {
    ledger,
    about: () => about,
    before: (id) => before.get(id),
    async turn() {
      try {
        await fresh();
        await worker.turn(never);
        if (bug !== undefined) throw bug.error;
        return 'done';
      } catch (error) {
        return failed(error);
      }
    },
  };
}
