import type {
  Cause,
  Fact,
  FormerContent,
  FindingClass,
  Ownership,
  Remedy,
  Severity,
} from '@ovn-steward/contracts/findings/finding';
import type { Blocker } from '../kube-ovn/deletion';
import type { Entity, Kind } from '../world/entity';
import type { View } from './view';

/** What a rule finds wrong, with the facts that make it true. */
export interface Violation {
  /** One sentence for a tired person, naming the subject. */
  readonly summary: string;
  readonly proof: readonly Fact[];
  /** What shares the subject's fate. */
  readonly concerns?: readonly Entity[];
  /** When only one entry of the subject is wrong (a key of `vips`): one finding per entry. */
  readonly part?: { readonly column: string; readonly key: string };
  /** For OVN rows: why the row is Kube-OVN's. Kubernetes objects of Kube-OVN's kinds need none. */
  readonly owner?: Ownership;
  readonly remedy?: Remedy;
  /**
   * Of something that is stuck: what it waits for, to be drawn as a tree. Not a part of the
   * finding.
   */
  readonly waits?: readonly Blocker[];
  /**
   * What took the subject along; the engine says it of garbage and leaks, by their proof
   * (`causeOf`).
   */
  readonly cause?: Cause;
  /**
   * Which way it is wrong, where there are several: a suspicion that turns starts its grace again,
   * since two streams that fall behind one after the other show first one, then the other.
   */
  readonly sense?: string;
  /** Of damage: the rows as they were. */
  readonly was?: readonly FormerContent[];
}

/** Somebody who is there and uses what the subject keeps. */
export interface Conflict {
  /** A clause that goes on the sentence about the subject: who uses it, and what is safe to do. */
  readonly summary: string;
  readonly proof: readonly Fact[];
}

export type Verdict =
  | ({ readonly is: 'healthy' } & Lasting)
  | {
      readonly is: 'unknown';
      readonly reason: string;
      /**
       * It was found, and what the executor cannot read again speaks against it: no open finding of
       * it may be acted on.
       */
      readonly isDoubted?: true;
    }
  | ({ readonly is: 'violation'; readonly violations: readonly Violation[] } & Lasting);

/**
 * What does harm may be as it was while what it harms is gone: that is no recovery. What was found
 * before, and is not found now, stays as it was if something it concerns is gone.
 */
interface Lasting {
  /**
   * The keys of the parts of which that is true; `''` for the subject as a whole. None unless
   * given.
   */
  readonly lasting?: readonly string[];
}

/**
 * A rule is declared first and judged after. `check` is a pure function of the subject and the
 * view: no clock, no I/O, no grace, no deletion. The engine withholds the whole rule while the
 * subject's kind or any kind in `reads` is not completely known, and re-checks a subject whenever
 * something its last check read has moved.
 */
export interface Rule<S extends Kind = Kind, R extends Kind = Kind> {
  /** Kebab case, equal to the file name. */
  readonly id: string;
  readonly class: FindingClass;
  readonly severity: Severity;
  readonly subject: S;
  /** Kinds that must be completely known before the rule says anything. */
  readonly reads: readonly R[];
  /**
   * Kinds it reads when they are known; `presence` answers unknown for them otherwise, and the rule
   * must respect it.
   */
  readonly consults?: readonly R[];
  /**
   * For the reference page: what it means when this is found, how it comes about, and whether a
   * start of Kube-OVN's controller repairs it. Three sentences at most.
   */
  readonly about: string;
  /**
   * The executor's action that would mend it, where a violation names it; absent when only a person
   * can.
   */
  readonly remedy?: string;
  check(subject: Entity<S>, view: View<S | R>): Verdict;
  /**
   * Why what `check` found is withheld all the same. Called only for the world that is held in
   * memory: a living system would have to list whole kinds to answer. To prove a finding again just
   * before acting on it, the executor calls `check` alone.
   */
  doubt?(subject: Entity<S>, view: View<S | R>): string | undefined;
  /**
   * Who uses what the subject keeps, though the subject itself has no owner: both are reported in
   * one finding, and without a remedy, since removing the subject would harm the user. Called as
   * `doubt` is, and before it; then no doubt is asked for.
   */
  conflict?(subject: Entity<S>, view: View<S | R>): Conflict | undefined;
}

/** Fixes the types: what `check` may read is what `reads` and `consults` declare. */
export const defineRule = <S extends Kind, const R extends Kind>(rule: Rule<S, R>): Rule<S, R> =>
  rule;

export const healthy: Verdict = { is: 'healthy' };

export const unknown = (reason: string): Verdict => ({ is: 'unknown', reason });

export const violation = (...violations: readonly Violation[]): Verdict =>
  violations.length === 0 ? healthy : { is: 'violation', violations };

/** The verdict, after which what was found of these parts before stays (`Lasting`). */
export const withLasting = (verdict: Verdict, lasting: readonly string[] | undefined): Verdict =>
  verdict.is === 'unknown' || lasting === undefined ? verdict : { ...verdict, lasting };
