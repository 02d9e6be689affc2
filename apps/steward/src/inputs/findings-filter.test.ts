import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { chosenFindings, type FindingsFilter } from './findings-filter';

const SAMPLE = JSON.parse(
  readFileSync(join(__dirname, '../../../../contracts/examples/finding.v1.confirmed.json'), 'utf8'),
) as Finding;
const NOW = new Date('2026-03-02T12:00:00Z');
const finding = (id: string, more: Partial<Finding>): Finding => ({
  ...SAMPLE,
  proof: [],
  firstSeen: '2026-03-02T10:00:00.000Z',
  ...more,
  id,
});
const FINDINGS = [
  finding('young', { firstSeen: '2026-03-02T11:30:00.000Z', severity: 'critical' }),
  finding('leak', { class: 'leak', rule: 'leaked-ip', scope: { subnet: 'apps', vpc: 'blue' } }),
  finding('shop', {
    proof: [{ fact: 'absent', source: 'kubernetes', kind: 'Pod', key: 'shop/web-0' }],
    scope: {},
  }),
  finding('muted', { state: 'muted' as never, class: 'novelty' as never, scope: {} }),
  finding('over', { state: 'resolved' }),
  finding('known', { state: 'suppressed' }),
];
const chosen = (filter: FindingsFilter): string[] =>
  chosenFindings(FINDINGS, filter, NOW).map((it) => it.id);

test.each<[FindingsFilter, string[]]>([
  [{}, ['leak', 'muted', 'shop', 'young']],
  [{ all: true }, ['known', 'leak', 'muted', 'over', 'shop', 'young']],
  [{ state: 'resolved' }, ['over']],
  [{ rule: 'leaked-ip' }, ['leak']],
  [{ class: 'leak' }, ['leak']],
  [{ class: 'novelty' }, ['muted']],
  [{ class: 'damage' }, []],
  [{ severity: 'critical' }, ['young']],
  [{ subnet: 'apps' }, ['leak']],
  [{ vpc: 'blue', class: 'leak' }, ['leak']],
  [{ vpc: 'blue', class: 'garbage' }, []],
  [{ namespace: 'shop' }, ['shop']],
  [{ since: '1h' }, ['young']],
  [{ since: '2026-03-02T11:00:00Z' }, ['young']],
  [{ since: '2026-03-01' }, ['leak', 'muted', 'shop', 'young']],
])('%j lists %j', (filter, ids) => {
  expect(chosen(filter)).toEqual(ids);
});

test.each<[FindingsFilter, RegExp]>([
  [{ rule: 'leaked-ipp' }, /no rule "leaked-ipp"; did you mean "leaked-ip"\?/],
  [{ class: 'leek' }, /no class "leek": there are garbage, leak/],
  [{ severity: 'bad' }, /no severity "bad": there are info/],
  [{ since: 'yesterday' }, /"yesterday" is no time: write how long ago/],
])('%j is an error, not an empty list', (filter, said) => {
  expect(() => chosen(filter)).toThrow(said);
});

test('a list is sorted by what is wanted, and equals by age', () => {
  const of = (id: string, more: object): Finding => ({ ...SAMPLE, id, ...more }) as Finding;
  const findings = [
    of('a', { severity: 'info', firstSeen: '2026-03-02T10:00:00Z' }),
    of('b', { severity: 'grave', firstSeen: '2026-03-02T09:00:00Z' }),
    of('c', { severity: 'critical', firstSeen: '2026-03-02T11:00:00Z' }),
    of('d', { severity: 'critical', firstSeen: '2026-03-02T08:00:00Z' }),
  ];
  const order = (sortBy?: string): string =>
    chosenFindings(findings, { ...(sortBy && { sortBy }) }, new Date())
      .map((it) => it.id)
      .join('');
  expect([order(), order('severity')]).toEqual(['dbac', 'dcab']);
});

test('findings are listed by beginnings of their ids, whatever their state', () => {
  expect(chosen({ ids: ['ov', 'you'] })).toEqual(['over', 'young']);
  expect(chosen({ ids: [] })).toEqual(chosen({}));
  expect(() => chosen({ ids: ['nobody'] })).toThrow(/No finding begins with "nobody"/);
  expect(() => chosen({ ids: [''] })).toThrow(/give more of the id/);
});
