import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { actionIn } from '@ovn-steward/contracts/actions/action-codec';
import type { Log } from '@ovn-steward/shared/log/log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { ACTIONS, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import { RECORDED_CLUSTER } from '../recorded-engine';
import { EXECUTOR, logOf } from '../signing';
import { type Analyst, createAnalyst } from './analyst';
import { lostOutcomes, UNCLEAR } from './audit';
import { drawLimits } from './limits';
import type { Cluster } from './cluster';
import { forbidAbroad } from './astray';
import { createCluster } from './create-cluster';
import { newFile } from './executor';
import { createForger } from './forger';
import { identityOf } from './identity-of';
import { others } from './others';
import { changeKinds, changeLeader, changeRights, changeSchema, restoreSchema } from './outages';
import { createPeople, type People } from './people';
import { createPlanner } from './planners';
import { errorText, kill, type Process, runTurn, stand, startProcess } from './process';
import { random as randomOf } from '@ovn-steward/systems/testing/kube-ovn/random';
import type { ReachCounter } from './reached';
import { createReferee, type Referee } from './referee';
import type { SteadyClock } from './steady-clock';
import type { Offence, Tally } from './tally';

/** How likely each is, at one gate. */
const SHARES = {
  move: 0.12,
  decide: 0.01,
  giveUp: 0.6,
  die: 0.004,
  stand: 0.004,
  slow: 0.01,
  astray: 0.002,
  homeward: 0.02,
  rights: 0.003,
  kinds: 0.001,
  leader: 0.001,
  schema: 0.002,
  upgrade: 0.003,
  jump: 0.002,
  unfinished: 0.03,
  forge: 0.008,
  controller: 0.002,
};
/** So much more likely a process dies or stands still between a claim and its end. */
const AT_IT = 12;
/**
 * How far a machine's clock may be from the cluster's; most are right. Two that are an hour apart
 * do not believe each other's signatures. Milliseconds.
 */
const SKEWS = [0, 0, 0, 0, 20_000, -20_000, 1_740_000, -1_740_000] as const;
/** Turns in peace after which everything must have come to its end. */
const MOST_QUIET_TURNS = 12;

/** What the controller finishes, once there is one. */
const FINISHED = ['IP', 'Vip', 'OvnEip'] as const;

/** Longer than a history takes, in milliseconds of the steady clock. */
const ALIGNED_MS = 100_000_000;

/** Longer than anything is put off between two attempts. */
const PAUSE_MS = 400_000;

const BEGAN = Date.parse('2026-05-04T00:00:00Z');

/**
 * The cluster's clock, in milliseconds since 1970: it goes on with the steady one, and jumps ahead.
 */
interface Time {
  now(): number;
  jump(ms: number): void;
}

function timeFrom(clock: SteadyClock): Time {
  let offset = BEGAN - clock.now();
  return { now: () => offset + clock.now(), jump: (ms) => void (offset += ms) };
}

interface Reported {
  readonly tally: Tally;
  readonly offences: readonly Offence[];
  readonly reach: Pick<ReachCounter, 'reached'>;
}

/**
 * One history: a small cluster, what others do to it, and executors that come and go. The same seed
 * is the same history.
 */
export async function episode(seed: number, steps: number, clock: SteadyClock): Promise<Reported> {
  const random = randomOf(seed);
  // Leases are renewed by that clock: what came before this history is to be no part of it.
  clock.pass(ALIGNED_MS - (clock.now() % ALIGNED_MS));
  const time = timeFrom(clock);
  const cluster = await createCluster(random, time.now);
  const abroad = await createCluster(random, time.now);
  const referee = createReferee(cluster);
  forbidAbroad(abroad, referee.offend);
  const log = openSqliteLog({ file: ':memory:', now: time.now });
  await log.ensureTopics(TOPICS);
  const history = new History(cluster, abroad, referee, log, clock, time);
  try {
    await history.play(steps);
    await history.calm();
  } catch (error) {
    referee.offend('unexpectedErrors', errorText(error));
  }
  await history.close();
  return referee;
}

/** What it wrote about last; while it starts, nothing. */
const aboutOf = ({ executor }: Process): ActionRecord | undefined =>
  (executor as Process['executor'] | undefined)?.about();
const isAtIt = (process: Process): boolean => aboutOf(process)?.state === 'claimed';

class History {
  readonly #partition = partitionOf(RECORDED_CLUSTER, PARTITIONS);
  readonly #settings: Settings['executor'];
  readonly #files: StateFile[] = [];
  readonly #analyst: Analyst;
  readonly #people: People;
  readonly #forge: () => Promise<void>;
  #owner: Process | undefined;
  /** Processes that stand still, and no longer have the cluster. */
  #former: Process[] = [];
  #quiet = false;
  #made = 0;

  constructor(
    readonly cluster: Cluster,
    readonly abroad: Cluster,
    readonly referee: Referee,
    readonly log: Log,
    readonly clock: SteadyClock,
    readonly time: Time,
  ) {
    this.#settings = drawLimits(cluster.random, this.#now());
    this.#analyst = createAnalyst(
      cluster,
      () => new Date(this.#now()),
      (it) => referee.reach.found(it),
    );
    this.#people = createPeople({
      cluster,
      referee,
      log,
      partition: this.#partition,
      now: () => this.#now(),
      actions: () => this.#owner?.executor.ledger.list({ cluster: RECORDED_CLUSTER }) ?? [],
      abroad: identityOf(abroad)(),
      plan: createPlanner({
        cluster,
        abroad,
        proposals: () => this.#analyst.proposals(),
        now: () => this.#now(),
      }),
    });
    const forge = createForger({
      cluster,
      log,
      partition: this.#partition,
      now: () => this.#now(),
    });
    this.#forge = async () => {
      referee.tally.forged += 1;
      await forge();
    };
  }

  async play(steps: number): Promise<void> {
    const { random } = this.cluster;
    for (let warm = 0; warm < 30; warm++) others(this.cluster);
    for (let warm = 0; warm < 10; warm++) others(this.abroad);
    await this.#people.resumeAll();
    this.#analyst.observe();
    while (this.referee.tally.steps < steps) {
      this.#step();
      const draw = random.int(100);
      if (draw < 50) this.#others();
      else if (draw < 54) this.#analyst.observe();
      else if (draw < 58) this.#analyst.lie();
      else if (draw < 62) await this.#people.decide();
      else if (draw < 65) this.#setClocks();
      else if (draw < 68) this.#pass();
      else if (draw < 71) await this.#replace();
      else if (draw < 75) await this.#resume();
      else await this.#work();
    }
  }

  /**
   * Nothing goes wrong any more: whatever is open must come to its end, and what is reported
   * must be true.
   */
  async calm(): Promise<void> {
    this.#quiet = true;
    for (const process of this.#processes()) {
      process.compass.turn(undefined);
      process.kubernetes.forbidden.clear();
    }
    for (const it of this.#processes()) await this.#letGoOn(it);
    this.cluster.controller.lead();
    restoreSchema(this.cluster);
    // What was sent before is called off only when nobody holds that.
    await this.#people.resumeAll();
    // Who stood still may have said something after the other had read: whoever starts hears it.
    this.#owner = await this.#start(this.#owner?.file);
    this.#analyst.observe();
    if (this.cluster.random.chance(0.5)) await this.#approve();
    if (this.cluster.random.chance(0.7)) await this.#disturb();
    let last = '';
    for (let turn = 0; turn < MOST_QUIET_TURNS; turn++) {
      this.clock.pass(PAUSE_MS);
      for (const kind of FINISHED)
        for (const object of this.cluster.kubernetes.objects(kind))
          if (object.metadata.deletionTimestamp !== undefined)
            this.cluster.kubernetes.remove(kind, undefined, object.metadata.name);
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

  /**
   * While a history plays, hardly anything stands for as long as a person takes to approve it: what
   * is never done without a person would hardly ever be done.
   */
  async #approve(): Promise<void> {
    await this.#work();
    await this.#people.approveAll();
  }

  /**
   * Most processes of a history have one turn or two. Here one has verified all there is to do,
   * under a hold; then another controller begins to lead, or the Northbound is reached again, and
   * it has to stand back with all of it in hand.
   */
  async #disturb(): Promise<void> {
    const { controller, random, shown } = this.cluster;
    await this.#people.holdMuch();
    await this.#work();
    await this.#people.resumeAll();
    const isLed = this.#settings.yield.afterLease > 0;
    if (random.chance(isLed ? 0.2 : 0.8))
      shown.view = { ...shown.view, version: shown.view.version + 1 };
    else {
      controller.change();
      controller.lead();
    }
    for (let turn = 0; turn < 2; turn++) {
      await this.#work();
      this.clock.pass(1000);
    }
  }

  async close(): Promise<void> {
    await this.log.close();
    for (const it of this.#files) it.close();
  }

  #others(move = others): void {
    move(this.cluster);
    this.referee.observe();
  }

  #step(): void {
    this.referee.tally.steps += 1;
  }

  /** Seconds; where no controller is there, sometimes long enough for everybody to know. */
  #pass(): void {
    const { random, controller } = this.cluster;
    const isLong = controller.goneSince() !== undefined && random.chance(0.5);
    this.clock.pass(isLong ? 20_000 + random.int(30_000) : random.int(8000));
  }

  /** Time passes, or a machine's clock is set. */
  #setClocks(): void {
    const { random } = this.cluster;
    const process = random.maybe(this.#processes());
    if (process && random.chance(0.4)) process.skew = random.pick(SKEWS);
    else this.time.jump(random.int(7_200_000));
  }

  #now(): number {
    return this.time.now();
  }

  #processes(): readonly Process[] {
    return [...this.#former, ...(this.#owner ? [this.#owner] : [])];
  }

  /** A turn of whoever has the cluster. */
  async #work(): Promise<void> {
    const owner = (this.#owner ??= await this.#start());
    if (owner.dead) return this.#replace();
    if (owner.goOn !== undefined) return;
    await this.#giveUp(owner);
    await runTurn(owner, this.referee);
  }

  /**
   * What was left open when a turn failed, or its executor died: somebody may not wait for whoever
   * comes next.
   */
  async #giveUp({ turn, executor }: Process): Promise<void> {
    const { random } = this.cluster;
    if (this.#quiet || turn !== undefined || !random.chance(SHARES.giveUp)) return;
    if (executor.ledger.open(RECORDED_CLUSTER).length > 0) await this.#people.giveUp();
  }

  async #letGoOn(process: Process): Promise<void> {
    const go = process.goOn;
    if (go === undefined || process.dead) return;
    process.goOn = undefined;
    const running = runTurn(process, this.referee);
    go();
    await running;
    if (this.#owner !== process && process.turn === undefined)
      this.#former = this.#former.filter((each) => each !== process);
  }

  /** Somebody who stood still goes on, as if nothing had been. */
  async #resume(): Promise<void> {
    const process = this.cluster.random.maybe(
      this.#processes().filter((each) => each.goOn !== undefined),
    );
    if (process) await this.#letGoOn(process);
  }

  /**
   * The cluster goes to another executor: after a death with the same file or without it, else
   * beside one that stands still or idles.
   */
  async #replace(): Promise<void> {
    const before = this.#owner;
    if (before && !before.dead) this.#former.push(before);
    const keeps = before?.dead === true && this.cluster.random.chance(0.7);
    this.#owner = await this.#start(keeps ? before.file : undefined);
    this.#former = this.#former.filter((it) => !it.dead && it.goOn !== undefined);
  }

  async #start(file: StateFile = this.#newFile()): Promise<Process> {
    const quiet = this.#quiet;
    this.#quiet = true; // that starting fails is tried by its own tests
    const process = await startProcess(
      `executor-${(this.#made += 1)}`,
      { file, skew: this.cluster.random.pick(SKEWS) },
      {
        cluster: this.cluster,
        abroad: this.abroad,
        referee: this.referee,
        log: this.log,
        partition: this.#partition,
        settings: this.#settings,
        clock: this.clock,
        proposals: () => this.#analyst.proposals(),
        now: () => this.#now(),
        isQuiet: () => this.#quiet,
        gate: (it) => this.#gate(it),
        isOwner: (it) => this.#owner === it,
      },
    );
    this.#quiet = quiet;
    return process;
  }

  #newFile(): StateFile {
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
    if (random.chance(SHARES.decide)) {
      this.#step();
      await this.#people.decide();
    }
    this.#turnAstray(process);
    if (random.chance(SHARES.rights)) changeRights(this.cluster, process.kubernetes);
    if (random.chance(SHARES.kinds)) this.#others(changeKinds);
    this.#changeSchema(process);
    if (random.chance(SHARES.leader)) await changeLeader(this.cluster);
    const more = isAtIt(process) ? AT_IT : 1;
    if (random.chance(SHARES.controller * more)) this.#others((it) => it.controller.change());
    this.#passWithin(process);
    if (random.chance(SHARES.forge)) {
      this.#step();
      await this.#forge();
    }
    if (random.chance(SHARES.die * more)) {
      this.#step();
      this.referee.tally.crashes += 1;
      return kill(process);
    }
    if (!random.chance(SHARES.stand * more)) return undefined;
    this.#step();
    this.referee.tally.pauses += 1;
    return stand(process);
  }

  /**
   * An answer is slow; the machine's clock is set; or a controller that is gone is so for longer
   * than anybody waits for it, within one attempt.
   */
  #passWithin(process: Process): void {
    const { random, controller } = this.cluster;
    if (random.chance(SHARES.slow)) this.clock.pass(random.int(7000));
    if (random.chance(SHARES.jump)) this.time.jump(random.int(7_200_000));
    if (controller.goneSince() !== undefined && isAtIt(process) && random.chance(SHARES.unfinished))
      this.clock.pass(31_000);
  }

  /**
   * Another schema is shown from now on, also between a proof and what is sent on it; or all of it
   * again.
   */
  #changeSchema(process: Process): void {
    const isWhole = this.cluster.shown.view.missing.length === 0;
    const share = isWhole ? SHARES.schema : SHARES.upgrade;
    if (!this.cluster.random.chance(share * (isAtIt(process) ? AT_IT : 1))) return;
    this.#step();
    this.referee.tally.schemas += 1;
    changeSchema(this.cluster, aboutOf(process)?.target.kind);
  }

  /** An address leads to another cluster from now on, or to its own again. */
  #turnAstray({ compass }: Process): void {
    const { random } = this.cluster;
    if (compass.way().astray !== undefined) {
      if (random.chance(SHARES.homeward)) compass.turn(undefined);
    } else if (random.chance(SHARES.astray)) {
      this.#step();
      this.referee.tally.mispaired += 1;
      compass.turn(random.pick(['kubernetes', 'kubernetes', 'northbound', 'both'] as const));
    }
  }

  /** Every claim ended, in the ledger and on the topic, and says what was done. */
  async #audit(): Promise<void> {
    const log = logOf(this.log, EXECUTOR, () => this.#now());
    const topic = new Map<string, ActionRecord>();
    const heard = new Set<string>();
    for (let from = 0n; ;) {
      const batch = await log.read(ACTIONS, this.#partition, from, 500);
      for (const { key, value, origin } of batch.records) {
        if (origin?.is === 'proven' && origin.by.role === 'executor') heard.add(key);
        // The last word, whoever said it: of each key compaction keeps no other.
        if (value === null) topic.delete(key);
        else topic.set(key, actionIn(value.toString('utf8')));
      }
      if (batch.records.length === 0) break;
      from = batch.next;
    }
    for (const key of topic.keys()) if (!heard.has(key)) topic.delete(key);
    this.referee.tally.unclear += [...topic.values()].filter((it) => UNCLEAR.has(it.code)).length;
    const ledger = this.#owner?.executor.ledger;
    for (const what of lostOutcomes(topic, (id) => ledger?.get(id), this.referee.committed()))
      this.referee.offend('lostOutcomes', what);
  }
}
