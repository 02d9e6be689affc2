import type { Action } from '@ovn-steward/shared/events/action';
import type { Control } from '@ovn-steward/shared/events/control';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, CONTROL, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { Settings } from '@ovn-steward/shared/settings';
import {
  type ControlState,
  foldControls,
  NOTHING_DECIDED,
  without,
} from '../../control/control-state';
import { readControl } from '../../control/read-control';
import type { ExecutorFile } from '../../store/executor-file';
import { toldControl } from '../controls';
import { RECORDED_CLUSTER } from '../recorded-engine';
import { type Analyst, createAnalyst } from './analyst';
import { lostOutcomes, UNCLEAR } from './audit';
import { type Cluster, createCluster } from './cluster';
import { fuzzedExecutor, type FuzzedExecutor, newFile } from './executor';
import { type Gate, gatedLog, gatedNorthbound, gateKubernetes } from './gates';
import { others } from './others';
import { random as randomOf } from './random';
import { createReferee, type Referee } from './referee';
import type { SteadyClock } from './steady-clock';
import type { Offence, Tally } from './tally';

/** Brakes wide open: what is tried here is not how much may be done, but whether any of it is wrong. */
const OPEN = {
  mode: 'enforce',
  rate: { perSecond: 10_000, burst: 10_000 },
  ceilings: Object.fromEntries(
    ['rule', 'subnet', 'vpc', 'cluster'].map((it) => [
      it,
      { least: 100_000, share: 1, most: 100_000 },
    ]),
  ),
  yield: { afterLease: '0s', taken: 1_000_000 },
};

/** How likely each is, at one gate. */
const SHARES = { move: 0.12, die: 0.004, stand: 0.004, lose: 0.03, unreadable: 0.004, slow: 0.01 };
/** Turns in peace after which everything must have come to its end. */
const MOST_QUIET_TURNS = 12;

/** One process: an executor, and what became of the machine it runs on. */
interface Process {
  readonly executor: FuzzedExecutor;
  readonly file: ExecutorFile;
  /** Its turn, while there is one. */
  turn: Promise<unknown> | undefined;
  dead: boolean;
  /** Lets it go on, while it stands still. */
  goOn: (() => void) | undefined;
  standing: Promise<void> | undefined;
  /** Settles its caller when it dies or stands still. */
  stopped: () => void;
}

interface Told {
  readonly tally: Tally;
  readonly offences: readonly Offence[];
}

/** One history: a small cluster, what others do to it, and executors that come and go. The same seed is the same history. */
export async function episode(seed: number, steps: number, clock: SteadyClock): Promise<Told> {
  const random = randomOf(seed);
  const cluster = await createCluster(random);
  const referee = createReferee(cluster);
  const log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  const history = new History(cluster, referee, log, clock);
  try {
    await history.play(steps);
    await history.calm();
  } catch (error) {
    referee.offend(
      'unexpectedErrors',
      error instanceof Error ? (error.stack ?? messageOf(error)) : String(error),
    );
  }
  await history.close();
  return referee;
}

class History {
  readonly #partition = partitionOf(RECORDED_CLUSTER, PARTITIONS);
  readonly #settings = Settings.parse({ executor: OPEN }).executor;
  readonly #files: ExecutorFile[] = [];
  #decided: ControlState = NOTHING_DECIDED;
  /** What the topic holds: whoever starts reads it from its beginning. */
  #told: ControlState = NOTHING_DECIDED;
  #owner: Process | undefined;
  /** Processes that stand still, and no longer have the cluster. */
  #former: Process[] = [];
  #quiet = false;
  #wall = Date.parse('2026-05-04T00:00:00Z');
  #made = 0;

  readonly #analyst: Analyst;

  constructor(
    readonly cluster: Cluster,
    readonly referee: Referee,
    readonly log: Log,
    readonly clock: SteadyClock,
  ) {
    this.#analyst = createAnalyst(cluster, () => this.#now());
  }

  async play(steps: number): Promise<void> {
    const { random } = this.cluster;
    for (let warm = 0; warm < 30; warm++) others(this.cluster);
    this.#analyst.look();
    while (this.referee.tally.steps < steps) {
      this.#step();
      const draw = random.int(100);
      if (draw < 50) this.#others();
      else if (draw < 54) this.#analyst.look();
      else if (draw < 58) this.#analyst.lie();
      else if (draw < 62) await this.#decide();
      else if (draw < 65) this.#wall += (random.int(3) - 1) * random.int(7_200_000);
      else if (draw < 68) this.clock.pass(random.int(8000));
      else if (draw < 71) await this.#replace();
      else if (draw < 75) await this.#resume();
      else await this.#work();
    }
  }

  /** Nothing goes wrong any more: whatever is open must come to its end, and what is told must be true. */
  async calm(): Promise<void> {
    this.#quiet = true;
    for (const it of [...this.#former, ...(this.#owner ? [this.#owner] : [])])
      await this.#letGoOn(it);
    // What was sent before is called off only when nobody holds that.
    for (const { scope } of this.#told.holds.values())
      await this.#tell({ ...this.#common(), type: 'resume', scope });
    // Who stood still may have said something after the other had read: whoever starts hears it.
    this.#owner = await this.#start(this.#owner?.file);
    this.#analyst.look();
    let last = '';
    for (let turn = 0; turn < MOST_QUIET_TURNS; turn++) {
      for (const it of this.cluster.kubernetes.objects('IP'))
        if (it.metadata.deletionTimestamp !== undefined)
          this.cluster.kubernetes.remove('IP', undefined, it.metadata.name);
      await this.#work();
      const now = JSON.stringify(
        this.#owner?.executor.ledger.list().map((it) => [it.id, it.revision]),
      );
      if (now === last && turn > 2) break;
      last = now;
    }
    this.referee.settle(true);
    await this.#audit();
  }

  async close(): Promise<void> {
    await this.log.close();
    for (const it of this.#files) it.close();
  }

  #others(): void {
    others(this.cluster);
    this.referee.observe();
  }

  #step(): void {
    this.referee.tally.steps += 1;
  }

  #now(): Date {
    return new Date(this.#wall + this.clock.now());
  }

  async #decide(): Promise<void> {
    const { random } = this.cluster;
    const ledger = this.#owner?.executor.ledger;
    const actions = ledger?.list({ cluster: RECORDED_CLUSTER }) ?? [];
    const common = this.#common();
    const done = random.maybe(actions.filter((it) => it.state === 'done'));
    const proposed = random.maybe(
      actions.filter((it) => it.state === 'proposed' || it.state === 'deferred'),
    );
    const draw = random.int(6);
    if (draw < 2 && done) return this.#tell({ ...common, type: 'undo', of: done.id });
    if (draw < 4 && proposed)
      return this.#tell({
        ...common,
        type: 'approve',
        finding: proposed.finding.id,
        revision: proposed.finding.revision,
      });
    const scope = random.chance(0.5) ? {} : { rule: 'leaked-ip' };
    if (draw === 4)
      return this.#tell({ ...common, type: 'hold', scope, reason: 'a change', until: null });
    return this.#tell({ ...common, type: 'resume', scope });
  }

  #common(): Pick<Control, 'version' | 'cluster' | 'id' | 'by' | 'at'> {
    return {
      version: 1,
      cluster: RECORDED_CLUSTER,
      id: `c-${(this.#made += 1)}`,
      by: 'anna',
      at: this.#now().toISOString(),
    };
  }

  async #tell(control: Control): Promise<void> {
    const record = toldControl(control);
    await this.log.append(CONTROL, this.#partition, [
      { ...record, timestamp: Date.parse('2026-05-04T00:00:00Z') },
    ]);
    const read = readControl({ key: record.key, value: Buffer.from(record.value as string) });
    [this.#decided, this.#told] = [this.#decided, this.#told].map((it) =>
      foldControls(it, RECORDED_CLUSTER, [{ key: record.key, read }]),
    ) as [ControlState, ControlState];
  }

  /** A turn of whoever has the cluster. */
  async #work(): Promise<void> {
    const owner = (this.#owner ??= await this.#start());
    if (owner.dead) return this.#replace();
    if (owner.goOn === undefined) await this.#run(owner);
  }

  /** Runs it until it is done, dies, or stands still. */
  async #run(it: Process): Promise<void> {
    const stopped = new Promise<void>((resolve) => (it.stopped = resolve));
    it.turn ??= it.executor.turn().then(
      (ended) => {
        it.turn = undefined;
        if (ended === 'ended') it.dead = true;
        else this.referee.settle();
      },
      (error: unknown) => {
        it.turn = undefined;
        it.dead = true;
        this.referee.offend(
          'unexpectedErrors',
          error instanceof Error ? (error.stack ?? messageOf(error)) : String(error),
        );
      },
    );
    await Promise.race([it.turn, stopped]);
  }

  async #letGoOn(it: Process): Promise<void> {
    const go = it.goOn;
    if (go === undefined || it.dead) return;
    it.goOn = undefined;
    const running = this.#run(it);
    go();
    await running;
    if (this.#owner !== it && it.turn === undefined)
      this.#former = this.#former.filter((each) => each !== it);
  }

  /** Somebody who stood still goes on, as if nothing had been. */
  async #resume(): Promise<void> {
    const it = this.cluster.random.maybe(
      [...this.#former, ...(this.#owner ? [this.#owner] : [])].filter(
        (each) => each.goOn !== undefined,
      ),
    );
    if (it) await this.#letGoOn(it);
  }

  /** The cluster goes to another executor: after a death with the same file or without it, else beside one that stands still or idles. */
  async #replace(): Promise<void> {
    const before = this.#owner;
    if (before && !before.dead) this.#former.push(before);
    const keeps = before?.dead === true && this.cluster.random.chance(0.7);
    this.#owner = await this.#start(keeps ? before.file : undefined);
    this.#former = this.#former.filter((it) => !it.dead && it.goOn !== undefined);
  }

  async #start(file: ExecutorFile = this.#newFile()): Promise<Process> {
    const { cluster, referee, log } = this;
    const { random } = cluster;
    const process: { -readonly [K in keyof Process]: Process[K] } = {
      file,
      turn: undefined,
      dead: false,
      goOn: undefined,
      standing: undefined,
      stopped: () => undefined,
      executor: undefined as never,
    };
    const gate: Gate = () => this.#gate(process);
    const kubernetes = cluster.kubernetes.peer();
    const lost = (): 'lose-request' | 'lose-reply' | undefined =>
      this.#quiet || !random.chance(SHARES.lose)
        ? undefined
        : random.pick(['lose-request', 'lose-reply'] as const);
    cluster.northbound.database.fault = () => lost();
    gateKubernetes(
      kubernetes,
      gate,
      referee.watch(kubernetes, () => process.executor.about()),
      ({ verb }) =>
        verb === 'delete' || verb === 'evict' || verb === 'patch' || verb === 'create'
          ? lost()
          : !this.#quiet && random.chance(SHARES.unreadable)
            ? new Failure('source-unreachable', 'no answer')
            : undefined,
    );
    const gated = gatedLog(log, gate, lost);
    process.executor = fuzzedExecutor({
      name: `executor-${(this.#made += 1)}`,
      systems: { northbound: gatedNorthbound(cluster.northbound.peer(), gate), kubernetes },
      log: gated,
      partition: this.#partition,
      file,
      settings: this.#settings,
      proposals: () => this.#analyst.proposals(),
      decided: () => this.#decided,
      forget: (over) =>
        void (this.#owner === process && (this.#decided = without(this.#decided, new Set(over)))),
      clock: () => this.#now(),
      onAction: (it) => referee.hear(it),
      fence: async () => {
        await gate('fence');
        if (this.#owner !== process)
          throw new Failure('log-partition-lost', 'another executor has the cluster');
      },
    });
    const quiet = this.#quiet;
    this.#decided = this.#told;
    this.#quiet = true; // that starting fails is tried by its own tests
    await process.executor.start();
    this.#quiet = quiet;
    return process;
  }

  #newFile(): ExecutorFile {
    const file = newFile();
    this.#files.push(file);
    return file;
  }

  /** Between two steps of a process anything may happen, to others and to itself. */
  async #gate(process: Process): Promise<void> {
    const { random } = this.cluster;
    if (process.dead) return new Promise(() => undefined);
    // It asks several things at once, and stands still as a whole.
    if (process.standing) return process.standing;
    this.clock.pass(1 + random.int(4));
    if (this.#quiet) return undefined;
    while (random.chance(SHARES.move)) {
      this.#step();
      this.#others();
    }
    if (random.chance(SHARES.slow)) this.clock.pass(random.int(7000));
    if (random.chance(SHARES.die)) {
      this.#step();
      this.referee.tally.crashes += 1;
      process.dead = true;
      process.stopped();
      return new Promise(() => undefined);
    }
    if (!random.chance(SHARES.stand)) return undefined;
    this.#step();
    this.referee.tally.pauses += 1;
    process.standing = new Promise((resolve) => {
      process.goOn = () => {
        process.standing = undefined;
        resolve();
      };
    });
    process.stopped();
    return process.standing;
  }

  /** Every claim ended, in the ledger and on the topic, and says what was done. */
  async #audit(): Promise<void> {
    const topic = new Map<string, Action>();
    for (let from = 0n; ;) {
      const batch = await this.log.read(ACTIONS, this.#partition, from, 500);
      for (const it of batch.records)
        if (it.value !== null) topic.set(it.key, JSON.parse(it.value.toString('utf8')) as Action);
      if (batch.records.length === 0) break;
      from = batch.next;
    }
    this.referee.tally.unclear += [...topic.values()].filter((it) => UNCLEAR.has(it.code)).length;
    const ledger = this.#owner?.executor.ledger;
    for (const what of lostOutcomes(topic, (id) => ledger?.get(id), this.referee.committed()))
      this.referee.offend('lostOutcomes', what);
  }
}
