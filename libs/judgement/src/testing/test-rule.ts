import type { Fact, Ownership, Remedy } from '@ovn-steward/contracts/findings/finding';
import { Fact as FactSchema } from '@ovn-steward/contracts/findings/finding';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { Engine } from '../engine/engine';
import { RELATIONS } from '../relations/registry';
import type { Rule } from '../rule-kit/rule';
import { TALLIES } from '../tallies/registry';
import type { Kind } from '../world/entity';
import { World } from '../world/world';
import type { Built } from './builders';
import { object, row } from './builders';
import { untrue } from './fact-check';
import { deepFrozen } from './deep-frozen';
import { everyMap, everyText, HOSTILE } from './hostile';
import type { TestWorld } from './world-builder';
import { NO_GRACE } from './grace';

/** What a violation must say; `proof` and `concerns` are compared whole when given. */
export interface Expected {
  readonly given: TestWorld;
  /** Summaries, one per violation, in any order. */
  readonly summary: string | readonly string[];
  readonly proof?: readonly Fact[];
  /** Names (or uids of nameless rows) of the concerns. */
  readonly concerns?: readonly string[];
  /** `column=key` of the entries found, for rules about parts. */
  readonly parts?: readonly string[];
  /** That the remedy the rule declares is not one here: only a person can mend this. */
  readonly noRemedy?: true;
  /** The action of the remedy, where the rule has several. */
  readonly action?: string;
  /** What the remedy says, where the rule has several texts. */
  readonly advice?: string;
}

export interface Cases {
  readonly healthy: Readonly<Record<string, TestWorld>>;
  readonly unknown?: Readonly<Record<string, TestWorld>>;
  readonly violation: Readonly<Record<string, Expected>>;
}

/**
 * Tries a rule on its cases, in the engine, and on what nobody has to write down: a violation is
 * withheld while any kind it reads is unlisted, no violation appears because a kind it consults is
 * not known, one vanishes when anything its proof calls absent appears, every fact of a proof is
 * true, garbage is nobody else's and nothing protected, hostile texts do not make it throw, and no
 * check changes what it reads.
 */
export function testRule(rule: Rule<never, never> | Rule, cases: Cases): void {
  const anyRule = rule as Rule;
  const worlds = [
    ...Object.values(cases.healthy),
    ...Object.values(cases.unknown ?? {}),
    ...Object.values(cases.violation).map(({ given }) => given),
  ];
  describe(anyRule.id, () => {
    for (const [name, world] of Object.entries(cases.healthy)) {
      test(`healthy: ${name}`, () =>
        expect(judge(anyRule, world)).toEqual({ violations: [], unknowns: [] }));
    }
    for (const [name, world] of Object.entries(cases.unknown ?? {})) {
      test(`unknown: ${name}`, () => {
        const { violations, unknowns } = judge(anyRule, world);
        expect(violations).toEqual([]);
        expect(unknowns.length).toBeGreaterThan(0);
      });
    }
    for (const [name, expected] of Object.entries(cases.violation)) {
      describe(`violation: ${name}`, () => violationCases(anyRule, expected));
    }
    test('has a violation case', () =>
      expect(Object.keys(cases.violation).length).toBeGreaterThan(0));

    const consulted = (anyRule.consults ?? []).filter(
      (kind) => !([anyRule.subject, ...anyRule.reads] as string[]).includes(kind),
    );
    for (const kind of consulted)
      test(`finds nothing new while ${kind} is not known`, () =>
        worlds.forEach((world) => nothingNew(anyRule, world, kind)));

    test('hostile texts do not make it throw', () => {
      const tried = Object.values(cases.violation).map(({ given }) => given);
      for (const text of HOSTILE) tried.forEach((world) => judgeHostile(anyRule, world, text));
      worlds.forEach((world, i) => judgeHostile(anyRule, world, HOSTILE[i % HOSTILE.length]!));
    });
  });
}

function judgeHostile(rule: Rule, world: TestWorld, text: string): void {
  judge(
    rule,
    world.map((built) => everyText(built, text)),
  );
  judge(
    rule,
    world.map((built) => everyMap(built, text)),
  );
}

function nothingNew(rule: Rule, world: TestWorld, kind: string): void {
  const summaries = (given: TestWorld) => judge(rule, given).violations.map((it) => it.summary);
  const known = summaries(world);
  for (const less of [world.unlisted(kind), world.unheardOf(kind)])
    expect(summaries(less).filter((it) => !known.includes(it))).toEqual([]);
}

function violationCases(rule: Rule, expected: Expected): void {
  const { violations } = judge(rule, expected.given);

  test('is found', () => {
    const summaries = typeof expected.summary === 'string' ? [expected.summary] : expected.summary;
    expect(violations.map((it) => it.summary).sort()).toEqual([...summaries].sort());
    if (expected.proof) expect(violations[0]?.proof).toEqual(expected.proof);
    if (expected.concerns)
      expect((violations[0]?.concerns ?? []).map((it) => it.name || it.uid).sort()).toEqual(
        [...expected.concerns].sort(),
      );
    if (expected.parts)
      expect(violations.map((it) => `${it.part?.column}=${it.part?.key}`).sort()).toEqual(
        [...expected.parts].sort(),
      );
  });

  test('its proof is data, and true', () => {
    for (const it of violations)
      expect(it.proof.map((fact) => FactSchema.parse(fact))).toEqual(it.proof);
    expect(violations.every((it) => it.proof.length > 0)).toBe(true);
    expect(violations.flatMap((it) => untrue(it.proof, expected.given.fold()))).toEqual([]);
  });

  test('has the remedy the rule declares, and no other when it declares none', () => {
    for (const it of violations)
      expect(it.remedy !== undefined).toBe(rule.remedy !== undefined && !expected.noRemedy);
    if (expected.advice !== undefined)
      expect(violations.map((it) => it.remedy?.advice)).toEqual(
        violations.map(() => expected.advice),
      );
    if (expected.action !== undefined)
      expect(violations.map((it) => it.remedy?.action)).toEqual(
        violations.map(() => expected.action),
      );
  });

  test.each([...new Set<string>([rule.subject, ...rule.reads])])(
    'is withheld while %s is unlisted',
    (kind) => {
      const { violations: found, unknowns } = judge(rule, expected.given.unlisted(kind));
      expect(found).toEqual([]);
      expect(unknowns).toEqual([expect.stringContaining('needs a complete list of')]);
    },
  );

  const absences = violations.flatMap((it) => it.proof).filter((fact) => fact.fact === 'absent');
  for (const fact of absences as Extract<Fact, { fact: 'absent' }>[]) {
    test(`is gone, or proven again, when ${fact.kind} ${fact.key} appears`, () => {
      const appeared = kubernetesKind(fact.kind)
        ? object(fact.kind as Kind, fact.key, { uid: 'appeared', spec: { replicas: 1000 } })
        : row(fact.kind as Kind, fact.key, { uid: 'appeared' });
      const before = violations.find((it) => it.proof.includes(fact))!;
      const still = judge(rule, expected.given.with(appeared)).violations.find(
        ({ summary, remedy }) =>
          summary === before.summary && JSON.stringify(remedy) === JSON.stringify(before.remedy),
      );
      if (still)
        expect(
          still.proof.filter(
            (absence) =>
              absence.fact === 'absent' &&
              !before.proof.some(
                (other) =>
                  other.fact === 'absent' &&
                  other.kind === absence.kind &&
                  other.key === absence.key,
              ),
          ),
        ).toHaveLength(1);
    });
  }

  if (rule.class !== 'garbage' && rule.class !== 'leak') return;
  test('rests on the subject being the one that was judged', () => {
    for (const violation of violations)
      expect(
        violation.proof.filter(
          (fact) => fact.fact === 'unchanged' && fact.subject.kind === rule.subject,
        ),
      ).toHaveLength(1);
  });

  test.each(Object.entries(kubernetesKind(rule.subject) ? DELETED : NOT_OURS))(
    'is not found when %s',
    (_, change) => {
      expect(
        judge(
          rule,
          expected.given.map((it) => (it.kind === rule.subject ? change(it) : it)),
        ).violations,
      ).toEqual([]);
    },
  );
}

const withKeys = (built: Built, keys: Record<string, string>): Built => ({
  ...built,
  object: {
    ...built.object,
    external_ids: { ...(built.object['external_ids'] as object | undefined), ...keys },
  },
});

/** What makes a row somebody else's, or asks to keep it. */
const NOT_OURS: Readonly<Record<string, (built: Built) => Built>> = {
  "it carries a key of Neutron's": (it) => withKeys(it, { 'neutron:revision_number': '1' }),
  'it carries a key nobody knows': (it) => withKeys(it, { 'example.com/owner': 'somebody' }),
  'it is tagged by another vendor': (it) => withKeys(it, { vendor: 'somebody' }),
  'a person keeps it': (it) => withKeys(it, { 'ovn-steward.dev/protect': 'for the audit' }),
  'it fills a column nobody knows': (built) => ({
    ...built,
    object: { ...built.object, a_later_column: 'x' },
  }),
  'nobody known holds it': (built) => ({
    ...built,
    object: { ...built.object, _parents: [{ kind: 'Logical_Router', uid: 'gone', column: 'x' }] },
  }),
};

/** What makes an object go by itself. */
const DELETED: Readonly<Record<string, (built: Built) => Built>> = {
  'it is being deleted': (built) => ({
    ...built,
    object: {
      ...built.object,
      metadata: {
        ...(built.object['metadata'] as object),
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
    },
  }),
};

/** What the rule finds in that world, for what the cases cannot say. */
export const findings = (rule: Rule<never, never> | Rule, given: TestWorld): readonly Found[] =>
  judge(rule as Rule, given).violations;

/** A finding of the engine, in the words of the rule that made it. */
interface Found {
  readonly summary: string;
  readonly proof: readonly Fact[];
  readonly owner: Ownership;
  readonly concerns: readonly Reference[];
  readonly part: Reference['part'];
  readonly remedy: Remedy | undefined;
}

const FAILED = 'the rule failed on this object';

/**
 * What the engine makes of the rule in that world, so that what the engine holds back is held back
 * here, too. A rule that throws fails the test, and so does a check that changes what it is shown:
 * it is frozen.
 */
function judge(
  rule: Rule,
  given: TestWorld,
): { violations: readonly Found[]; unknowns: readonly string[] } {
  const engine = new Engine({
    cluster: 'test',
    rules: [rule],
    world: new World(RELATIONS, TALLIES),
    grace: NO_GRACE,
  });
  engine.apply(given.changes().map(deepFrozen), { checked: false });
  const unknowns = engine.unknowns().map(({ reason }) => reason);
  // A test makes thousands of these checks: `expect` is paid for only where it fails.
  const failures = unknowns.filter((reason) => reason.startsWith(FAILED));
  if (failures.length > 0) expect(failures).toEqual([]);
  const violations = engine
    .findings()
    .map(({ summary, proof, owner, concerns, subject, remedy }): Found => ({
      summary: summary,
      proof,
      owner,
      concerns,
      part: subject.part,
      remedy: remedy ?? undefined,
    }));
  return { violations, unknowns };
}
