import type { Fact } from '@ovn-steward/shared/events/finding';
import { Fact as FactSchema } from '@ovn-steward/shared/events/finding';
import type { Rule, Verdict, Violation } from '../rules/rule';
import type { Entity, Kind } from '../world/entity';
import { View } from '../world/view';
import { object } from './builders';
import type { TestWorld } from './world-builder';

/** What a violation must say; `proof` and `concerns` are compared whole when given. */
export interface Expected {
  readonly given: TestWorld;
  /** Summaries, one per violation, in any order. */
  readonly says: string | readonly string[];
  readonly proof?: readonly Fact[];
  /** Names (or uids of nameless rows) of the concerns. */
  readonly concerns?: readonly string[];
  /** `column=key` of the entries found, for rules about parts. */
  readonly parts?: readonly string[];
}

export interface Cases {
  readonly healthy: Readonly<Record<string, TestWorld>>;
  readonly unknown?: Readonly<Record<string, TestWorld>>;
  readonly violation: Readonly<Record<string, Expected>>;
}

/**
 * Tries a rule on its cases, and on what nobody has to write down: a violation is withheld while any kind it reads is
 * unlisted, vanishes when anything its proof calls absent appears, and no check changes what it looks at.
 */
export function testRule(rule: Rule<never, never> | Rule, cases: Cases): void {
  const it = rule as Rule;
  describe(it.id, () => {
    for (const [name, world] of Object.entries(cases.healthy)) {
      test(`healthy: ${name}`, () => expect(judge(it, world)).toEqual({ violations: [], unknowns: [] }));
    }
    for (const [name, world] of Object.entries(cases.unknown ?? {})) {
      test(`unknown: ${name}`, () => {
        const { violations, unknowns } = judge(it, world);
        expect(violations).toEqual([]);
        expect(unknowns.length).toBeGreaterThan(0);
      });
    }
    for (const [name, expected] of Object.entries(cases.violation)) {
      describe(`violation: ${name}`, () => violationCases(it, expected));
    }
    test('has a violation case', () => expect(Object.keys(cases.violation).length).toBeGreaterThan(0));
  });
}

function violationCases(rule: Rule, expected: Expected): void {
  const { violations } = judge(rule, expected.given);

  test('is found', () => {
    const says = typeof expected.says === 'string' ? [expected.says] : expected.says;
    expect(violations.map((it) => it.says).sort()).toEqual([...says].sort());
    if (expected.proof) expect(violations[0]?.proof).toEqual(expected.proof);
    if (expected.concerns) expect((violations[0]?.concerns ?? []).map((it) => it.name || it.uid).sort()).toEqual([...expected.concerns].sort());
    if (expected.parts) expect(violations.map((it) => `${it.part?.column}=${it.part?.key}`).sort()).toEqual([...expected.parts].sort());
  });

  test('its proof is data', () => {
    for (const it of violations) expect(it.proof.map((fact) => FactSchema.parse(fact))).toEqual(it.proof);
    expect(violations.every((it) => it.proof.length > 0)).toBe(true);
  });

  test.each([...new Set<string>([rule.subject, ...rule.reads])])('is withheld while %s is unlisted', (kind) => {
    expect(judge(rule, expected.given.unlisted(kind)).violations).toEqual([]);
  });

  const absences = violations.flatMap((it) => it.proof).filter((fact) => fact.fact === 'absent' && fact.source === 'kubernetes');
  for (const fact of absences as Extract<Fact, { fact: 'absent' }>[]) {
    test(`is gone when ${fact.kind} ${fact.key} appears`, () => {
      const now = judge(rule, expected.given.with(object(fact.kind as Kind, fact.key, { uid: 'appeared', spec: { replicas: 1000 } }))).violations;
      expect(now.map((it) => it.says)).not.toContain(violations.find((it) => it.proof.includes(fact))!.says);
    });
  }
}

/** Judges every subject as the engine does: withheld when a kind is missing, errors not swallowed. */
function judge(rule: Rule, given: TestWorld): { violations: readonly Violation[]; unknowns: readonly string[] } {
  const folded = given.fold();
  const missing = [rule.subject, ...rule.reads].filter((kind) => !folded.knows(kind));
  if (missing.length > 0) return { violations: [], unknowns: missing.map((it) => `${it} is not listed`) };
  const view = new View(folded, new Set<string>([rule.subject, ...rule.reads, ...(rule.consults ?? [])]));
  const verdicts = [...folded.entities(rule.subject)].map((entity) => untouched(entity, () => rule.check(entity as never, view)));
  return {
    violations: verdicts.flatMap((it) => (it.is === 'violation' ? it.violations : [])),
    unknowns: verdicts.flatMap((it) => (it.is === 'unknown' ? [it.reason] : [])),
  };
}

function untouched(entity: Entity, check: () => Verdict): Verdict {
  const before = JSON.stringify(entity.object);
  const verdict = check();
  expect(JSON.stringify(entity.object)).toBe(before);
  return verdict;
}
