import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import type { Cell } from '../world/cell';
import { cellsOfKnowing } from '../world/cell';
import { Dependencies } from '../world/dependencies';
import type { Entity } from '../world/entity';
import { type Pairing, pairing } from '../rule-kit/pairing';
import { isStatementAbout, signOfLife } from '../rule-kit/uninstalled';
import type { StreamState } from '../world/streams';
import type { WorldInput } from '../world/world-input';
import type { MovedEntity, World } from '../world/world';
import type { AppliedChanges, EngineOptions } from './engine-options';
import { since } from './clock';
import { FoldedChanges } from './folded-changes';
import type { Judge } from './judge';
import { hasKindKnowledgeChanged, createJudge, heldJudgement, reasonToWithhold } from './judge';
import { pushOnce, RuleIndex } from './rule-index';
import { ALL_KINDS } from './suspicions';
import { toTheEnd } from './to-the-end';
import { Units } from './units';
import { Verdicts } from './verdicts';

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
  readonly #index: RuleIndex;
  /** Judges beside those that need it, by the cells that decide whether a kind is known. */
  readonly #judgesByCell = new Map<Cell, number[]>();
  readonly #changes: FoldedChanges;
  readonly #verdicts: Verdicts;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#changes = new FoldedChanges(options.world);
    this.#verdicts = new Verdicts(options, this.#changes);
    this.#units = new Units(options.rules.map((it) => it.subject));
    this.#index = RuleIndex.of(options.rules);
    const graceOf = (finding: Finding): number => this.#verdicts.graceOf(finding);
    const onBelief = (judge: Judge, kind: string): void =>
      this.#subscribe(this.#judges.indexOf(judge), kind);
    const { world, uninstalled = [] } = options;
    this.#judges = options.rules.map((rule) =>
      createJudge(rule, world, graceOf, uninstalled, onBelief),
    );
  }

  /**
   * Folds the changes; says what they moved, and every finding that changed by them in its newest
   * revision.
   */
  apply(
    changes: readonly WorldInput[],
    options: { checked: boolean } = { checked: true },
  ): AppliedChanges {
    return toTheEnd(this.applying(changes, options));
  }

  /**
   * As `apply`, with pauses in which others may work: a whole cluster that becomes known is judged
   * at once, which takes seconds.
   */
  *applying(
    changes: readonly WorldInput[],
    options: { checked: boolean } = { checked: true },
  ): Generator<undefined, AppliedChanges> {
    const moved = this.#changes.fold(changes, options);
    const units = new Set<number>();
    for (const movedThing of moved) this.#follow(movedThing, units);
    yield* this.#judgeTouched(this.#options.world.takeTouched(), units);
    this.#ripen();
    return { moved, findings: this.#verdicts.findings.takeChanged() };
  }

  /**
   * Folds changes before anything is judged (`restore` follows): those that somebody else judged,
   * or that are too old to be judged one by one. `checked` as for the world: not where compaction
   * has taken what later changes replaced.
   */
  foldUnjudged(
    changes: readonly WorldInput[],
    options: { checked: boolean },
  ): readonly MovedEntity[] {
    const moved = this.#changes.fold(changes, options);
    this.#options.world.takeTouched();
    return moved;
  }

  /** Takes up findings of an earlier run, then judges everything that can be judged. */
  restore(findings: readonly Finding[], now: string): readonly Finding[] {
    return toTheEnd(this.restoring(findings, now, { unwatched: false }));
  }

  /**
   * As `restore`, with pauses in which others may work. `unwatched`: nothing was observed for a
   * while, so suspicions start their grace again.
   */
  *restoring(
    findings: readonly Finding[],
    now: string,
    options: { unwatched: boolean },
  ): Generator<undefined, readonly Finding[]> {
    const rules = new Map(this.#judges.map((judge, index) => [judge.rule.id, { judge, index }]));
    // Grace ends, and what is resolved is forgotten, in the order in which either began.
    const inOrder = [...findings].sort(ascendingBy(since));
    this.#changes.resume(inOrder, now);
    for (const finding of inOrder) {
      this.#verdicts.findings.recall(finding);
      const known = rules.get(finding.rule);
      if (!known || finding.state === 'resolved') continue;
      const unit = this.#units.ensure(known.index, finding.subject.uid);
      this.#verdicts.resume(known.judge, unit, finding.id, options);
    }
    this.#options.world.takeTouched();
    yield* this.#judgeAll([...this.#judges.keys()].filter((index) => this.#reconsider(index)));
    for (const { withheld, suspicions } of this.#judges) if (withheld) suspicions.pauseAll();
    this.#ripen();
    this.#verdicts.findings.applySuppressions();
    return this.#verdicts.findings.takeChanged();
  }

  /** Every finding that is not resolved. */
  findings(): readonly Finding[] {
    return this.#verdicts.findings.open();
  }

  /** Every finding that is resolved and not yet forgotten. */
  resolved(): readonly Finding[] {
    return this.#verdicts.findings.resolved();
  }

  /** In its newest revision, resolved or not. */
  finding(id: string): Finding | undefined {
    return this.#verdicts.findings.shown(id);
  }

  /** Shows findings as what is suppressed now says; returns those that changed by it. */
  applySuppressions(): readonly Finding[] {
    this.#verdicts.findings.applySuppressions();
    return this.#verdicts.findings.takeChanged();
  }

  /**
   * What cannot be judged now: whole rules first, then single subjects. Rules that need what is
   * optional and was not read (the Southbound, kinds that a recording may lack) are not among them.
   */
  unknowns(): readonly Unknown[] {
    return this.#verdicts.unknowns(this.#judges, this.#units);
  }

  /** Whether both systems are one cluster, and by what that is known. */
  pairing(): Pairing {
    return pairing(this.world, undefined, undefined, this.#options.uninstalled);
  }

  /**
   * Why a statement of a person that Kube-OVN was uninstalled counts for nothing here; undefined
   * where none was made, or it counts.
   */
  refusedStatement(): string | undefined {
    const { world, uninstalled = [] } = this.#options;
    if (uninstalled.length === 0) return undefined;
    if (!isStatementAbout(world, uninstalled))
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
      Date.parse(this.now || '1970-01-01T00:00:00Z') - olderThanMs,
    ).toISOString();
    return this.#verdicts.findings.forgetResolved(before);
  }

  get now(): string {
    return this.#changes.now;
  }

  /**
   * A subject that came or changed is to be judged, one that went loses its units; what else moved
   * is found through the cells.
   */
  #follow({ before, after }: MovedEntity, units: Set<number>): void {
    const { kind, uid } = (after ?? before)!;
    const judges = this.#index.judging.get(kind) ?? [];
    if (after) {
      const judging = judges.filter((index) => !this.#judges[index]!.withheld);
      for (const unit of this.#units.ensureAll(judging, uid)) units.add(unit);
      return;
    }
    for (const index of judges) {
      const unit = this.#units.find(index, uid);
      if (unit !== undefined) this.#drop(index, unit);
    }
    this.#units.release(kind, uid);
  }

  /** Judges the units, and those that read a touched cell. */
  *#judgeTouched(touched: ReadonlySet<Cell>, units: Set<number>): Generator<undefined> {
    const judges = new Set<number>();
    for (const cell of touched) {
      for (const index of this.#index.needing.get(cell) ?? []) judges.add(index);
      for (const index of this.#judgesByCell.get(cell) ?? []) judges.add(index);
      this.#dependencies.readersOf(cell, units);
    }
    yield* this.#judgeAll([...judges].filter((index) => this.#reconsider(index)));
    let checked = 0;
    for (const id of units) {
      const unit = this.#units.get(id);
      if (!unit || this.#judges[unit.rule]!.withheld) continue;
      const entity = this.#options.world.entity(unit.kind, unit.uid);
      if (!entity) continue;
      this.#check(unit.rule, entity, id);
      if (++checked % CHECKS_AT_ONCE === 0) yield;
    }
  }

  /**
   * Withholds a rule whose kinds are not all known.
   * @returns whether every subject of it is to be judged: they are known now, or a kind it queried
   *   became known or unknown.
   */
  #reconsider(index: number): boolean {
    const judge = this.#judges[index]!;
    const before = judge.withheld;
    const { world } = this.#options;
    judge.withheld = reasonToWithhold(judge, world);
    const otherwise = hasKindKnowledgeChanged(judge, world);
    if (judge.withheld && !before) judge.suspicions.pauseAll();
    return !judge.withheld && (before !== '' || otherwise);
  }

  /**
   * Judges every subject by these rules: one subject after the other, since its rules read the same
   * things.
   */
  *#judgeAll(judges: readonly number[]): Generator<undefined> {
    const bySubject = new Map<string, number[]>();
    for (const index of judges) pushOnce(bySubject, this.#judges[index]!.rule.subject, index);
    const { world } = this.#options;
    for (const [kind, judging] of bySubject) {
      let checked = 0;
      for (const entity of world.entities(kind)) {
        const units = world.followed ? this.#units.ensureAll(judging, entity.uid) : [];
        for (let nth = 0; nth < judging.length; nth++) {
          this.#check(judging[nth]!, entity, units[nth]);
          if (++checked % CHECKS_AT_ONCE === 0) yield;
        }
      }
      for (const uid of this.#units.subjects(kind)) {
        if (world.entity(kind, uid)) continue;
        this.#units.ensureAll(judging, uid).forEach((unit, nth) => this.#drop(judging[nth]!, unit));
      }
    }
  }

  /** Reconsiders the rule when what decides whether the kind is known moves. */
  #subscribe(index: number, kind: string): void {
    for (const cell of cellsOfKnowing(kind)) pushOnce(this.#judgesByCell, cell, index);
  }

  /** @param unit none of a world that is not followed. */
  #check(index: number, entity: Entity, unit: number | undefined): void {
    const judge = this.#judges[index]!;
    if (unit === undefined) return this.#checkOnce(index, judge, entity);
    const { answer, cells, kinds } = judge.view.recordReads(() =>
      heldJudgement(judge.rule, entity, judge.view),
    );
    this.#dependencies.record(unit, cells);
    this.#verdicts.take(judge, unit, entity, { verdict: answer, kinds });
  }

  /**
   * Of a world in which nothing moves any more: what was read is not recorded, and what is healthy
   * needs no unit.
   */
  #checkOnce(index: number, judge: Judge, entity: Entity): void {
    const verdict = heldJudgement(judge.rule, entity, judge.view);
    if (verdict.is === 'healthy' && this.#units.find(index, entity.uid) === undefined) return;
    const unit = this.#units.ensure(index, entity.uid);
    this.#verdicts.take(judge, unit, entity, { verdict, kinds: ALL_KINDS });
  }

  #drop(index: number, unit: number): void {
    this.#verdicts.drop(this.#judges[index]!, unit);
    this.#dependencies.forget(unit);
  }

  #ripen(): void {
    for (const judge of this.#judges) this.#verdicts.ripen(judge);
  }
}
