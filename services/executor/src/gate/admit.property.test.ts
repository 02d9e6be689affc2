import type { Mode } from '@ovn-steward/shared/mode';
import { Freeze } from '@ovn-steward/shared/settings/freeze';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { TimeWindow } from '@ovn-steward/shared/settings/time-window';
import fc from 'fast-check';
import type { Hold } from '../control/control-state';
import type { Proposal } from '../findings/proposal';
import type { Spent } from '../ledger/ledger-reader';
import { finding } from '../testing/findings';
import { admit } from './admit';
import { allowedAmong, type CeilingScope, scopesOf } from './ceilings';
import { holdOn } from './holds';
import type { Admission, Applicant, GateContext } from './admission';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-21T12:00:00Z');
const { ceilings } = Settings.parse({
  executor: {
    ceilings: {
      rule: { least: 3, share: 0.1, most: 12 },
      subnet: { least: 1, share: 0.2, most: 6 },
      vpc: { least: 2, share: 0.1, most: 9 },
      cluster: { least: 4, share: 0.05, most: 20 },
    },
  },
}).executor;

const RULES = ['orphaned-logical-switch-port', 'leaked-ip'];
const VPCS = ['blue', 'red', undefined];
const SUBNETS = ['apps', 'db', undefined];
const PEOPLE = [
  undefined,
  undefined,
  { by: 'anna', plan: null, overCeilings: false },
  { by: 'anna', plan: 'p1', overCeilings: false },
  { by: 'ben', plan: 'p2', overCeilings: false },
  { by: 'ben', plan: 'p3', overCeilings: true },
];

let names = 0;
function requests(kind: {
  rule: string;
  vpc: string | undefined;
  subnet: string | undefined;
  mode: Mode;
  approval: Applicant['approval'];
  onlyApproved: boolean;
  rank: number;
}): Applicant {
  const { rule, vpc, subnet, mode, approval, onlyApproved, rank } = kind;
  const scope = {
    ...(vpc === undefined ? {} : { vpc }),
    ...(subnet === undefined ? {} : { subnet }),
  };
  return {
    finding: finding(`n${(names += 1)}`, { rule, scope }) as Proposal,
    action: { onlyApproved, rank, finishedBy: null },
    mode,
    approval,
  };
}

const applicants = fc.array(
  fc
    .record({
      rule: fc.constantFrom(...RULES),
      vpc: fc.constantFrom(...VPCS),
      subnet: fc.constantFrom(...SUBNETS),
      mode: fc.constantFrom<Mode>('enforce', 'enforce', 'enforce', 'propose', 'observe'),
      approval: fc.constantFrom(...PEOPLE),
      onlyApproved: fc.boolean(),
      rank: fc.integer({ min: 1, max: 4 }),
    })
    .map(requests),
  { maxLength: 14 },
);
const holds = fc.array(
  fc
    .record({
      scope: fc.record(
        {
          rule: fc.constantFrom(...RULES),
          vpc: fc.constantFrom('blue', 'red'),
          subnet: fc.constantFrom('apps', 'db'),
        },
        { requiredKeys: [] },
      ),
      until: fc.constantFrom(
        null,
        new Date(START - 1).toISOString(),
        new Date(START + HOUR_MS).toISOString(),
        'never',
      ),
    })
    .map((it): Hold => ({ ...it, reason: '', by: 'anna', at: '' })),
  { maxLength: 3 },
);
const counts = (keys: readonly (string | undefined)[]) =>
  fc
    .tuple(...keys.map(() => fc.integer({ min: 0, max: 4 })))
    .map((them) => new Map(them.map((it, at) => [keys[at] ?? '', it])));
const spent = fc.record({
  all: fc.integer({ min: 0, max: 6 }),
  byRule: counts(RULES),
  byVpc: counts(VPCS),
  bySubnet: counts(SUBNETS),
});
const sizes = fc.dictionary(
  fc.constantFrom(
    'cluster/berlin-1',
    ...RULES.map((it) => `rule/${it}`),
    'vpc/blue',
    'vpc/red',
    'subnet/apps',
    'subnet/db',
  ),
  fc.integer({ min: 0, max: 300 }),
);
const populationOf =
  (known: Readonly<Record<string, number>>) =>
  ({ of, name }: CeilingScope): number | undefined =>
    known[`${of}/${name}`];
const limits = fc.record({
  windows: fc.subarray([TimeWindow.parse('Sat 11:00-13:00'), TimeWindow.parse('Sun 11:00-13:00')]),
  freezes: fc.subarray([
    Freeze.parse('2026-11-01T00:00Z/2026-12-01T00:00Z'),
    Freeze.parse('2025-11-01T00:00Z/2025-12-01T00:00Z'),
  ]),
});
const contexts = fc
  .record({
    holds,
    spent,
    sizes,
    limits,
    yielding: fc.constantFrom(undefined, undefined, { until: START + 1, why: '' }),
  })
  .map(({ sizes: known, limits: { windows, freezes }, ...rest }): GateContext => ({
    now: START,
    kept: [],
    settings: { ceilings, windows, freezes },
    population: populationOf(known),
    ...rest,
  }));

const ids = (them: readonly Applicant[]): string[] => them.map((it) => it.finding.id);

/** What was decided, as data that can be compared. */
const reported = ({ admitted, rejected, aborted }: Admission<Applicant>) => ({
  go: ids(admitted),
  stay: rejected.map(({ applicant, decision }) => [applicant.finding.id, decision]),
  aborted,
});

test('the order they come in changes nothing', () => {
  fc.assert(
    fc.property(applicants, contexts, fc.infiniteStream(fc.nat()), (them, context, random) => {
      const shuffled = them
        .map((it) => ({ it, at: random.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ it }) => it);
      expect(
        reported(admit(shuffled, { ...context, holds: [...context.holds].reverse() })),
      ).toEqual(reported(admit(them, context)));
    }),
    { numRuns: 300 },
  );
});

test('each either goes or stays, and what is held, only observed, or waits for a person never goes', () => {
  fc.assert(
    fc.property(applicants, contexts, (them, context) => {
      const { admitted, rejected } = admit(them, context);
      expect([...ids(admitted), ...ids(rejected.map((it) => it.applicant))].sort()).toEqual(
        ids(them).sort(),
      );
      for (const { finding: proposal, mode, action, approval } of admitted) {
        expect(holdOn(proposal, context.holds, START)).toBeUndefined();
        expect(
          (mode === 'observe' && (approval?.plan ?? null) === null) ||
            (approval === undefined && (mode === 'propose' || action?.onlyApproved)),
        ).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});

test('another limit never lets more go, nor anything else', () => {
  fc.assert(
    fc.property(
      applicants,
      contexts,
      holds,
      limits,
      fc.boolean(),
      (them, context, moreHolds, { freezes }, yields) => {
        const limited: GateContext = {
          ...context,
          holds: [...context.holds, ...moreHolds],
          settings: { ...context.settings, freezes: [...context.settings.freezes, ...freezes] },
          yielding: context.yielding ?? (yields ? { until: START + 1, why: '' } : undefined),
        };
        const before = new Set(ids(admit(them, context).admitted));
        expect(ids(admit(them, limited).admitted).filter((it) => !before.has(it))).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

/** A ledger, and the hour before a moment in it. */
interface Claim {
  readonly at: number;
  readonly applicant: Applicant;
}
const countBy = (
  claims: readonly Claim[],
  name: (it: Proposal) => string | undefined,
): Map<string, number> => {
  const counted = new Map<string, number>();
  for (const { applicant } of claims)
    counted.set(
      name(applicant.finding) ?? '',
      (counted.get(name(applicant.finding) ?? '') ?? 0) + 1,
    );
  return counted;
};
const within = (claims: readonly Claim[], now: number): Claim[] =>
  claims.filter((it) => it.at > now - HOUR_MS);
const spentAt = (claims: readonly Claim[], now: number): Spent => {
  const hour = within(claims, now);
  return {
    all: hour.length,
    byRule: countBy(hour, (it) => it.rule),
    byVpc: countBy(hour, (it) => it.scope?.vpc),
    bySubnet: countBy(hour, (it) => it.scope?.subnet),
  };
};

const turns = fc.array(
  fc.record({
    pauseMs: fc.integer({ min: 0, max: HOUR_MS }),
    arriving: applicants,
    claimed: fc.integer({ min: 0, max: 20 }),
    spacingMs: fc.integer({ min: 0, max: 300_000 }),
    dies: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
);

test('in no hour more than allowed in any place, whatever comes, however slowly it is done, whoever dies', () => {
  let seen = 0;
  fc.assert(
    fc.property(turns, sizes, (all, known) => {
      const claims: Claim[] = [];
      const population: ReturnType<typeof populationOf> = populationOf(known);
      let waiting: Applicant[] = [];
      let now: number = START;
      for (const { pauseMs, arriving, claimed, spacingMs, dies } of all) {
        now += pauseMs;
        waiting.push(...arriving);
        const { admitted } = admit(waiting, {
          now,
          settings: { ceilings, windows: [], freezes: [] },
          holds: [],
          kept: [],
          yielding: undefined,
          population,
          spent: spentAt(claims, now),
        });
        for (const applicant of admitted.slice(0, claimed)) {
          now += spacingMs;
          claims.push({ at: now, applicant });
          waiting = waiting.filter((it) => it !== applicant);
          if (applicant.approval?.overCeilings) continue;
          seen += 1;
          for (const scope of scopesOf(applicant.finding)) {
            const there = within(claims, now).filter((claim) =>
              scopesOf(claim.applicant.finding).some(
                ({ of, name }) => of === scope.of && name === scope.name,
              ),
            );
            expect(there.length).toBeLessThanOrEqual(
              allowedAmong(ceilings[scope.of], population(scope)),
            );
          }
        }
        if (dies) waiting = [...waiting].reverse(); // what it knew comes back from the log, in another order
      }
    }),
    { numRuns: 200 },
  );
  expect(seen).toBeGreaterThan(500);
});
