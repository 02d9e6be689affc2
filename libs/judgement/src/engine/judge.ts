import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { messageOf } from '@ovn-steward/shared/errors';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { OPTIONAL_KINDS } from '../kube-ovn/admin-policies';
import {
  type Conflict,
  type Rule,
  type Verdict,
  type Violation,
  violation,
  withLasting,
} from '../rule-kit/rule';
import { causeOf } from '../rule-kit/cause';
import { declaredKinds, kindsNotKnown } from '../rule-kit/declared-kinds';
import type { Entity } from '../world/entity';
import { View } from '../rule-kit/view';
import { SOUTHBOUND, SOUTHBOUND_KINDS } from '../world/southbound-kinds';
import type { World } from '../world/world';
import { ALL_KINDS, Suspicions } from './suspicions';
import { knowledgeOfKinds } from './watermark';

/** A rule with what the engine keeps for it. */
export interface Judge {
  readonly rule: Rule;
  readonly view: View;
  /** The kinds without which nothing of it is judged. */
  readonly needs: ReadonlySet<string>;
  /** Other kinds that its checks queried, and whether these were known; undefined of none. */
  knownKinds: Map<string, boolean> | undefined;
  /** Why nothing of the rule is judged now; empty when it is. */
  withheld: string;
  readonly suspicions: Suspicions;
}

/**
 * @param uninstalled statements of people (`UNINSTALLED`).
 * @param onBelief is called with a kind beside those it needs, the first time a check queries
 * whether it is known.
 */
export function createJudge(
  rule: Rule,
  world: World,
  graceOf: (finding: Finding) => number,
  uninstalled: readonly string[],
  onBelief: (judge: Judge, kind: string) => void,
): Judge {
  const { needs, all } = declaredKinds(rule);
  const observeKind = (kind: string): void => {
    const { knownKinds = new Map<string, boolean>() } = judge;
    if (needs.has(kind) || knownKinds.has(kind)) return;
    judge.knownKinds = knownKinds.set(kind, world.knows(kind));
    onBelief(judge, kind);
  };
  const judge: Judge = {
    rule,
    view: new View(world, all, observeKind, uninstalled),
    needs,
    knownKinds: undefined,
    withheld: 'nothing was read yet',
    suspicions: new Suspicions(graceOf),
  };
  return judge;
}

/**
 * The kinds that a finding rests on: its subject's, and of those that its rule declares the ones
 * that its check read. It did not rest on one that it may consult and that is not known.
 */
function kindsItRestsOn(
  { rule, needs, view }: Judge,
  kinds: number,
  world: World,
): ReadonlySet<string> {
  if (kinds === ALL_KINDS) return needs;
  const read = view.kindsOf(kinds).filter((it) => needs.has(it) || world.knows(it));
  return new Set([rule.subject, ...read]);
}

/**
 * Suspicions of the rule whose grace has passed for all that they rest on, each with the watermark.
 *
 * @param now as for `Suspicions.due`.
 */
export const dueOf = (
  judge: Judge,
  world: World,
  now: number,
): (readonly [id: string, watermark: string])[] =>
  judge.suspicions.due(now, (kinds) =>
    knowledgeOfKinds(kindsItRestsOn(judge, kinds, world), world),
  );

/** Why a rule is not judged while these kinds are not known in full. */
export const needsText = (missing: readonly string[]): string =>
  `needs a complete list of ${missing.join(', ')}`;

/** Why nothing of the rule can be judged now; empty when it can. */
export function reasonToWithhold({ needs }: Judge, world: World): string {
  const missing = kindsNotKnown(needs, world);
  if (missing.length === 0) return '';
  const [first] = missing;
  const completeness = world.completeness(first!);
  const why =
    completeness.state === 'unavailable'
      ? `${completeness.reason}: ${completeness.detail}`
      : 'not listed completely yet';
  // One detail will do: kinds are mostly missing together, for one reason.
  return `${needsText(missing)} (${first}: ${why})`;
}

/**
 * Whether it needs the Southbound, of which nothing was ever heard, since nobody named it, or a
 * kind that a recording may lack (of a living system nothing is ever `not-listed`).
 */
export const isUnread = ({ needs }: Judge, world: World): boolean =>
  (world.stream(SOUTHBOUND) === undefined && [...needs].some((it) => SOUTHBOUND_KINDS.has(it))) ||
  [...needs].some((it) => OPTIONAL_KINDS.has(it) && isNotListed(it, world));

function isNotListed(kind: string, world: World): boolean {
  const completeness = world.completeness(kind);
  return (
    completeness.state === 'unavailable' &&
    completeness.reason === 'not-listed' &&
    world.count(kind) === 0
  );
}

/** Whether a kind it queried became known or unknown since. Updates what it believes. */
export function hasKindKnowledgeChanged({ knownKinds }: Judge, world: World): boolean {
  if (knownKinds === undefined) return false;
  const changed = [...knownKinds].filter(([kind, known]) => world.knows(kind) !== known);
  for (const [kind, known] of changed) knownKinds.set(kind, !known);
  return changed.length > 0;
}

/**
 * Whether the rule compares the two systems: what it finds is true only where both are one cluster.
 */
export const restsOnPairing = ({ subject, reads, consults = [] }: Rule): boolean => {
  const isObject = [subject, ...reads, ...consults].map(
    (it) => it === 'Former_Address' || kubernetesKind(it) !== undefined,
  );
  return isObject.includes(true) && isObject.includes(false);
};

const mispairing = (view: View): string | undefined => {
  const { is, reason } = view.pairing();
  return is === 'paired' ? undefined : reason;
};

/**
 * What is found because others are absent requires that these are absent, and were not left out of a
 * recording. Where an object is `missing`, the absence is the trouble itself. So it is with `drift` of
 * an object that needs another: there it is no sign that this one needs it, only that the list does
 * not seem whole.
 */
const listsInDoubt = (
  { class: of, subject }: Rule,
  violations: readonly Violation[],
  view: View,
): string | undefined =>
  IN_DOUBT.has(of)
    ? view.doubtOfLists(
        violations.flatMap(({ proof }) => proof),
        { isNeedProof: of !== 'drift' || kubernetesKind(subject) === undefined },
      )
    : undefined;

const IN_DOUBT: ReadonlySet<string> = new Set(['garbage', 'leak', 'stuck', 'drift', 'damage']);

/**
 * The judgement on what is held in memory. It is unknown where the two systems may not be one
 * cluster, where a recording may be cut, and where the rule itself doubts what it found.
 */
export function heldJudgement(rule: Rule, entity: Entity, view: View): Verdict {
  const verdict = judgement(rule, entity, view);
  if (verdict.is !== 'violation') return verdict;
  try {
    const unheld =
      (restsOnPairing(rule) ? mispairing(view) : undefined) ??
      listsInDoubt(rule, verdict.violations, view);
    // This affects many findings at once, and the executor reads it again itself: confirmed
    // findings stay confirmed.
    if (unheld !== undefined) return { is: 'unknown', reason: unheld };
    const conflict = rule.conflict?.(entity as never, view);
    const doubt = conflict === undefined ? rule.doubt?.(entity as never, view) : undefined;
    if (doubt !== undefined) return { is: 'unknown', reason: doubt, isDoubted: true };
    return withLasting(
      violation(...verdict.violations.map((it) => withCause(rule, inConflict(it, conflict), view))),
      verdict.lasting,
    );
  } catch (error) {
    return { ...failed(error), isDoubted: true };
  }
}

/** What is in conflict with something in use is reported with it, and has no remedy. */
function inConflict(found: Violation, conflict: Conflict | undefined): Violation {
  if (conflict === undefined) return found;
  const { remedy: _, ...others } = found;
  return {
    ...others,
    summary: `${found.summary}; ${conflict.summary}`,
    proof: [...found.proof, ...conflict.proof],
  };
}

/** Only garbage and leaks have a cause: of a missing thing, its absence is the problem. */
function withCause(rule: Rule, found: Violation, view: View): Violation {
  if (rule.class !== 'garbage' && rule.class !== 'leak') return found;
  const cause = causeOf(found.proof, view);
  return cause === undefined ? found : { ...found, cause };
}

/**
 * A rule that fails on hostile input knows nothing about that subject; it must not take the process
 * along.
 */
export function judgement(rule: Rule, entity: Entity, view: View): Verdict {
  try {
    return rule.check(entity as never, view);
  } catch (error) {
    return failed(error);
  }
}

const failed = (error: unknown): Verdict & { is: 'unknown' } => ({
  is: 'unknown',
  reason: `the rule failed on this object, which is a fault of ovn-steward: ${messageOf(error)}`,
});
