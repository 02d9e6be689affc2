import type { StandingDecisions } from '@ovn-steward/executor';
import type { Scope } from '@ovn-steward/contracts/control/control';
import { keptNoMoreLine, resumedLine } from './ended-line';

type Holds = StandingDecisions['holds'];
type Kept = StandingDecisions['kept'];
const by = { reason: 'x', by: 'anna', until: null };
const hold = (scope: Scope): Holds[number] => ({
  ...by,
  scope,
  except: [],
  since: '2026-05-04T10:00:00Z',
  heardBy: [],
});
const keeping = (kind: Kept[number]['kind'], subnet: string): Kept[number] => ({
  ...by,
  kind,
  selector: { subnet },
  at: '2026-05-04T10:00:00Z',
});
const standing = (more: Partial<StandingDecisions>): StandingDecisions => ({
  cluster: 'c',
  holds: [],
  kept: [],
  executors: [],
  ...more,
});
const RULE = { rule: 'leaked-ip' };
const resumed = (...scopes: readonly Scope[]): string =>
  resumedLine(RULE, 'c', standing({ holds: scopes.map(hold) }));

test('a resume says whether there was a hold, and what is held all the same', () => {
  expect(resumed(RULE)).toBe(
    'No longer on hold: rule leaked-ip of cluster c. No other hold is in force.',
  );
  expect(resumed()).toBe(
    'There is no hold of exactly this: rule leaked-ip of cluster c. No other hold is in force.',
  );
  expect(resumed({ ...RULE, vpc: 'v' }, {}, { subnet: 'shop' })).toBe(
    'There is no hold of exactly this: rule leaked-ip of cluster c. Still on hold: rule leaked-ip in VPC v of cluster c; everything of cluster c; everything in subnet shop of cluster c.',
  );
});

test('the end of a suppression looks at suppressions, that of a protection at protections', () => {
  const before = standing({
    kept: [keeping('suppress', 'shop'), keeping('suppress', 'lab'), keeping('protect', 'audit')],
  });
  expect(keptNoMoreLine('suppress', { subnet: 'shop' }, 'c', before)).toBe(
    'No longer suppressed: subnet shop of cluster c. Still suppressed: subnet lab.',
  );
  expect(keptNoMoreLine('protect', { subnet: 'audit' }, 'c', before)).toBe(
    'No longer protected: subnet audit of cluster c. No other protection is in force.',
  );
  expect(keptNoMoreLine('protect', { subnet: 'shop' }, 'c', before)).toBe(
    'There is no protection of exactly this: subnet shop of cluster c. Still protected: subnet audit.',
  );
});

test('names no more than a few', () => {
  expect(resumed(...Array.from({ length: 7 }, (_, nth) => ({ subnet: `s${nth}` })))).toMatch(
    /subnet s4 of cluster c and 2 more\.$/,
  );
});

test('does not say that nothing is held or kept where that cannot be read', () => {
  const unknown = { unknown: 'The log does not answer.' };
  expect(resumedLine({}, 'c', unknown)).toBe(
    'Ended, if there is one: the hold of everything of cluster c. Whether there is one, and which others go on, is not known: The log does not answer.',
  );
  expect(keptNoMoreLine('suppress', { subnet: 'shop' }, 'c', unknown)).toMatch(
    /^Ended, if there is one: the suppression of subnet shop of cluster c\..*does not answer\.$/,
  );
});
