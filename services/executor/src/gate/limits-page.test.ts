import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { parse } from 'yaml';
import type { Proposal } from '../findings/proposal';
import type { Spent } from '../ledger/ledger-reader';
import { finding } from '../testing/findings';
import { admit } from './admit';
import { allowedAmong, type CeilingScope } from './ceilings';
import type { Applicant } from './admission';

/** The example of docs/executor-limits.md, computed. */
const PAGE = readFileSync(join(__dirname, '../../../../docs/executor-limits.md'), 'utf8');
const SETTINGS = Settings.parse(
  parse(/```yaml settings\n([^]*?)```/.exec(PAGE)?.[1] ?? ''),
).executor;
const PLACES = [
  ...PAGE.matchAll(/^\| (cluster|rule|vpc|subnet) ?(\S*) \| (\d+) .* \| (\d+) % \| (\d+) \|$/gm),
].map(([, of, name, count, share, allowed]) => ({
  scope: { of, name } as CeilingScope,
  count: Number(count),
  share: Number(share),
  allowed: Number(allowed),
}));
const SAID = [...PAGE.matchAll(/^ {3}> (.*)$/gm)].map(([, text]) => text);

const population = ({ of, name }: CeilingScope): number | undefined =>
  PLACES.find(({ scope }) => scope.of === of && (of === 'cluster' || scope.name === name))?.count;
const spentInApps = (count: number): Spent => ({
  all: count,
  byRule: new Map([['orphaned-logical-switch-port', count]]),
  byVpc: new Map([['tenant-a', count]]),
  bySubnet: new Map([['apps', count]]),
});
const ports = (count: number, subnet: string): Applicant[] =>
  Array.from({ length: count }, (_, n) => ({
    finding: finding(`${subnet}-${n}`, { scope: { vpc: 'tenant-a', subnet } }) as Proposal,
    action: { onlyApproved: false, rank: 1, finishedBy: null },
    mode: 'enforce',
    approval: undefined,
  }));
const at = (now: string, all: readonly Applicant[], spent: number) =>
  admit(all, {
    now: Date.parse(now),
    settings: SETTINGS,
    holds: [],
    kept: [],
    yielding: undefined,
    population,
    spent: spentInApps(spent),
  });

test('its table is what the defaults come to', () => {
  expect(PLACES.map((it) => it.scope.of)).toEqual(['cluster', 'rule', 'vpc', 'subnet', 'subnet']);
  for (const { scope, count, share, allowed } of PLACES) {
    expect([scope, SETTINGS.ceilings[scope.of].share * 100]).toEqual([scope, share]);
    expect([scope, allowedAmong(SETTINGS.ceilings[scope.of], count)]).toEqual([scope, allowed]);
  }
});

test('its day goes as it says', () => {
  const monday = at('2026-11-23T14:00Z', ports(90, 'apps'), 0);
  const night = at('2026-11-23T21:00Z', ports(90, 'apps'), 0);
  expect([
    monday.admitted.length,
    monday.rejected[0]?.decision.reason,
    night.admitted.length,
  ]).toEqual([0, SAID[0], 90]);
  expect(PAGE).toContain(
    `The first ${SETTINGS.rate.burst} go at once, the others at ${SETTINGS.rate.perSecond} a second: ${(90 - SETTINGS.rate.burst) / SETTINGS.rate.perSecond} seconds.`,
  );

  const second = at('2026-11-23T21:20Z', ports(50, 'apps'), 90);
  expect([second.admitted.length, second.rejected[0]?.decision.reason]).toEqual([0, SAID[1]]);
  expect(at('2026-11-23T22:01Z', ports(50, 'apps'), 0).admitted).toHaveLength(50);

  const ill = at('2026-11-23T22:30Z', [...ports(1100, 'apps'), ...ports(7900, 'db')], 50);
  expect([ill.admitted.length, ill.rejected[0]?.decision.reason, SAID.length]).toEqual([
    0,
    SAID[2],
    3,
  ]);
});
