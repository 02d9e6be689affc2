import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import type { Rule, Verdict, Violation } from '../rule-kit/rule';
import type { Entity } from '../world/entity';
import { claimOf } from './claim-of';
import type { EngineOptions } from './engine-options';
import { FindingSet } from './finding-set';
import type { FoldedChanges } from './folded-changes';
import { dueOf, type Judge } from './judge';
import { isLasting } from './lasting';
import { asResolved, type Claim, keptInDoubt, ripened, seen, withNewGrace } from './lifecycle';
import type { Units } from './units';
import { unknownsOf } from './unknowns-of';

/** What was found of one unit, and the kinds that its check read (`View.watch`). */
export interface JudgedUnit {
  readonly verdict: Verdict;
  readonly kinds: number;
}

const NONE: readonly string[] = Object.freeze([]);

/**
 * Turns what checks found of units into findings, each with its history, and keeps what could not
 * be judged.
 */
export class Verdicts {
  readonly #options: EngineOptions;
  readonly #changes: FoldedChanges;
  readonly findings: FindingSet;
  /** Ids of a unit's live findings; a unit without any is not in the map. */
  readonly #ofUnit = new Map<number, readonly string[]>();
  readonly #unknown = new Map<number, string>();

  constructor(options: EngineOptions, changes: FoldedChanges) {
    this.#options = options;
    this.#changes = changes;
    this.findings = new FindingSet(options.suppressedBy);
  }

  /** Milliseconds that a finding must have been true before it is confirmed. */
  graceOf(finding: Finding): number {
    return this.#options.graceOf?.(finding) ?? this.#options.grace[finding.class];
  }

  /**
   * Takes in an open finding of an earlier run. `unwatched`: nothing was observed for a while, so
   * its grace starts again.
   */
  resume(judge: Judge, unit: number, id: string, { unwatched }: { unwatched: boolean }): void {
    this.#ofUnit.set(unit, [...(this.#ofUnit.get(unit) ?? []), id]);
    judge.suspicions.update(this.findings.get(id)!);
    if (unwatched) judge.suspicions.pause(id);
  }

  /**
   * Handles what a check found of the subject. What cannot be judged is neither confirmed nor
   * resolved.
   */
  take(judge: Judge, unit: number, entity: Entity, { verdict, kinds }: JudgedUnit): void {
    if (verdict.is === 'unknown') return this.#keep(judge, unit, verdict);
    this.#unknown.delete(unit);
    const before = this.#ofUnit.get(unit) ?? NONE;
    if (verdict.is === 'healthy' && before === NONE) return; // as nearly all checks end
    const violations =
      verdict.is === 'violation'
        ? verdict.violations.filter((it) => !this.#isSpared(judge.rule, entity, it))
        : [];
    const ids = violations.map((it) => this.#claim(judge, entity, it, kinds));
    for (const id of before.filter((it) => !ids.includes(it)))
      if (isLasting(this.findings.get(id), verdict.lasting ?? [], this.#options.world))
        ids.push(id);
      else this.#resolve(judge, id);
    if (ids.length > 0) this.#ofUnit.set(unit, ids);
    else this.#ofUnit.delete(unit);
  }

  /** Resolves what was found of a subject that went. */
  drop(judge: Judge, unit: number): void {
    for (const id of this.#ofUnit.get(unit) ?? []) this.#resolve(judge, id);
    this.#ofUnit.delete(unit);
    this.#unknown.delete(unit);
  }

  /** Confirms the rule's suspicions whose grace has passed. */
  ripen(judge: Judge): void {
    if (judge.withheld || judge.suspicions.size === 0) return;
    const now = Date.parse(this.#changes.now);
    for (const [id, watermark] of dueOf(judge, this.#options.world, now)) {
      const finding = this.findings.get(id)!;
      this.#set(judge, finding, ripened(finding, watermark, this.graceOf(finding)));
    }
  }

  unknowns(judges: readonly Judge[], units: Units): readonly Unknown[] {
    return unknownsOf(judges, units, this.#unknown, this.#options.world);
  }

  #keep(judge: Judge, unit: number, { reason, isDoubted }: Verdict & { is: 'unknown' }): void {
    this.#unknown.set(unit, reason);
    for (const id of this.#ofUnit.get(unit) ?? []) {
      const finding = this.findings.get(id);
      if (finding && isDoubted)
        this.#set(judge, finding, keptInDoubt(finding, reason, this.#changes.now));
      judge.suspicions.pause(id);
    }
  }

  #claim(judge: Judge, entity: Entity, violation: Violation, kinds: number): string {
    const { now } = this.#changes;
    const found = claimOf(this.#options.cluster, judge.rule, entity, violation);
    const known = this.findings.get(found.id);
    const claim = this.#withMoments(found, known);
    const isOtherSense = judge.suspicions.observeSense(claim.id, violation.sense);
    const resumed = isFreed(judge.rule, known, claim)
      ? asResolved(known, now)
      : known && isOtherSense
        ? withNewGrace(known, now)
        : known;
    const finding = seen(resumed, claim, now);
    this.#set(judge, known, finding);
    judge.suspicions.update(finding, kinds);
    return claim.id;
  }

  /** With how its cause came about, as it was seen when the finding was first made. */
  #withMoments(claim: Claim, known: Finding | undefined): Claim {
    const { cause } = claim;
    if (cause === undefined) return claim;
    const isSame = known?.cause?.kind === cause.kind && known.cause.key === cause.key;
    const before = known?.state !== 'resolved' && isSame ? known?.cause?.moments : undefined;
    const moments = before ?? this.#changes.momentsOf(cause);
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

  #resolve(judge: Judge, id: string): void {
    const finding = this.findings.get(id);
    if (finding) this.#set(judge, finding, asResolved(finding, this.#changes.now));
  }

  #set(judge: Judge, before: Finding | undefined, after: Finding): void {
    if (before === after) return;
    this.findings.set(after);
    judge.suspicions.update(after);
  }
}

/**
 * Whether a conflict or a doubt kept the remedy off until now: what may be acted on from here on
 * begins its grace again.
 */
const isFreed = (rule: Rule, known: Finding | undefined, claim: Claim): known is Finding =>
  known?.remedy === null &&
  claim.remedy !== null &&
  (rule.conflict !== undefined || known.doubt !== undefined);
