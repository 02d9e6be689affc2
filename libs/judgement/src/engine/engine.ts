import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import type { Rule, Verdict, Violation } from '../rule-kit/rule';
import type { Cell } from '../world/cell';
import { cellsOfKnowing } from '../world/cell';
import { Dependencies } from '../world/dependencies';
import type { Entity } from '../world/entity';
import { type Pairing, pairing } from '../rule-kit/pairing';
import { isSaidOf, signOfLife } from '../rule-kit/uninstalled';
import type { StreamState } from '../world/streams';
import type { WorldInput } from '../world/world-input';
import type { MovedEntity, World } from '../world/world';
import { claimOf } from './claim-of';
import type { AppliedChanges, EngineOptions } from './engine-options';
import { latest, since } from './clock';
import { FindingSet } from './finding-set';
import { FormerRows } from './former-rows';
import { Moments } from './moments';
import type { Judge } from './judge';
import { believesOtherwise, createJudge, dueOf, heldJudgement, reasonToWithhold } from './judge';
import { isLasting } from './lasting';
import { type Claim, doubted, gone, ripened, seen } from './lifecycle';
import { ALL_KINDS } from './suspicions';
import { toTheEnd } from './to-the-end';
import { Units } from './units';
import { unknownsOf } from './unknowns-of';

/** Between two pauses: some milliseconds. */
const CHECKS_AT_ONCE = 200;

/**
 * Folds changes and keeps the findings in step: a change re-checks only the units that read
 * something it moved. Single-threaded and free of I/O; time comes with the changes.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #judges: Judge[];
  readonly #units: Units;
  readonly #dependencies = new Dependencies();
  readonly #judgesOf = new Map<string, number[]>();
  readonly #judgesAsking = new Map<Cell, number[]>();
  readonly #book: FindingSet;
  /** Ids of a unit's live findings; a unit without any is not in the map. */
  readonly #ofUnit = new Map<number, readonly string[]>();
  readonly #unknown = new Map<number, string>();
  readonly #former: FormerRows;
  readonly #moments: Moments;
  #now = '';

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#former = new FormerRows(options.world);
    this.#moments = new Moments(options.world);
    this.#book = new FindingSet(options.suppressedBy);
    this.#units = new Units(options.rules.map((it) => it.subject));
    this.#judges = options.rules.map((rule, index) =>
      createJudge(
        rule,
        options.world,
        (finding) => this.#graceOf(finding),
        options.uninstalled ?? [],
        (kind) => this.#ask(index, kind),
      ),
    );
    this.#judges.forEach(({ rule, needs }, index) => {
      push(this.#judgesOf, rule.subject, index);
      for (const kind of needs) this.#ask(index, kind);
    });
  }

  /** Folds the changes; says what they moved, and every finding that changed by them in its newest revision. */
  apply(
    changes: readonly WorldInput[],
    options: { checked: boolean } = { checked: true },
  ): AppliedChanges {
    return toTheEnd(this.applying(changes, options));
  }

  /** As `apply`, with pauses in which others may work: a whole cluster that becomes known is judged at once, which takes seconds. */
  *applying(
    changes: readonly WorldInput[],
    options: { checked: boolean } = { checked: true },
  ): Generator<undefined, AppliedChanges> {
    const moved = this.#fold(changes, options);
    const units = new Set<number>();
    for (const movedThing of moved) this.#follow(movedThing, units);
    yield* this.#settle(this.#options.world.takeTouched(), units);
    this.#ripen();
    return { moved, findings: this.#book.takeChanged() };
  }

  /**
   * Folds changes before anything is judged (`restore` follows): those that somebody else judged, or that are too old to be judged one
   * by one. `checked` as for the world: not where compaction has taken what later changes replaced.
   */
  foldUnjudged(
    changes: readonly WorldInput[],
    options: { checked: boolean },
  ): readonly MovedEntity[] {
    const moved = this.#fold(changes, options);
    this.#options.world.takeTouched();
    return moved;
  }

  /** Takes up findings of an earlier run, then judges everything that can be judged. */
  restore(findings: readonly Finding[], now: string): readonly Finding[] {
    return toTheEnd(this.restoring(findings, now, { unwatched: false }));
  }

  /** As `restore`, with pauses in which others may work. `unwatched`: nothing was observed for a while, so suspicions start their grace again. */
  *restoring(
    findings: readonly Finding[],
    now: string,
    options: { unwatched: boolean },
  ): Generator<undefined, readonly Finding[]> {
    this.#now = now;
    const rules = new Map(this.#judges.map((judge, index) => [judge.rule.id, { judge, index }]));
    // Grace ends, and what is resolved is forgotten, in the order in which either began.
    for (const finding of [...findings].sort((a, b) => (since(a) < since(b) ? -1 : 1))) {
      this.#book.recall(finding);
      if (finding.state !== 'resolved') this.#former.recallFinding(finding);
      const known = rules.get(finding.rule);
      if (!known || finding.state === 'resolved') continue;
      const unit = this.#units.ensure(known.index, finding.subject.uid);
      this.#ofUnit.set(unit, [...(this.#ofUnit.get(unit) ?? []), finding.id]);
      known.judge.suspicions.update(this.#book.get(finding.id)!);
      if (options.unwatched) known.judge.suspicions.pause(finding.id);
    }
    this.#former.flush();
    this.#options.world.takeTouched();
    for (const [index, judge] of this.#judges.entries()) {
      yield* this.#reconsider(index);
      if (judge.withheld) judge.suspicions.pauseAll();
    }
    this.#ripen();
    this.#book.suppressAnew();
    return this.#book.takeChanged();
  }

  /** Every finding that is not resolved. */
  findings(): readonly Finding[] {
    return this.#book.open();
  }

  /** Every finding that is resolved and not yet forgotten. */
  resolved(): readonly Finding[] {
    return this.#book.resolved();
  }

  /** In its newest revision, resolved or not. */
  finding(id: string): Finding | undefined {
    return this.#book.shown(id);
  }

  /** Shows findings as what is suppressed now says; returns those that changed by it. */
  suppressAnew(): readonly Finding[] {
    this.#book.suppressAnew();
    return this.#book.takeChanged();
  }

  /** What cannot be judged now: whole rules first, then single subjects. Rules that need what is optional and was not read (the Southbound, kinds that a recording may lack) are not among them. */
  unknowns(): readonly Unknown[] {
    return unknownsOf(this.#judges, this.#units, this.#unknown, this.#options.world);
  }

  /** Whether both systems are one cluster, and by what that is known. */
  pairing(): Pairing {
    return pairing(this.world, undefined, undefined, this.#options.uninstalled);
  }

  /** Why a statement of a person that Kube-OVN was uninstalled counts for nothing here; undefined where none was made, or it counts. */
  refusedStatement(): string | undefined {
    const { world, uninstalled = [] } = this.#options;
    if (uninstalled.length === 0) return undefined;
    if (!isSaidOf(world, uninstalled))
      return `it is about ${uninstalled.join(', ')}, and this is another pair`;
    const { is, reason } = this.pairing();
    return signOfLife(world) ?? (is === 'paired' ? undefined : reason);
  }

  streams(): readonly StreamState[] {
    return [...this.#options.world.streams()];
  }

  get world(): World {
    return this.#options.world;
  }

  /** Drops resolved findings older than that (on the sources' clock) and returns their ids. */
  forgetResolved(olderThanMs: number): readonly string[] {
    const before = new Date(
      Date.parse(this.#now || '1970-01-01T00:00:00Z') - olderThanMs,
    ).toISOString();
    return this.#book.forgetResolved(before);
  }

  get now(): string {
    return this.#now;
  }

  #fold(changes: readonly WorldInput[], options: { checked: boolean }): MovedEntity[] {
    const { world } = this.#options;
    const moved: MovedEntity[] = [];
    let heard = latest('', world.streams());
    for (const change of changes) {
      const movedThing = world.fold(change, options);
      const original = change.type === 'replayed' ? change.change : change;
      if (original.type !== 'unreadable') {
        this.#former.hear(original);
        this.#moments.hear(original);
        if (movedThing) this.#former.heed(movedThing, original);
        if (movedThing) this.#moments.heed(movedThing, original);
      }
      if (movedThing) moved.push(movedThing);
      const through = world.stream(change.stream)?.observedThrough ?? '';
      if (through > heard) heard = through;
      // Before any source said up to when it knows, its changes are all the time there is. Change by change, so that cutting them
      // into other batches makes no difference.
      const time = heard || ('observedAt' in change ? change.observedAt : '');
      // A recording is of its own time, however late it is read.
      if (time > this.#now || (world.recorded && heard !== '')) this.#now = time;
    }
    moved.push(...this.#former.flush());
    return moved;
  }

  /** A subject that came or changed is to be judged, one that went loses its units; what else moved is found through the cells. */
  #follow({ before, after }: MovedEntity, units: Set<number>): void {
    const { kind, uid } = (after ?? before)!;
    for (const index of this.#judgesOf.get(kind) ?? []) {
      if (after) {
        if (!this.#judges[index]!.withheld) units.add(this.#units.ensure(index, uid));
      } else {
        const unit = this.#units.find(index, uid);
        if (unit !== undefined) this.#drop(index, unit);
      }
    }
    if (!after) this.#units.release(kind, uid);
  }

  /** Judges the units, and those that read a touched cell. */
  *#settle(touched: ReadonlySet<Cell>, units: Set<number>): Generator<undefined> {
    const judges = new Set<number>();
    for (const cell of touched) {
      for (const index of this.#judgesAsking.get(cell) ?? []) judges.add(index);
      this.#dependencies.readersOf(cell, units);
    }
    for (const index of judges) yield* this.#reconsider(index);
    let checked = 0;
    for (const id of units) {
      const unit = this.#units.get(id);
      if (!unit || this.#judges[unit.rule]!.withheld) continue;
      const entity = this.#options.world.entity(unit.kind, unit.uid);
      if (!entity) continue;
      this.#check(unit.rule, entity);
      if (++checked % CHECKS_AT_ONCE === 0) yield;
    }
  }

  /** Withholds a rule whose kinds are not all known. Judges every subject once they are, and when a kind it queried became known or unknown. */
  *#reconsider(index: number): Generator<undefined> {
    const judge = this.#judges[index]!;
    const before = judge.withheld;
    const { world } = this.#options;
    judge.withheld = reasonToWithhold(judge, world);
    const otherwise = believesOtherwise(judge, world);
    if (judge.withheld && !before) judge.suspicions.pauseAll();
    if (judge.withheld || !(before || otherwise)) return;
    let checked = 0;
    for (const entity of world.entities(judge.rule.subject)) {
      this.#check(index, entity);
      if (++checked % CHECKS_AT_ONCE === 0) yield;
    }
    for (const [uid, unit] of this.#units.ofRule(index))
      if (!world.entity(judge.rule.subject, uid)) this.#drop(index, unit);
  }

  /** Reconsiders the rule when what decides whether the kind is known moves. */
  #ask(index: number, kind: string): void {
    for (const cell of cellsOfKnowing(kind)) push(this.#judgesAsking, cell, index);
  }

  #check(index: number, entity: Entity): void {
    const judge = this.#judges[index]!;
    if (!this.world.followed) return this.#checkOnce(index, judge, entity);
    const unit = this.#units.ensure(index, entity.uid);
    const { answer, cells, kinds } = judge.view.watch(() =>
      heldJudgement(judge.rule, entity, judge.view),
    );
    this.#dependencies.record(unit, cells);
    this.#take(judge, unit, entity, { answer, kinds });
  }

  /** Of a world in which nothing moves any more: what was read is not recorded, and what is healthy needs no unit. */
  #checkOnce(index: number, judge: Judge, entity: Entity): void {
    const answer = heldJudgement(judge.rule, entity, judge.view);
    if (answer.is === 'healthy' && this.#units.find(index, entity.uid) === undefined) return;
    const unit = this.#units.ensure(index, entity.uid);
    this.#take(judge, unit, entity, { answer, kinds: ALL_KINDS });
  }

  #take(
    judge: Judge,
    unit: number,
    entity: Entity,
    { answer, kinds }: { readonly answer: Verdict; readonly kinds: number },
  ): void {
    if (answer.is === 'unknown') {
      this.#unknown.set(unit, answer.reason);
      for (const id of this.#ofUnit.get(unit) ?? []) judge.suspicions.pause(id);
      return;
    }
    this.#unknown.delete(unit);
    const violations =
      answer.is === 'violation'
        ? answer.violations.filter((it) => !this.#isSpared(judge.rule, entity, it))
        : [];
    this.#claim(judge, unit, entity, violations, kinds, answer.lasting ?? []);
  }

  #claim(
    judge: Judge,
    unit: number,
    entity: Entity,
    violations: readonly Violation[],
    kinds: number,
    lasting: readonly string[],
  ): void {
    const before = this.#ofUnit.get(unit) ?? [];
    const ids: string[] = [];
    for (const violation of violations) {
      const said = claimOf(this.#options.cluster, judge.rule, entity, violation);
      ids.push(said.id);
      const known = this.#book.get(said.id);
      const claim = this.#withMoments(said, known);
      const isAnew = judge.suspicions.isAnew(claim.id, violation.sense);
      const resumed = isFreed(judge.rule, known, claim)
        ? gone(known, this.#now)
        : known && isAnew
          ? doubted(known, this.#now)
          : known;
      const finding = seen(resumed, claim, this.#now);
      this.#set(judge, known, finding);
      judge.suspicions.update(finding, kinds);
    }
    for (const id of before.filter((it) => !ids.includes(it)))
      if (isLasting(this.#book.get(id), lasting, this.world)) ids.push(id);
      else this.#resolve(judge, id);
    if (ids.length > 0) this.#ofUnit.set(unit, ids);
    else this.#ofUnit.delete(unit);
  }

  /** With how its cause came about, as it was seen when the finding was first made. */
  #withMoments(claim: Claim, known: Finding | undefined): Claim {
    const { cause } = claim;
    if (cause === undefined) return claim;
    const isSame = known?.cause?.kind === cause.kind && known.cause.key === cause.key;
    const before = known?.state !== 'resolved' && isSame ? known?.cause?.moments : undefined;
    const moments = before ?? this.#moments.of(cause);
    return moments === undefined ? claim : { ...claim, cause: { ...cause, moments: [...moments] } };
  }

  /** Whether the user keeps the subject, or something that would go with it. */
  #isSpared(rule: Rule, entity: Entity, { concerns = [] }: Violation): boolean {
    const { isProtected } = this.#options;
    return (
      isProtected !== undefined &&
      (rule.class === 'garbage' || rule.class === 'leak') &&
      [entity, ...concerns].some(isProtected)
    );
  }

  #drop(index: number, unit: number): void {
    for (const id of this.#ofUnit.get(unit) ?? []) this.#resolve(this.#judges[index]!, id);
    this.#ofUnit.delete(unit);
    this.#unknown.delete(unit);
    this.#dependencies.forget(unit);
  }

  #resolve(judge: Judge, id: string): void {
    const finding = this.#book.get(id);
    if (finding) this.#set(judge, finding, gone(finding, this.#now));
  }

  #set(judge: Judge, before: Finding | undefined, after: Finding): void {
    if (before === after) return;
    this.#book.set(after);
    judge.suspicions.update(after);
  }

  #graceOf(finding: Finding): number {
    return this.#options.graceOf?.(finding) ?? this.#options.grace[finding.class];
  }

  #ripen(): void {
    for (const judge of this.#judges) {
      if (judge.withheld || judge.suspicions.size === 0) continue;
      for (const [id, watermark] of dueOf(judge, this.#options.world)) {
        const finding = this.#book.get(id)!;
        this.#set(judge, finding, ripened(finding, watermark, this.#graceOf(finding)));
      }
    }
  }
}

/** Whether a conflict kept the remedy off until now: what may be acted on from here on begins its grace again. */
const isFreed = (rule: Rule, known: Finding | undefined, claim: Claim): known is Finding =>
  rule.conflict !== undefined && known?.remedy === null && claim.remedy !== null;

function push<K>(map: Map<K, number[]>, key: K, value: number): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}
